package dev.offcut.replay.space;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A space of the designs that hand out chunks of a few fixed sizes: its nodes and its free lists,
 * from which arenas are handed chunks and to which they return them. How free chunks are used again
 * is the policy's.
 */
abstract class Chunks implements Space {
  /** The boot loader's first chunk outside class space: 4 MiB. */
  private static final long BOOT_FIRST_NON_CLASS_WORDS = 512 << 10;

  /** Its first chunk in class space: larger than medium, so that no other gets it. */
  private static final long BOOT_FIRST_CLASS_WORDS = 48 << 10;

  /** The size of a further node outside class space: 2 MiB. */
  private static final long NODE_WORDS = 256 << 10;

  /** Memory is committed by so many medium chunks. */
  private static final int COMMIT_MEDIUMS = 4;

  final Chunk.Sizes sizes;
  final FreeLists free = new FreeLists();
  private final Space.Kind kind;
  private final int headerWords;
  private final long limit;
  private final List<Node> nodes = new ArrayList<>();
  private long usedWords;

  /**
   * @param headerWords what of each chunk is its header
   * @param limit how large all nodes may be together; of class space its size
   */
  Chunks(Space.Kind kind, Chunk.Sizes sizes, int headerWords, long limit) {
    this.kind = kind;
    this.sizes = sizes;
    this.headerWords = headerWords;
    this.limit = limit;
  }

  final int headerWords() {
    return headerWords;
  }

  /** The first node. Class space has no other. */
  final void begin() {
    long first = kind == Space.Kind.CLASS ? limit : 2 * BOOT_FIRST_NON_CLASS_WORDS;
    addNode(Math.min(limit, first));
  }

  @Override
  public Space.@Nullable Arena open(ArenaKind arena) {
    Chunk first = take(firstWords(arena));
    return first == null ? null : new ChunkArena(this, first);
  }

  /** The words of an arena's first chunk. */
  private long firstWords(ArenaKind arena) {
    return switch (arena) {
      case BOOT -> kind == Kind.CLASS ? BOOT_FIRST_CLASS_WORDS : BOOT_FIRST_NON_CLASS_WORDS;
      case STANDARD -> sizes.small();
    };
  }

  /** A block of an arena was taken, or all of them given back. */
  final void use(long words) {
    usedWords += words;
  }

  /** A chunk with room for a block of so many words less the header; null if there is none. */
  final @Nullable Chunk take(long words) {
    Chunk.Size size = sizes.holding(words);
    boolean humongous = size == Chunk.Size.HUMONGOUS;
    long chunkWords = humongous ? Words.alignUp(words, humongousUnit()) : sizes.words(size);
    Chunk chunk = takeFree(size, chunkWords);
    if (chunk == null) {
      chunk = cut(size, chunkWords);
    }
    if (chunk != null) {
      handOut(chunk);
    }
    return chunk;
  }

  /** A free small chunk for want of anything better, where the policy has such; else null. */
  @Nullable Chunk takeLastResort(long words) {
    return null;
  }

  /** The arena no longer has the chunk. */
  void giveBack(Chunk chunk) {
    chunk.inUse = false;
    chunk.node.inUse--;
    free.add(chunk);
  }

  /** Outside class space, gives back nodes that nobody uses, but for the one that is cut from. */
  @Override
  public final void purge() {
    if (kind == Space.Kind.NON_CLASS) {
      for (Node node : List.copyOf(nodes.subList(0, nodes.size() - 1))) {
        if (node.inUse == 0) {
          node.chunks().forEach(free::remove);
          nodes.remove(node);
        }
      }
    }
  }

  final List<Node> nodes() {
    return nodes;
  }

  @Override
  public Usage usage() {
    long cut = nodes.stream().mapToLong(node -> node.top).sum();
    return new Usage(
        capacity(),
        nodes.stream().mapToLong(node -> node.committed).sum(),
        cut - free.words,
        usedWords,
        largestFree(),
        free.alignmentMaxWords);
  }

  private long capacity() {
    return nodes.stream().mapToLong(node -> node.words).sum();
  }

  @Override
  public List<NodeMap> map() {
    return nodes.stream().map(Node::map).toList();
  }

  @Override
  public void close() {} // a model: it has nothing of the system

  /** The largest free chunk, or room where none was cut yet. */
  final long largestFree() {
    return Math.max(free.largest(), nodes.getLast().room());
  }

  /** What the size of a humongous chunk is a multiple of. */
  abstract long humongousUnit();

  /** A free chunk of this size, not handed out yet; null if there is none. */
  abstract @Nullable Chunk takeFree(Chunk.Size size, long words);

  /** Cuts a chunk at the top of a node; null if there is not enough room. */
  abstract @Nullable Chunk place(Node node, Chunk.Size size, long words);

  void handOut(Chunk chunk) {
    chunk.handOut(headerWords);
    chunk.node.inUse++;
  }

  private @Nullable Chunk cut(Chunk.Size size, long words) {
    Chunk chunk = place(nodes.getLast(), size, words);
    if (chunk != null || kind == Space.Kind.CLASS) {
      return chunk;
    }
    long more = Math.max(NODE_WORDS, Words.alignUp(words, sizes.medium()));
    if (more > limit - capacity()) {
      return null;
    }
    retire(nodes.getLast());
    addNode(more);
    return place(nodes.getLast(), size, words);
  }

  private void addNode(long words) {
    long commitStep = (long) COMMIT_MEDIUMS * sizes.medium();
    nodes.add(new Node(words, commitStep));
  }

  /** Cuts what is left of a node into free chunks, the largest first. */
  private void retire(Node node) {
    for (Chunk.Size size : List.of(Chunk.Size.MEDIUM, Chunk.Size.SMALL, Chunk.Size.SPECIALIZED)) {
      Chunk chunk = place(node, size, sizes.words(size));
      while (chunk != null) {
        addFree(chunk);
        chunk = place(node, size, sizes.words(size));
      }
    }
  }

  /** A chunk that no arena had enters the free lists. */
  void addFree(Chunk chunk) {
    free.add(chunk);
  }
}
