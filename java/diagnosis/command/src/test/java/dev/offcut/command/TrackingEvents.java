package dev.offcut.command;

import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Events as the agent and the libraries record them, for recordings whose figures are known. */
@SuppressWarnings("unused") // read by Flight Recorder
final class TrackingEvents {
  private TrackingEvents() {}

  @Name("offcut.AgentConfiguration")
  @StackTrace(false)
  static final class AgentConfiguration extends Event {
    String version = "0.1.0";
    String level = "sample";
    int sampleEvery = 128;
    int sampleBytes;
    String options = "level=sample";
    String patched = "";
    String stoodDown = "";
    String startFailure = "";
    String uncaught = "";
    int exitCode = -1;
  }

  @Name("offcut.ResourceStatistics")
  @StackTrace(false)
  static final class ResourceStatistics extends Event {
    String kind = "";
    long opened;
    long closed;
    long collected;
    long lost;
    long open;
    long bytes;
    long openedBytes;
    long lostBytes;
    long peakBytes;
    String proof = "full";
  }

  @Name("offcut.ResourceSite")
  @StackTrace(false)
  static final class ResourceSite extends Event {
    String kind = "";
    String site = "";
    int line;
    String through = "";
    long opened;
    long closed;
    long collected;
    long lost;
    long open;
    long bytes;
    long lostBytes;
    long samples;
  }

  @Name("offcut.WatchedClass")
  @StackTrace(false)
  static final class WatchedClass extends Event {
    String rule = "";
    String type = "";

    String state = "counted";
    String detail = "";
    String from = "closeables.json:1";
    String freedBy = "nobody";
    String holds = "malloc";
    String called = "";
    String advice = "close each in try-with-resources";
  }

  @Name("offcut.ForcedCollection")
  static final class ForcedCollection extends Event {
    long requested;
  }

  @Name("offcut.FinalizerClass")
  @StackTrace(false)
  static final class FinalizerClass extends Event {
    String type = "";
    long registered;
    long run;
  }

  @Name("offcut.SavedWork")
  @StackTrace(false)
  static final class SavedWork extends Event {
    String feature = "";
    long done;
    long saved;
    String unit = "";
  }

  @Name("offcut.ProcessMemory")
  @StackTrace(false)
  static final class ProcessMemory extends Event {
    long resident;
    long residentPeak;
    long containerLimit = -1;
  }

  @Name("offcut.HandleStatistics")
  @StackTrace(false)
  static final class HandleStatistics extends Event {
    String type = "";
    long opened;
    long closed;
    long forgotten;
    long open;
  }

  @Name("offcut.HandleLeak")
  @StackTrace(false)
  static final class HandleLeak extends Event {
    String type = "";
    long count;
    String site = "";
    String level = "";
  }

  @Name("offcut.PoolStatistics")
  @StackTrace(false)
  static final class PoolStatistics extends Event {
    String pool = "";
    long limit;
    long reserved;
    long committed;
    long handedOut;
    long used;
  }

  @Name("offcut.PoolMap")
  @StackTrace(false)
  static final class PoolMap extends Event {
    String pool = "";
    long cell;
    String rows = "";
  }

  @Name("offcut.OwnerStatistics")
  @StackTrace(false)
  static final class OwnerStatistics extends Event {
    String pool = "";
    String owner = "";
    long committed;
    long handedOut;
    long used;
  }
}
