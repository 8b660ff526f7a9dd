import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.apache.lucene.benchmark.quality.Judge;
import org.apache.lucene.benchmark.quality.QualityQuery;
import org.apache.lucene.benchmark.quality.QualityStats;
import org.apache.lucene.benchmark.quality.trec.TrecJudge;

/**
 * Calls Lucene's public quality classes, one request a line on standard input, one answer a line on standard output.
 *
 * <p>A line is fields separated by TAB. In a field every byte of UTF-8 outside printable ASCII, and %, is written %XX. A
 * request is its number, a command, and the command's fields; an answer is the number of its request, then R and the
 * result's fields, or X, the simple name of a Throwable and, unless it is null, its message. Doubles travel as
 * hexadecimal text, relevance as a string of 0 and 1.
 *
 * <pre>
 * V class*                                which jars and versions answer, assertions on or off, where a class is from
 * J qrels (query n document{n})*          per query maxRecall, and isRelevant of each document
 * T token*                                the same for the qrels "q 0 d0 token0", "q 0 d1 token1", ...
 * W qrels query*                          validateData: its value and what it prints
 * S max bits                              statistics of a ranking
 * A (max bits)*                           statistics of the average
 * M n (max bits)*                         getPrecisionAt(1) to getPrecisionAt(n) of the average
 * L title padding prefix (max bits)*      the log of one, or of the average of several
 * N max (n bit)*                          statistics after addResult with any n
 * P max bits n                            getPrecisionAt(n)
 * D qrels query document*                 statistics of a ranking that the judge has judged
 * </pre>
 *
 * <p>Only the JDK and the benchmark jar are needed; what is used of it is the same from Lucene 3.6 on.
 */
public final class Probe {
  /** Answers the fields of a request (its number, a command, arguments) with the fields of a result. */
  interface Handler {
    void answer(List<String> request, List<String> result) throws Throwable;
  }

  private Probe() {}

  public static void main(String[] arguments) throws IOException {
    serve(Probe::answer);
  }

