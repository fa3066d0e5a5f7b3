package acme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.handle.Detection;
import dev.offcut.handle.HandleScope;
import dev.offcut.handle.Handles;
import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.ClosedOwnerException;
import dev.offcut.memory.MemoryInUseException;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import dev.offcut.memory.PoolArena;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a test is told of the pools, owners and arenas that it opened. In a package of its own, as
 * programs are: the library's frames are left out.
 */
class OwnerScopeTest {

  private final HandleScope scope = new HandleScope();
  private final Thread tests = Thread.currentThread();

  @BeforeEach
  void begin() {
    Handles.detection(Detection.FULL);
    HandleScope.findBy(stack -> Thread.currentThread() == tests ? scope : null, "");
  }

  @AfterEach
  void end() {
    HandleScope.findBy(null, "");
    Handles.detection(Detection.COUNT);
  }

  private List<String> left() {
    return scope.left().stream()
        .map(left -> left.open() + " " + left.type() + " " + left.site().get(0).getMethodName())
        .sorted()
        .toList();
  }

  @Test
  void owner_isLeftUntilItIsClosed() {
    MemoryPool pool = MemoryPool.named("scope").create();
    assertThat(left()).containsExactly("1 pool owner_isLeftUntilItIsClosed");

    Owner owner = pool.owner().child("one").create();
    assertThat(left())
        .containsExactly(
            "1 owner owner_isLeftUntilItIsClosed", "1 pool owner_isLeftUntilItIsClosed");

    owner.close();
    owner.close();
    assertThat(left()).containsExactly("1 pool owner_isLeftUntilItIsClosed");

    pool.close();
    assertThat(left()).isEmpty();
  }

  @Test
  void ownersBelow_endWithTheirParentAndWithThePool() {
    MemoryPool pool = MemoryPool.named("scope").create();
    Owner parent = pool.owner().child("parent").create();
    Owner below = parent.child("below").create();
    assertThat(left()).hasSize(3);

    parent.close();
    assertThat(left()).hasSize(1);
    assertThatThrownBy(below.child("late")::create).isInstanceOf(ClosedOwnerException.class);
    assertThat(left()).hasSize(1);

    pool.owner().child("other").create();
    assertThat(left()).hasSize(2);
    pool.close();
    assertThat(left()).isEmpty();
  }

  @Test
  void ownerInUse_staysLeft() {
    try (MemoryPool pool = MemoryPool.named("scope").create()) {
      Owner owner = pool.owner().child("busy").create();
      long chunk = owner.allocateChunk(1 << 10);

      assertThatThrownBy(owner::close).isInstanceOf(MemoryInUseException.class);
      assertThat(left()).contains("1 owner ownerInUse_staysLeft");

      pool.freeChunk(chunk);
      owner.close();
      assertThat(left()).hasSize(1);
    }
  }

  @Test
  void arenaAndHeap_areLeftWithTheLineOfTheProgram() {
    try (MemoryPool pool = MemoryPool.named("scope").create()) {
      PoolArena arena = pool.owner().openArena();
      arena.allocate(64, 8);
      BlockHeap heap = pool.owner().openHeap();
      assertThat(left())
          .contains(
              "1 PoolArena arenaAndHeap_areLeftWithTheLineOfTheProgram",
              "1 block heap arenaAndHeap_areLeftWithTheLineOfTheProgram");

      arena.close();
      heap.close();
      assertThat(left()).hasSize(1);
    }
  }
}
