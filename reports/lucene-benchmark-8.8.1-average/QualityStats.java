package org.apache.lucene.benchmark.quality;

import java.io.PrintWriter;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The results of one query, or their average over several, whose precision at each rank is the mean of the queries'
 * precisions at that rank.
 *
 * <p>Written from the public interface and its documentation. But for that mean it gives what Lucene's own class does.
 */
public class QualityStats {
  /** The last rank at which a precision is kept. */
  public static final int MAX_POINTS = 20;

  private static final int LAST_RANK_OF_MRR = 5;

  /** A rank at which a relevant document was found. */
  public static class RecallPoint {
    private final int rank;
    private final double found;

    private RecallPoint(int rank, double found) {
      this.rank = rank;
      this.found = found;
    }

    public int getRank() {
      return rank;
    }

    /** Returns how many relevant documents there are down to this rank. */
    public double getRecall() {
      return found;
    }
  }

  private final List<RecallPoint> recallPoints = new ArrayList<>();
  private final double[] precisions = new double[MAX_POINTS + 1]; // by rank, from 1 on
  private double known;
  private double retrieved;
  private double found;
  private double sumOfPrecisions;
  private double recall;
  private double reciprocalRank;
  private long searchTime;
  private long docNamesExtractTime;

  public QualityStats(double maxGoodPoints, long searchTime) {
    this.known = maxGoodPoints;
    this.searchTime = searchTime;
  }

  /** Adds the document at rank n, after that at the rank before. */
  public void addResult(int n, boolean isRelevant, long docNameExtractTime) {
    if (n != retrieved + 1) {
      throw new IllegalArgumentException("point " + n + " illegal after " + retrieved + " points!");
    }
    retrieved = n;
    docNamesExtractTime += docNameExtractTime;
    if (isRelevant) {
      found++;
      sumOfPrecisions += found / n;
      if (recallPoints.isEmpty() && n <= LAST_RANK_OF_MRR) {
        reciprocalRank = 1.0 / n;
      }
      recallPoints.add(new RecallPoint(n, found));
    }
    recall = found / (known > 0 ? known : n);
    for (int rank = n; rank <= MAX_POINTS; rank++) {
      precisions[rank] = found / rank; // no relevant document comes later, as far as is known
    }
  }

  public double getPrecisionAt(int n) {
    if (n < 1 || n > MAX_POINTS) {
      throw new IllegalArgumentException("n=" + n + " - but it must be in [1," + MAX_POINTS + "] range!");
    }
    return precisions[n];
  }

  public double getAvp() {
    return known == 0 ? 0 : sumOfPrecisions / known;
  }

  public double getRecall() {
    return recall;
  }

  /** Returns the average: of times over all queries, of all else over those that have relevant documents. */
  public static QualityStats average(QualityStats[] stats) {
    QualityStats average = new QualityStats(0, 0);
    if (stats.length == 0) {
      return average;
    }
    List<QualityStats> judged = Arrays.stream(stats).filter(one -> one.known > 0).collect(Collectors.toList());
    assert !judged.isEmpty() : "Fishy: no \"good\" queries!";
    average.searchTime = Arrays.stream(stats).mapToLong(QualityStats::getSearchTime).sum() / stats.length;
    average.docNamesExtractTime =
        Arrays.stream(stats).mapToLong(QualityStats::getDocNamesExtractTime).sum() / stats.length;
    average.known = mean(judged, QualityStats::getMaxGoodPoints);
    average.retrieved = mean(judged, QualityStats::getNumPoints);
    average.found = mean(judged, QualityStats::getNumGoodPoints);
    average.sumOfPrecisions = mean(judged, QualityStats::getAvp) * average.known; // getAvp divides by it again
    average.recall = mean(judged, QualityStats::getRecall);
    average.reciprocalRank = mean(judged, QualityStats::getMRR);
    for (int n = 1; n <= MAX_POINTS; n++) {
      int rank = n;
      average.precisions[n] = mean(judged, one -> one.getPrecisionAt(rank));
    }
    return average;
  }

  private static double mean(List<QualityStats> stats, ToDoubleFunction<QualityStats> measure) {
    double sum = 0; // one after the other: the sum of a stream compensates rounding errors
    for (QualityStats one : stats) {
      sum += measure.applyAsDouble(one);
    }
    return sum / stats.size();
  }

  /** Prints a title and all numbers, each behind the prefix, between so many empty lines. */
  public void log(String title, int paddLines, PrintWriter logger, String prefix) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("Search Seconds", searchTime / 1000.0);
    numbers.put("DocName Seconds", docNamesExtractTime / 1000.0);
    numbers.put("Num Points", retrieved);
    numbers.put("Num Good Points", found);
    numbers.put("Max Good Points", known);
    numbers.put("Average Precision", getAvp());
    numbers.put("MRR", reciprocalRank);
    numbers.put("Recall", recall);
    for (int n = 1; n < Math.min((int) retrieved, MAX_POINTS + 1); n++) {
      numbers.put("Precision At " + n, precisions[n]);
    }
    pad(paddLines, logger);
    if (title != null && !title.trim().isEmpty()) {
      logger.println(title);
    }
    for (Map.Entry<String, Double> number : numbers.entrySet()) {
      String start = prefix == null ? "" : prefix;
      logger.println(start + String.format(Locale.ROOT, "%-19s", number.getKey() + ": ") + aligned(number.getValue()));
    }
    pad(paddLines, logger);
  }

  private static void pad(int lines, PrintWriter logger) {
    for (int i = 0; i < lines; i++) {
      logger.println();
    }
  }

  /** Returns a number with three decimals, and with at least six characters before the point. */
  private static String aligned(double number) {
    NumberFormat format = NumberFormat.getInstance(Locale.ROOT);
    format.setMinimumFractionDigits(3);
    format.setMaximumFractionDigits(3);
    String text = format.format(number);
    int point = text.indexOf('.');
    return String.format(Locale.ROOT, "%6s", text.substring(0, point)) + text.substring(point);
  }

  public long getDocNamesExtractTime() {
    return docNamesExtractTime;
  }

  public double getMaxGoodPoints() {
    return known;
  }

  public double getNumGoodPoints() {
    return found;
  }

  public double getNumPoints() {
    return retrieved;
  }

  public RecallPoint[] getRecallPoints() {
    return recallPoints.toArray(new RecallPoint[0]);
  }

  /** Returns 1/r, where r is the rank of the first relevant document among the first five, or 0 without one. */
  public double getMRR() {
    return reciprocalRank;
  }

  public long getSearchTime() {
    return searchTime;
  }
}
