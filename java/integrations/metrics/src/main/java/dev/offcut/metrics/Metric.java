package dev.offcut.metrics;

import java.util.List;

/** The metrics, as {@code spec/names.json} has them. */
enum Metric {
  // spotless:off
  HANDLE_OPENED("offcut.handle.opened", Kind.COUNTER, "{handle}", "handles opened, including opens in progress", "type"),
  HANDLE_CLOSED("offcut.handle.closed", Kind.COUNTER, "{handle}", "handles closed by the program", "type"),
  HANDLE_FORGOTTEN("offcut.handle.forgotten", Kind.COUNTER, "{handle}", "handles released by the net", "type"),
  HANDLE_OPEN("offcut.handle.open", Kind.GAUGE, "{handle}", "handles neither closed nor forgotten", "type"),
  HANDLE_PROMOTED("offcut.handle.promoted", Kind.COUNTER, "{handle}", "handles that outlived their nursery", "type"),
  HANDLE_PINNED("offcut.handle.pinned", Kind.GAUGE, "{handle}", "open handles that, if forgotten, wait for others of their table or slab", "type"),
  HANDLE_FAILURES("offcut.handle.failures", Kind.COUNTER, "{failure}", "releasers that threw", "type"),
  HANDLE_OLDEST("offcut.handle.oldest", Kind.GAUGE, "s", "upper bound on the age of the oldest open handle", "type"),
  POOL_LIMIT("offcut.pool.limit", Kind.GAUGE, "By", "limit of committed and external bytes; absent without a limit", "pool"),
  POOL_RESERVED("offcut.pool.reserved", Kind.GAUGE, "By", "reserved address space", "pool"),
  POOL_COMMITTED("offcut.pool.committed", Kind.GAUGE, "By", "granules that have memory", "pool"),
  POOL_HANDED_OUT("offcut.pool.handed_out", Kind.GAUGE, "By", "chunks in use, or kept for the next request", "pool"),
  POOL_USED("offcut.pool.used", Kind.GAUGE, "By", "blocks in use", "pool"),
  POOL_KEPT("offcut.pool.kept", Kind.GAUGE, "By", "chunks kept for the next request", "pool"),
  POOL_EXTERNAL("offcut.pool.external", Kind.GAUGE, "By", "reservations: memory from outside of the pool", "pool"),
  POOL_LARGEST_FREE("offcut.pool.largest_free", Kind.GAUGE, "By", "largest free chunk", "pool"),
  OWNER_LIMIT("offcut.owner.limit", Kind.GAUGE, "By", "hard limit of the owner; absent without a limit", "pool", "owner"),
  OWNER_COMMITTED("offcut.owner.committed", Kind.GAUGE, "By", "granules of the owner, without its children", "pool", "owner"),
  OWNER_HANDED_OUT("offcut.owner.handed_out", Kind.GAUGE, "By", "chunks of the owner in use, or kept for its next request", "pool", "owner"),
  OWNER_USED("offcut.owner.used", Kind.GAUGE, "By", "blocks of the owner in use", "pool", "owner"),
  OWNER_PINNED("offcut.owner.pinned", Kind.GAUGE, "By", "free bytes in granules of the owner", "pool", "owner"),
  OWNER_EXTERNAL("offcut.owner.external", Kind.GAUGE, "By", "reservations of the owner", "pool", "owner"),
  BUDGET_LIMIT("offcut.budget.limit", Kind.GAUGE, "By", "limit of the budget", "budget"),
  BUDGET_USED("offcut.budget.used", Kind.GAUGE, "By", "memory in use, by the budget's pools and others; of a container: what its processes use", "budget"),
  BUDGET_HEAP_GROWTH("offcut.budget.heap_growth", Kind.GAUGE, "By", "what the Java heap may still take of the container", "budget"),
  BUDGET_UNTOUCHED("offcut.budget.untouched", Kind.GAUGE, "By", "what pools have taken of the container and not written yet", "budget"),
  BUDGET_MARGIN("offcut.budget.margin", Kind.GAUGE, "By", "what is left free", "budget"),
  BUDGET_ROOM("offcut.budget.room", Kind.GAUGE, "By", "what can be charged now; negative if more is in use than there should be", "budget"),
  BUDGET_CHARGED("offcut.budget.charged", Kind.GAUGE, "By", "what pools have charged", "budget"),
  BUDGET_HELD("offcut.budget.held", Kind.GAUGE, "By", "memory by holder: owners, free memory of pools, registered memory", "budget", "holder"),
  RESOURCE_OPENED("offcut.resource.opened", Kind.COUNTER, "{resource}", "resources opened, by the agent's count", "kind"),
  RESOURCE_CLOSED("offcut.resource.closed", Kind.COUNTER, "{resource}", "resources closed by the program", "kind"),
  RESOURCE_COLLECTED("offcut.resource.collected", Kind.COUNTER, "{resource}", "resources released by the collector", "kind"),
  RESOURCE_LOST("offcut.resource.lost", Kind.COUNTER, "{resource}", "resources unreachable and never released", "kind"),
  RESOURCE_OPEN("offcut.resource.open", Kind.GAUGE, "{resource}", "resources neither closed, collected nor lost", "kind"),
  RESOURCE_BYTES("offcut.resource.bytes", Kind.GAUGE, "By", "bytes of what is open", "kind"),
  RESOURCE_OPENED_BYTES("offcut.resource.opened_bytes", Kind.COUNTER, "By", "bytes of all that was opened", "kind"),
  RESOURCE_LOST_BYTES("offcut.resource.lost_bytes", Kind.COUNTER, "By", "bytes of what is lost", "kind"),
  SOURCE_PRESENT("offcut.source.present", Kind.GAUGE, "{source}", "1 if handles, pools, agent are read; 0 if the program has none", "source");
  // spotless:on

  /** What its values are. */
  enum Kind {
    /** A sum that never falls. */
    COUNTER,
    GAUGE
  }

  static final String SECONDS = "s";
  static final String BYTES = "By";

  final String id;
  final Kind kind;

  /** As UCUM has it. */
  final String unit;

  final String meaning;
  private final String labels;

  Metric(String id, Kind kind, String unit, String meaning, String... labels) {
    this.id = id;
    this.kind = kind;
    this.unit = unit;
    this.meaning = meaning;
    this.labels = String.join(" ", labels);
  }

  /** The names of its labels: one or two. */
  List<String> labels() {
    return List.of(labels.split(" ", -1));
  }
}
