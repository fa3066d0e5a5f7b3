package dev.offcut.cli.web;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The latest that is known, and who waits for the next. */
final class Snapshots {
  /** One, and which one it is; {@code last} if there will be no more. */
  record Numbered(long number, String json, boolean last) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition published = lock.newCondition();
  private @Nullable Numbered latest;

  void publish(String json, boolean last) {
    lock.lock();
    try {
      latest = new Numbered(latest == null ? 1 : latest.number() + 1, json, last);
      published.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Nullable String latest() {
    lock.lock();
    try {
      return latest == null ? null : latest.json();
    } finally {
      lock.unlock();
    }
  }

  /** The latest, as soon as it is a later one. */
  Numbered after(long number) throws InterruptedException {
    lock.lock();
    try {
      while (latest == null || latest.number() <= number) {
        published.await();
      }
      return latest;
    } finally {
      lock.unlock();
    }
  }
}
