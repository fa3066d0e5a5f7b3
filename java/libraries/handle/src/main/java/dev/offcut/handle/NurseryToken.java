package dev.offcut.handle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What every handle of one nursery refers to, through its slot. When it is unreachable the table
 * has been dropped and the last of these handles is gone: what the record still holds was
 * forgotten.
 */
final class NurseryToken {
  /**
   * By slot index: the value to release, encoded as in {@link Handle}; 0 for none. Written plainly
   * by the opener and by whoever empties the slot; read once the token is unreachable, which the
   * collector orders after both.
   */
  final long[] record;

  final @Nullable Extras extras;

  NurseryToken(int slots, @Nullable Extras extras) {
    this.record = new long[slots];
    this.extras = extras;
  }

  /**
   * What only some handles have, by slot index: an attachment (the family of a child) and the site
   * that opened it. Ordered by the slot's publish and vacate.
   */
  static final class Extras {
    private static final VarHandle ATTACHMENTS =
        MethodHandles.arrayElementVarHandle(Object[].class);

    final @Nullable Object @Nullable [] attachments;
    private final @Nullable Site @Nullable [] sites;

    Extras(int slots, boolean attached, boolean sited) {
      attachments = attached ? new Object[slots] : null;
      sites = sited ? new Site[slots] : null;
    }

    @Nullable Object attachment(int index) {
      return attachments == null ? null : attachments[index];
    }

    @Nullable Site site(int index) {
      return sites == null ? null : sites[index];
    }

    boolean isAttaching() {
      return attachments != null;
    }

    void attach(int index, Object attachment) {
      if (attachments != null) {
        attachments[index] = attachment;
      }
    }

    void site(int index, Site site) {
      if (sites != null) {
        sites[index] = site;
        site.noteOpened();
      }
    }

    void clear(int index) {
      if (sites != null) {
        sites[index] = null;
      }
      if (attachments != null) {
        attachments[index] = null;
      }
    }

    /** Takes an attachment for the net; one caller gets it, and with it the entry of the record. */
    boolean takeAttachment(int index, @Nullable Object attachment) {
      return attachments != null
          && attachment != null
          && ATTACHMENTS.compareAndSet(attachments, index, attachment, (Object) null);
    }
  }
}