  /** Answers requests until standard input ends. What a library prints goes to standard error. */
  static void serve(Handler handler) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII), 1 << 16);
    BufferedWriter out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.US_ASCII), 1 << 16);
    System.setIn(new ByteArrayInputStream(new byte[0]));
    System.setOut(new PrintStream(System.err, true));
    List<String> request = new ArrayList<>();
    List<String> result = new ArrayList<>();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      request.clear();
      result.clear();
      split(line, request);
      result.add(request.get(0));
      result.add("R");
      try {
        if (request.get(1).equals("V")) {
          version(request, result);
        } else {
          handler.answer(request, result);
        }
      } catch (Throwable error) { // whatever it is, it is the answer
        result.clear();
        result.add(request.get(0));
        result.add("X");
        result.add(error.getClass().getSimpleName());
        if (error.getMessage() != null) {
          result.add(error.getMessage());
        }
      }
      for (int i = 0; i < result.size(); i++) {
        if (i > 0) {
          out.write('\t');
        }
        escape(result.get(i), out);
      }
      out.write('\n');
      if (!in.ready()) {
        out.flush();
      }
    }
    out.flush();
  }

  private static void answer(List<String> request, List<String> result) throws Exception {
    switch (request.get(1)) {
      case "J":
        judge(request, result);
        break;
      case "T":
        judgeTokens(request, result);
        break;
      case "W":
        validate(request, result);
        break;
      case "S":
        describe(ranking(request.get(2), request.get(3)), result);
        break;
      case "A":
        describe(QualityStats.average(rankings(request, 2)), result);
        break;
      case "M":
        meanPrecisions(request, result);
        break;
      case "L":
        log(request, result);
        break;
      case "N":
        addResult(request, result);
        break;
      case "P":
        result.add(hex(ranking(request.get(2), request.get(3)).getPrecisionAt(Integer.parseInt(request.get(4)))));
        break;
      case "D":
        scored(request, result);
        break;
      default:
        throw new IllegalStateException("no such command: " + request.get(1));
    }
  }

  private static void version(List<String> request, List<String> result) throws Exception {
    for (Class<?> type : new Class<?>[] {TrecJudge.class, QualityStats.class}) {
      Package found = type.getPackage();
      result.add(origin(type));
      result.add(orEmpty(found == null ? null : found.getImplementationVersion()));
      result.add(orEmpty(found == null ? null : found.getSpecificationVersion()));
    }
    result.add(System.getProperty("java.version"));
    result.add(TrecJudge.class.desiredAssertionStatus() ? "1" : "0");
    for (String name : request.subList(2, request.size())) {
      result.add(origin(Class.forName(name, false, Probe.class.getClassLoader())));
    }
  }

  private static String origin(Class<?> type) throws URISyntaxException {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null ? "" : new File(source.getLocation().toURI()).getPath();
  }

  private static String orEmpty(String text) {
    return text == null ? "" : text;
  }

  private static void judge(List<String> request, List<String> result) throws IOException {
    Judge judge = judgeOf(request.get(2));
    for (int i = 3; i < request.size(); ) {
      QualityQuery query = query(request.get(i));
      int end = i + 2 + Integer.parseInt(request.get(i + 1));
      result.add(Integer.toString(judge.maxRecall(query)));
      result.add(bits(judge, query, request.subList(i + 2, end)));
      i = end;
    }
  }

  private static void judgeTokens(List<String> request, List<String> result) throws IOException {
    StringBuilder qrels = new StringBuilder();
    List<String> documents = new ArrayList<>();
    for (int i = 2; i < request.size(); i++) {
      String document = "d" + (i - 2);
      documents.add(document);
      qrels.append("q 0 ").append(document).append(' ').append(request.get(i)).append('\n');
    }
    Judge judge = judgeOf(qrels.toString());
    QualityQuery query = query("q");
    result.add(Integer.toString(judge.maxRecall(query)));
    result.add(bits(judge, query, documents));
  }

  private static String bits(Judge judge, QualityQuery query, List<String> documents) {
    StringBuilder bits = new StringBuilder(documents.size());
    for (String document : documents) {
      bits.append(judge.isRelevant(document, query) ? '1' : '0');
    }
    return bits.toString();
  }

  private static void validate(List<String> request, List<String> result) throws IOException {
    Judge judge = judgeOf(request.get(2));
    QualityQuery[] queries = new QualityQuery[request.size() - 3];
    for (int i = 0; i < queries.length; i++) {
      queries[i] = query(request.get(3 + i));
    }
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    boolean valid = judge.validateData(queries, writer);
    writer.flush();
    result.add(valid ? "1" : "0");
    result.add(text.toString());
  }

  private static void meanPrecisions(List<String> request, List<String> result) {
    QualityStats average = QualityStats.average(rankings(request, 3));
    for (int n = 1; n <= Integer.parseInt(request.get(2)); n++) {
      result.add(hex(average.getPrecisionAt(n)));
    }
  }

  private static void log(List<String> request, List<String> result) {
    QualityStats[] rankings = rankings(request, 5);
    QualityStats logged = rankings.length == 1 ? rankings[0] : QualityStats.average(rankings);
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    logged.log(request.get(2), Integer.parseInt(request.get(3)), writer, request.get(4));
    writer.flush();
    result.add(text.toString());
  }

  private static void addResult(List<String> request, List<String> result) {
    QualityStats stats = new QualityStats(Double.parseDouble(request.get(2)), 0);
    for (int i = 3; i < request.size(); i += 2) {
      stats.addResult(Integer.parseInt(request.get(i)), request.get(i + 1).equals("1"), 0);
    }
    describe(stats, result);
  }

  private static void scored(List<String> request, List<String> result) throws IOException {
    Judge judge = judgeOf(request.get(2));
    QualityQuery query = query(request.get(3));
    QualityStats stats = new QualityStats(judge.maxRecall(query), 0);
    for (int i = 4; i < request.size(); i++) {
      stats.addResult(i - 3, judge.isRelevant(request.get(i), query), 0);
    }
    describe(stats, result);
  }

  static Judge judgeOf(String qrels) throws IOException {
    int size = Math.max(1, Math.min(qrels.length(), 8192));
    return new TrecJudge(new BufferedReader(new StringReader(qrels), size));
  }

  private static QualityQuery query(String id) {
    return new QualityQuery(id, new HashMap<String, String>());
  }

  private static QualityStats ranking(String max, String bits) {
    QualityStats stats = new QualityStats(Double.parseDouble(max), 0);
    for (int i = 0; i < bits.length(); i++) {
      stats.addResult(i + 1, bits.charAt(i) == '1', 0);
    }
    return stats;
  }

  private static QualityStats[] rankings(List<String> request, int from) {
    QualityStats[] found = new QualityStats[(request.size() - from) / 2];
    for (int i = 0; i < found.length; i++) {
      found[i] = ranking(request.get(from + 2 * i), request.get(from + 2 * i + 1));
    }
    return found;
  }

  /** Adds the counts, average precision, MRR, recall, and precision at 1 to 20. */
  static void describe(QualityStats stats, List<String> result) {
    result.add(hex(stats.getNumPoints()));
    result.add(hex(stats.getNumGoodPoints()));
    result.add(hex(stats.getMaxGoodPoints()));
    result.add(hex(stats.getAvp()));
    result.add(hex(stats.getMRR()));
    result.add(hex(stats.getRecall()));
    for (int n = 1; n <= 20; n++) {
      result.add(hex(stats.getPrecisionAt(n)));
    }
  }

  private static String hex(double value) {
    return Double.toHexString(value);
  }

  private static void split(String line, List<String> fields) {
    int from = 0;
    for (int tab = line.indexOf('\t'); tab >= 0; tab = line.indexOf('\t', from)) {
      fields.add(unescape(line.substring(from, tab)));
      from = tab + 1;
    }
    fields.add(unescape(line.substring(from)));
  }

  private static String unescape(String field) {
    if (field.indexOf('%') < 0) {
      return field;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(field.length());
    for (int i = 0; i < field.length(); i++) {
      if (field.charAt(i) == '%') {
        bytes.write(Integer.parseInt(field.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.write(field.charAt(i));
      }
    }
    return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
  }

  private static void escape(String field, BufferedWriter out) throws IOException {
    if (isPlain(field)) {
      out.write(field);
      return;
    }
    for (byte b : field.getBytes(StandardCharsets.UTF_8)) {
      if (b < ' ' || b > '~' || b == '%') { // a byte of 0x80 or more is negative
        out.write('%');
        out.write(Character.toUpperCase(Character.forDigit((b >> 4) & 15, 16)));
        out.write(Character.toUpperCase(Character.forDigit(b & 15, 16)));
      } else {
        out.write(b);
      }
    }
  }

  private static boolean isPlain(String field) {
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c < ' ' || c > '~' || c == '%') {
        return false;
      }
    }
    return true;
  }
}
