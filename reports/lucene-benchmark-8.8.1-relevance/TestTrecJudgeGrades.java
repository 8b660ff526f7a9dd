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
package org.apache.lucene.benchmark.quality.trec;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.Collections;
import org.apache.lucene.benchmark.quality.QualityQuery;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Test that judgments are read as TREC's: a document is relevant if its grade is at least 1. */
public class TestTrecJudgeGrades extends LuceneTestCase {

  private final QualityQuery query = new QualityQuery("q", Collections.emptyMap());

  /** Judges documents d0, d1, ... of these grades. */
  private static TrecJudge judge(String... grades) throws Exception {
    StringBuilder qrels = new StringBuilder();
    for (int i = 0; i < grades.length; i++) {
      qrels.append("q 0 d").append(i).append(' ').append(grades[i]).append('\n');
    }
    return new TrecJudge(new BufferedReader(new StringReader(qrels.toString())));
  }

  public void testRelevantIfGradeIsAtLeastOne() throws Exception {
    TrecJudge judge = judge("-2");
    assertFalse("grade -2", judge.isRelevant("d0", query));
    // the grade -2 is less than 1
    assertEquals(0, judge.maxRecall(query));
  }

  public void testMixedGrades() throws Exception {
    TrecJudge judge = judge("1", "-2", "0", "-1");
    assertTrue("grade 1", judge.isRelevant("d0", query));
    assertFalse("grade -2", judge.isRelevant("d1", query));
    assertFalse("grade 0", judge.isRelevant("d2", query));
    assertFalse("grade -1", judge.isRelevant("d3", query));
    // one of the grades 1, -2, 0, -1 is at least 1
    assertEquals(1, judge.maxRecall(query));
  }
}
