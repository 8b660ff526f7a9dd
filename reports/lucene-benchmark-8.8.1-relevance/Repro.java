import java.io.BufferedReader;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.benchmark.quality.QualityQuery;
import org.apache.lucene.benchmark.quality.trec.TrecJudge;

/**
 * TrecJudge on the qrels of one query: a document is relevant if its grade is at least 1.
 *
 * Run it with Java 11 or newer: java -cp lucene-benchmark-8.8.1.jar Repro.java
 * The last line and the exit status say what was seen: DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
 */
public class Repro {
    static final List<Double> DOCUMENTED = List.of(0.0, 0.0);

    static List<Double> control() throws Exception {
        return judged("q 0 d0 1\nq 0 d1 0\n", 2);
    }

    static List<Double> observed() throws Exception {
        return judged("q 0 d0 -2\n", 1);
    }

    /** Returns how many documents are relevant, then for each of d0, d1, ... whether it is (1) or not (0). */
    static List<Double> judged(String qrels, int documents) throws Exception {
        TrecJudge judge = new TrecJudge(new BufferedReader(new StringReader(qrels)));
        QualityQuery query = new QualityQuery("q", Map.of());
        List<Double> found = new ArrayList<>();
        found.add((double) judge.maxRecall(query));
        for (int i = 0; i < documents; i++) {
            found.add(judge.isRelevant("d" + i, query) ? 1.0 : 0.0);
        }
        return found;
    }

    static boolean isRight() throws Exception {
        Path jar = Path.of(TrecJudge.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        String version = TrecJudge.class.getPackage().getImplementationVersion(); // null if no manifest tells it
        String told = version == null ? "" : " (manifest: " + version.split(" ")[0] + ")";
        System.out.println("TrecJudge of " + jar.getFileName() + told + ", Java " + System.getProperty("java.version"));
        if (!control().equals(List.of(1.0, 1.0, 0.0))) {
            throw new IllegalStateException("the control does not hold: grade 1 is relevant, and grade 0 is not");
        }
        List<Double> observed = observed();
        System.out.println("input:      one document of grade -2");
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
