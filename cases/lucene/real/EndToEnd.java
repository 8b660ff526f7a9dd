import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.apache.lucene.benchmark.quality.QualityBenchmark;
import org.apache.lucene.benchmark.quality.QualityQuery;
import org.apache.lucene.benchmark.quality.QualityStats;
import org.apache.lucene.benchmark.quality.trec.QueryDriver;
import org.apache.lucene.benchmark.quality.utils.SimpleQQParser;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Runs Lucene's quality benchmark whole, on a real index that ranks the given documents in the given order.
 *
 * <p>The one query has the id q and asks for one word. All documents are of the same length, and hold that word the more
 * often the higher they are to be ranked; they are indexed in that order too. It speaks the protocol of {@link Probe}.
 *
 * <pre>
 * B qrels document*      statistics of the query, from QualityBenchmark
 * G qrels document*      what QualityBenchmark logs
 * Q qrels document*      what QueryDriver prints
 * </pre>
 *
 * <p>Needs the core, analyzers and queryparser jars of the same release. How an index is written changed from Lucene 3.6
 * to 4 and to 5: that part goes by reflection. The rest is the same from 3.6 on.
 */
public final class EndToEnd {
  private static final String WORD = "wanted";

  private EndToEnd() {}

  public static void main(String[] arguments) throws IOException {
    Probe.serve(EndToEnd::answer);
  }

  private static void answer(List<String> request, List<String> result) throws Throwable {
    String qrels = request.get(2);
    List<String> documents = request.subList(3, request.size());
    Path folder = Files.createTempDirectory("rankdiff");
    try {
      Path index = folder.resolve("index");
      write(index, documents);
      switch (request.get(1)) {
        case "B":
          Probe.describe(benchmark(index, qrels, new PrintWriter(new StringWriter())), result);
          break;
        case "G":
          StringWriter log = new StringWriter();
          benchmark(index, qrels, new PrintWriter(log, true));
          result.add(log.toString());
          break;
        case "Q":
          result.add(driven(folder, index, qrels));
          break;
        default:
          throw new IllegalStateException("no such command: " + request.get(1));
      }
    } catch (InvocationTargetException reflected) {
      throw reflected.getCause();
    } finally {
      delete(folder.toFile());
    }
  }

  private static QualityStats benchmark(Path index, String qrels, PrintWriter log) throws Throwable {
    QualityQuery[] queries = {new QualityQuery("q", Collections.singletonMap("title", WORD))};
    Directory directory = open(index);
    IndexReader reader = reader(directory);
    try {
      QualityBenchmark benchmark =
          new QualityBenchmark(queries, new SimpleQQParser("title", "body"), new IndexSearcher(reader), "docname");
      QualityStats stats = benchmark.execute(Probe.judgeOf(qrels), null, log)[0];
      log.flush();
      return stats;
    } finally {
      reader.close();
      directory.close();
    }
  }

