package org.apache.lucene.tests.util;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Our stand-in for the base class of Lucene's tests: a few assertions of JUnit, and a main method that runs every public
 * method whose name starts with test. It is used where Lucene's test framework is not found.
 *
 * <p>The exit status is 0 if all pass, 1 if assertions fail, 2 if anything else was thrown or there is no test.
 */
public abstract class LuceneTestCase {
  /** What is expected to throw. */
  public interface ThrowingRunnable {
    void run() throws Throwable;
  }

  public static void main(String[] names) throws ReflectiveOperationException {
    Class<?> type = Class.forName(names[0]);
    int run = 0;
    int status = 0;
    for (Method method : type.getMethods()) {
      if (method.getName().startsWith("test") && method.getParameterCount() == 0) {
        run++;
        try {
          method.invoke(type.getConstructor().newInstance());
        } catch (InvocationTargetException thrown) {
          System.out.println(method.getName() + ": " + thrown.getCause());
          status = Math.max(status, thrown.getCause() instanceof AssertionError ? 1 : 2);
        }
      }
    }
    System.out.println(run + " tests, by a stand-in for Lucene's test framework");
    System.exit(run > 0 ? status : 2);
  }

  public static void assertTrue(String message, boolean condition) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }

  public static void assertFalse(String message, boolean condition) {
    assertTrue(message, !condition);
  }

  public static void assertEquals(String message, long expected, long actual) {
    assertTrue(message + ": expected:<" + expected + "> but was:<" + actual + ">", expected == actual);
  }

  public static void assertEquals(long expected, long actual) {
    assertEquals("", expected, actual);
  }

  public static void assertEquals(String message, double expected, double actual, double delta) {
    boolean isNear = Math.abs(expected - actual) <= delta;
    assertTrue(message + ": expected:<" + expected + "> but was:<" + actual + ">", isNear);
  }

  public static void assertEquals(double expected, double actual, double delta) {
    assertEquals("", expected, actual, delta);
  }

  public static <T extends Throwable> T expectThrows(Class<T> type, ThrowingRunnable runnable) {
    try {
      runnable.run();
    } catch (Throwable thrown) {
      if (type.isInstance(thrown)) {
        return type.cast(thrown);
      }
      throw new AssertionError("expected " + type.getName() + ", not " + thrown, thrown);
    }
    throw new AssertionError("expected " + type.getName() + ", and nothing was thrown");
  }
}
