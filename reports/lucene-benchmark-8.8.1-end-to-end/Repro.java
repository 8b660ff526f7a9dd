import java.io.BufferedReader;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.benchmark.quality.Judge;
import org.apache.lucene.benchmark.quality.QualityBenchmark;
import org.apache.lucene.benchmark.quality.QualityQuery;
import org.apache.lucene.benchmark.quality.QualityStats;
import org.apache.lucene.benchmark.quality.trec.TrecJudge;
import org.apache.lucene.benchmark.quality.utils.SimpleQQParser;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/**
 * What QualityBenchmark computes for a search that TrecJudge judges: relevant is a grade of at least 1.
 *
 * Run it with Java 11 or newer: java -cp lucene-benchmark-8.8.1.jar:lucene-core-8.8.1.jar:lucene-queryparser-8.8.1.jar Repro.java
 * The last line and the exit status say what was seen: DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
 */
public class Repro {
    static final List<Double> DOCUMENTED = List.of(2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0);

    static List<Double> control() throws Exception {
        return searched("q 0 d0 0\nq 0 d1 1\n", 2);
    }

    static List<Double> observed() throws Exception {
        return searched("q 0 d0 1\nq 0 d1 -2\n", 2);
    }

    /** Searches documents that rank as d0, d1, ..., and returns the statistics. */
    static List<Double> searched(String qrels, int documents) throws Exception {
        Directory directory = new ByteBuffersDirectory();
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
            for (int i = 0; i < documents; i++) {
                Document document = new Document();
                document.add(new StoredField("docname", "d" + i));
                String body = "wanted ".repeat(documents - i) + "filler ".repeat(i);
                document.add(new TextField("body", body, Field.Store.NO));
                writer.addDocument(document);
            }
        }
        QualityQuery[] queries = {new QualityQuery("q", Map.of("title", "wanted"))};
        Judge judge = new TrecJudge(new BufferedReader(new StringReader(qrels)));
        try (IndexReader reader = DirectoryReader.open(directory)) {
            QualityStats stats = new QualityBenchmark(
                queries, new SimpleQQParser("title", "body"), new IndexSearcher(reader), "docname")
                .execute(judge, null, null)[0];
            List<Double> numbers = new ArrayList<>(List.of(
                stats.getNumPoints(), stats.getNumGoodPoints(), stats.getMaxGoodPoints(),
                stats.getAvp(), stats.getMRR(), stats.getRecall()));
            for (int n = 1; n < documents; n++) {
                numbers.add(stats.getPrecisionAt(n));
            }
            return numbers;
        }
    }

    static boolean isRight() throws Exception {
        Path jar = Path.of(TrecJudge.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        String version = TrecJudge.class.getPackage().getImplementationVersion(); // null if no manifest tells it
        String told = version == null ? "" : " (manifest: " + version.split(" ")[0] + ")";
        System.out.println("TrecJudge of " + jar.getFileName() + told + ", Java " + System.getProperty("java.version"));
        if (!control().equals(List.of(2.0, 1.0, 1.0, 0.5, 0.5, 1.0, 0.0))) {
            throw new IllegalStateException("the control does not hold: with grades 0 and 1 the statistics are right");
        }
        List<Double> observed = observed();
        System.out.println("input:      a search that returns 2 documents of grades 1, -2");
        System.out.println("documented: " + DOCUMENTED);
        System.out.println("observed:   " + observed);
        boolean isRight = observed.size() == DOCUMENTED.size();
        for (int i = 0; isRight && i < observed.size(); i++) {
            isRight = Math.abs(observed.get(i) - DOCUMENTED.get(i)) <= 1e-12;
        }
        return isRight;
    }

    public static void main(String[] arguments) {
        int status = 2;
        try {
            status = isRight() ? 0 : 1;
        } catch (Throwable error) { // a program that fails shows nothing about Lucene
            error.printStackTrace(System.out);
        }
        System.out.println(List.of("OK", "DEFECT PRESENT", "COULD NOT RUN").get(status));
        System.exit(status);
    }
}
