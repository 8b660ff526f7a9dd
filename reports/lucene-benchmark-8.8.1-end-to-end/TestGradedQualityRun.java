/*
 * Licensed to the Apache Software Foundation (ASF) under one or more
 * contributor license agreements.  See the NOTICE file distributed with
 * this work for additional information regarding copyright ownership.
 * The ASF licenses this file to You under the Apache License, Version 2.0
 * (the "License"); you may not use this file except in compliance with
 * the License.  You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.lucene.benchmark.quality;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.Collections;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
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
import org.apache.lucene.tests.util.LuceneTestCase;

/** Test that a quality run counts documents of a grade of at least 1 as relevant, and no others. */
public class TestGradedQualityRun extends LuceneTestCase {

  /** Searches documents d0, d1, ... that rank in this order and have these grades. */
  private static QualityStats search(String... grades) throws Exception {
    StringBuilder qrels = new StringBuilder();
    try (Directory dir = new ByteBuffersDirectory()) {
      IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
      try (IndexWriter writer = new IndexWriter(dir, config)) {
        for (int i = 0; i < grades.length; i++) {
          Document doc = new Document();
          doc.add(new StoredField("docname", "d" + i));
          // the more often it has the word, the higher it ranks
          String body = "wanted ".repeat(grades.length - i) + "filler ".repeat(i);
          doc.add(new TextField("body", body, Field.Store.NO));
          writer.addDocument(doc);
          qrels.append("q 0 d").append(i).append(' ').append(grades[i]).append('\n');
        }
      }
      QualityQuery[] qqs = {new QualityQuery("q", Collections.singletonMap("title", "wanted"))};
      Judge judge = new TrecJudge(new BufferedReader(new StringReader(qrels.toString())));
      QualityQueryParser parser = new SimpleQQParser("title", "body");
      try (IndexReader reader = DirectoryReader.open(dir)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        return new QualityBenchmark(qqs, parser, searcher, "docname").execute(judge, null, null)[0];
      }
    }
  }

  public void testStatsOfGradedJudgments() throws Exception {
    QualityStats stats = search("1", "-2");
    assertEquals(1.0, stats.getNumGoodPoints(), 1E-6);
    assertEquals(1.0, stats.getMaxGoodPoints(), 1E-6);
    assertEquals(1.0, stats.getAvp(), 1E-6);
    assertEquals(1.0, stats.getMRR(), 1E-6);
    assertEquals(1.0, stats.getRecall(), 1E-6);
    assertEquals(1.0, stats.getPrecisionAt(1), 1E-6);
  }

  public void testStatsOfNegativeGradeAtTheTop() throws Exception {
    QualityStats stats = search("-2", "1");
    assertEquals(1.0, stats.getNumGoodPoints(), 1E-6);
    assertEquals(1.0, stats.getMaxGoodPoints(), 1E-6);
    assertEquals(1.0 / 2, stats.getAvp(), 1E-6);
    assertEquals(1.0 / 2, stats.getMRR(), 1E-6);
    assertEquals(1.0, stats.getRecall(), 1E-6);
    assertEquals(0.0, stats.getPrecisionAt(1), 1E-6);
  }
}
