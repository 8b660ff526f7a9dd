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

import org.apache.lucene.tests.util.LuceneTestCase;

/** Test that the average of stats has the average of each measure. */
public class TestQualityStats extends LuceneTestCase {

  /** Returns the stats of a query, by whether each document found is relevant (1) or not. */
  private static QualityStats stats(int maxGoodPoints, int... relevant) {
    QualityStats stats = new QualityStats(maxGoodPoints, 0);
    for (int i = 0; i < relevant.length; i++) {
      stats.addResult(i + 1, relevant[i] == 1, 0);
    }
    return stats;
  }

  public void testPrecisionAtOfAverageIsAverageOfPrecisions() {
    QualityStats[] stats = {
      stats(1),
      stats(2, 1),
    };
    QualityStats avg = QualityStats.average(stats);
    // (0/1 + 1/1) / 2 = 1/2
    assertEquals(1.0 / 2, avg.getPrecisionAt(1), 1E-6);
    // (0/2 + 1/2) / 2 = 1/4
    assertEquals(1.0 / 4, avg.getPrecisionAt(2), 1E-6);
    // (0/3 + 1/3) / 2 = 1/6
    assertEquals(1.0 / 6, avg.getPrecisionAt(3), 1E-6);
    // (0/4 + 1/4) / 2 = 1/8
    assertEquals(1.0 / 8, avg.getPrecisionAt(4), 1E-6);
  }

  public void testPrecisionAtOfAverageOfALongAndAShortList() {
    QualityStats[] stats = {
      stats(10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
      stats(2, 1, 1),
    };
    QualityStats avg = QualityStats.average(stats);
    // (1/1 + 1/1) / 2 = 1
    assertEquals(1.0, avg.getPrecisionAt(1), 1E-6);
    // (2/2 + 2/2) / 2 = 1
    assertEquals(1.0, avg.getPrecisionAt(2), 1E-6);
    // (3/3 + 2/3) / 2 = 5/6
    assertEquals(5.0 / 6, avg.getPrecisionAt(3), 1E-6);
    // (4/4 + 2/4) / 2 = 3/4
    assertEquals(3.0 / 4, avg.getPrecisionAt(4), 1E-6);
    // (5/5 + 2/5) / 2 = 7/10
    assertEquals(7.0 / 10, avg.getPrecisionAt(5), 1E-6);
    // (6/6 + 2/6) / 2 = 2/3
    assertEquals(2.0 / 3, avg.getPrecisionAt(6), 1E-6);
    // (7/7 + 2/7) / 2 = 9/14
    assertEquals(9.0 / 14, avg.getPrecisionAt(7), 1E-6);
    // (8/8 + 2/8) / 2 = 5/8
    assertEquals(5.0 / 8, avg.getPrecisionAt(8), 1E-6);
    // (9/9 + 2/9) / 2 = 11/18
    assertEquals(11.0 / 18, avg.getPrecisionAt(9), 1E-6);
    // (10/10 + 2/10) / 2 = 3/5
    assertEquals(3.0 / 5, avg.getPrecisionAt(10), 1E-6);
  }
}