  private static String driven(Path folder, Path index, String qrels) throws Throwable {
    String topic = "<top>\n<num> Number: q\n<title> " + WORD + "\n<desc> Description:\n<narr> Narrative:\n</top>\n";
    String topics = file(folder.resolve("topics"), topic);
    String judgements = file(folder.resolve("qrels"), qrels);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(printed, true));
    try {
      QueryDriver.main(new String[] {topics, judgements, folder.resolve("submission").toString(), index.toString()});
    } finally {
      System.out.flush();
      System.setOut(before);
    }
    return printed.toString(); // in the platform's charset, as it was written
  }

  private static String file(Path path, String text) throws IOException {
    Files.write(path, text.getBytes(StandardCharsets.UTF_8));
    return path.toString();
  }

  private static void write(Path index, List<String> documents) throws Throwable {
    Directory directory = open(index);
    Object analyzer = make("org.apache.lucene.analysis.standard.StandardAnalyzer");
    Object config = make("org.apache.lucene.index.IndexWriterConfig", analyzer);
    IndexWriter writer = (IndexWriter) make("org.apache.lucene.index.IndexWriter", directory, config);
    for (int i = 0; i < documents.size(); i++) {
      StringBuilder body = new StringBuilder();
      for (int j = 0; j < documents.size(); j++) {
        body.append(j >= i ? WORD : "filler").append(' ');
      }
      Object document = make("org.apache.lucene.document.Document");
      call(document, "add", field("docname", documents.get(i), true));
      call(document, "add", field("body", body.toString(), false));
      call(writer, "addDocument", document);
    }
    writer.close();
    directory.close();
  }

  /** Makes a field that is stored and not searched, or searched and not stored. */
  private static Object field(String name, String value, boolean stored) throws Throwable {
    Object store = constant("org.apache.lucene.document.Field$Store", stored ? "YES" : "NO");
    if (has("org.apache.lucene.document.TextField")) { // from Lucene 4 on
      return stored
          ? make("org.apache.lucene.document.StoredField", name, value)
          : make("org.apache.lucene.document.TextField", name, value, store);
    }
    Object index = constant("org.apache.lucene.document.Field$Index", stored ? "NO" : "ANALYZED");
    return make("org.apache.lucene.document.Field", name, value, store, index);
  }

  private static Directory open(Path index) throws Throwable {
    try {
      return (Directory) FSDirectory.class.getMethod("open", Path.class).invoke(null, index); // from Lucene 5 on
    } catch (NoSuchMethodException older) {
      return (Directory) FSDirectory.class.getMethod("open", File.class).invoke(null, index.toFile());
    }
  }

  private static IndexReader reader(Directory directory) throws Throwable {
    Class<?> type = IndexReader.class;
    if (has("org.apache.lucene.document.TextField")) { // from Lucene 4 on
      type = Class.forName("org.apache.lucene.index.DirectoryReader");
    }
    return (IndexReader) type.getMethod("open", Directory.class).invoke(null, directory);
  }

  /** Makes an object by the constructor that takes the arguments, or, up to Lucene 4, a Version before them. */
  private static Object make(String type, Object... arguments) throws Throwable {
    Object[] versioned = new Object[arguments.length + 1];
    System.arraycopy(arguments, 0, versioned, 1, arguments.length);
    versioned[0] = constant("org.apache.lucene.util.Version", "LATEST", "LUCENE_CURRENT");
    for (Object[] given : new Object[][] {arguments, versioned}) {
      for (Constructor<?> constructor : Class.forName(type).getConstructors()) {
        if (fits(constructor.getParameterTypes(), given)) {
          return constructor.newInstance(given);
        }
      }
    }
    throw new NoSuchMethodException(type);
  }

  private static void call(Object target, String name, Object argument) throws Throwable {
    for (Method method : target.getClass().getMethods()) {
      if (method.getName().equals(name) && fits(method.getParameterTypes(), new Object[] {argument})) {
        method.invoke(target, argument);
        return;
      }
    }
    throw new NoSuchMethodException(name);
  }

  private static boolean fits(Class<?>[] types, Object[] arguments) {
    if (types.length != arguments.length) {
      return false;
    }
    for (int i = 0; i < types.length; i++) {
      if (!types[i].isInstance(arguments[i])) {
        return false;
      }
    }
    return true;
  }

  private static Object constant(String type, String... names) throws Throwable {
    for (String name : names) {
      try {
        return Class.forName(type).getField(name).get(null);
      } catch (NoSuchFieldException absent) {
        continue;
      }
    }
    throw new NoSuchFieldException(type);
  }

  private static boolean has(String type) {
    try {
      Class.forName(type);
      return true;
    } catch (ClassNotFoundException absent) {
      return false;
    }
  }

  private static void delete(File file) {
    File[] inside = file.listFiles();
    if (inside != null) {
      for (File each : inside) {
        delete(each);
      }
    }
    file.delete();
  }
}
