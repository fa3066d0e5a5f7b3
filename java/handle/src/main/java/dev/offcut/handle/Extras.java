package dev.offcut.handle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What only some handles have, by slot index: an attachment (the family of a child) and the site
 * that opened it. Ordered by the slot's publish and vacate.
 */
final class Extras {
  private static final VarHandle ATTACHMENTS = MethodHandles.arrayElementVarHandle(Object[].class);

  final @Nullable Object @Nullable [] attachments;
  private final @Nullable Site @Nullable [] sites;

  private Extras(int slots, boolean attached, boolean sited) {
    attachments = attached ? new Object[slots] : null;
    sites = sited ? new Site[slots] : null;
  }

  static @Nullable Extras of(int slots, boolean attached, boolean sited) {
    return attached || sited ? new Extras(slots, attached, sited) : null;
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
    }
  }

  void clearSite(int index) {
    if (sites != null) {
      sites[index] = null;
    }
  }

  /** Takes an attachment for the net; one caller gets it, and with it the entry of the record. */
  boolean takeAttachment(int index, @Nullable Object attachment) {
    return attachments != null
        && attachment != null
        && ATTACHMENTS.compareAndSet(attachments, index, attachment, (Object) null);
  }
}
