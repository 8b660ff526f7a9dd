import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.benchmark.quality.QualityStats;

/**
 * P@1 to P@4 of QualityStats.average(): each is the mean of the precisions at that rank.
 *
 * Run it with Java 11 or newer: java -cp lucene-benchmark-8.8.1.jar Repro.java
 * The last line and the exit status say what was seen: DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
 */
public class Repro {
    static final List<Double> DOCUMENTED = List.of(0.5, 0.25, 0.16666666666666666, 0.125);

    static List<Double> control() throws Exception {
        return precisions(ranked(1, 1), 2);
    }

    static List<Double> observed() throws Exception {
        return precisions(QualityStats.average(new QualityStats[] {ranked(1), ranked(2, 1)}), 4);
    }

    /** Return the statistics of a ranking: how many documents are known to be relevant, and whether each one by rank is. */
    static QualityStats ranked(double known, int... relevant) {
        QualityStats stats = new QualityStats(known, 0);
        for (int i = 0; i < relevant.length; i++) stats.addResult(i + 1, relevant[i] == 1, 0);
        return stats;
    }

    static List<Double> precisions(QualityStats stats, int upTo) {
        List<Double> found = new ArrayList<>();
        for (int n = 1; n <= upTo; n++) found.add(stats.getPrecisionAt(n));
        return found;
    }

    static boolean isRight() throws Exception {
        Path jar = Path.of(QualityStats.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        String version = QualityStats.class.getPackage().getImplementationVersion(); // null if no manifest tells it
        String told = version == null ? "" : " (manifest: " + version.split(" ")[0] + ")";
        System.out.println("QualityStats of " + jar.getFileName() + told + ", Java " + System.getProperty("java.version"));
        if (!control().equals(List.of(1.0, 0.5))) {
            throw new IllegalStateException("the control does not hold: the precisions of a single query are right");
        }
        List<Double> observed = observed();
        System.out.println("input:      relevance by rank [] and [1]");
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
