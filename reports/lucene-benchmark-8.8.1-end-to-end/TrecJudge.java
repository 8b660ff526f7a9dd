package org.apache.lucene.benchmark.quality.trec;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.benchmark.quality.Judge;
import org.apache.lucene.benchmark.quality.QualityQuery;

/**
 * A judge with the rule of trec_eval: a document is relevant if its grade is at least 1. A grade is the integer
 * that it starts with, as in trec_eval after 10.0; without one, or beyond 64 bits, it is an error.
 *
 * <p>Written from the interface, from the qrels format and from the rule. But for the grade it accepts what Lucene's
 * own judge does.
 */
public class TrecJudge implements Judge {
  private static final Pattern FIELD = Pattern.compile("[^ \t\n\r\f]+");
  private static final Pattern LEADING_INTEGER = Pattern.compile("\\x0B*([+-]?[0-9]+)");

  private final Map<String, Set<String>> relevant = new HashMap<>();

  public TrecJudge(BufferedReader reader) throws IOException {
    try {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String text = line.trim();
        if (!text.isEmpty() && text.charAt(0) != '#') {
          add(text);
        }
      }
    } finally {
      reader.close();
    }
  }

  private void add(String line) {
    Matcher fields = FIELD.matcher(line);
    String query = next(fields);
    next(fields);
    String document = next(fields);
    String grade = next(fields);
    assert !fields.find() : "wrong format: " + line + "  next: " + fields.group();
    if (isPositive(grade)) {
      relevant.computeIfAbsent(query, id -> new HashSet<>()).add(document);
    }
  }

  private static String next(Matcher fields) {
    if (!fields.find()) {
      throw new NoSuchElementException();
    }
    return fields.group();
  }

  /**
   * Returns whether the integer at the start of the text (after any VT) is 1 or more; throws NumberFormatException if
   * there is none, or it is no long.
   */
  private static boolean isPositive(String grade) {
    Matcher integer = LEADING_INTEGER.matcher(grade);
    if (!integer.lookingAt()) {
      throw new NumberFormatException("an integer was expected, not " + grade);
    }
    return Long.parseLong(integer.group(1)) > 0;
  }

  private Set<String> relevantFor(QualityQuery query) {
    return relevant.getOrDefault(query.getQueryID(), Collections.<String>emptySet());
  }

  @Override
  public boolean isRelevant(String docName, QualityQuery query) {
    return relevantFor(query).contains(docName);
  }

  @Override
  public int maxRecall(QualityQuery query) {
    return relevantFor(query).size();
  }

  @Override
  public boolean validateData(QualityQuery[] queries, PrintWriter logger) {
    Set<String> unmatched = new TreeSet<>(relevant.keySet());
    List<String> unjudged = new ArrayList<>();
    for (QualityQuery query : queries) {
      if (!unmatched.remove(query.getQueryID())) {
        unjudged.add(query.getQueryID());
      }
    }
    report(logger, unjudged, "queries have no judgments! - ");
    report(logger, unmatched, "judgments match no query! - ");
    return unjudged.isEmpty() && unmatched.isEmpty();
  }

  private static void report(PrintWriter logger, Collection<String> ids, String what) {
    if (logger == null || ids.isEmpty()) {
      return;
    }
    logger.println("WARNING: " + ids.size() + " " + what);
    for (String id : ids) {
      logger.println("   " + id);
    }
  }
}
