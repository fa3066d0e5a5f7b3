// What a program opened between two marks and still holds: two of its reports, one less the other. Plain functions, no page needed.

import { isNative, ownFrame } from "./text.js";

/**
 * How much of what is held was opened in between, [least, most]. What is held more is new; what was opened before and ended in
 * between may have made room for as much again.
 */
function range(before, now, opened) {
  const least = Math.max(0, now - before);
  return [least, Math.max(least, Math.min(now, opened))];
}

const held = (row) => row.bytes + row.lostBytes;
const there = (row) => row.open + row.lost;
const NONE = { opened: 0, closed: 0, collected: 0, lost: 0, open: 0, bytes: 0, openedBytes: 0, lostBytes: 0 };

/** By kind, the largest first: [{kind, opened, ended, count, bytes}], the last two as [least, most]; bytes are null where there are none. */
export function retainedKinds(first, second) {
  const before = new Map((first.kinds ?? []).map((kind) => [kind.kind, kind]));
  return (second.kinds ?? [])
    .map((now) => {
      const was = before.get(now.kind) ?? NONE;
      const opened = now.opened - was.opened;
      return {
        kind: now.kind,
        opened,
        ended: now.closed + now.collected - was.closed - was.collected,
        count: range(there(was), there(now), opened),
        bytes: now.openedBytes > 0 ? range(held(was), held(now), now.openedBytes - was.openedBytes) : null,
      };
    })
    .filter((kind) => kind.count[1] > 0)
    .sort((a, b) => (b.bytes?.[0] ?? 0) - (a.bytes?.[0] ?? 0) || b.count[0] - a.count[0]);
}

/** Call sites that hold more, the most first: those of the second report, with `grown` bytes and `more` of them. */
export function retainedSites(first, second) {
  const key = (site) => site.kind + "\n" + (isNative(site) ? site.frames.join("\n") : ownFrame(site));
  const before = new Map((first.sites ?? []).map((site) => [key(site), site]));
  return (second.sites ?? [])
    .map((site) => {
      const was = before.get(key(site)) ?? NONE;
      return { ...site, grown: held(site) - held(was), more: there(site) - there(was) };
    })
    .filter((site) => site.grown > 0 || (site.more > 0 && held(site) === 0))
    .sort((a, b) => b.grown - a.grown || b.more - a.more);
}

/** Parts of resident memory that changed, what rose most first: [{part, bytes, change}]. */
export function changedParts(first, second) {
  const before = new Map((first.memory?.parts ?? []).map((part) => [part.part, part.bytes]));
  const now = (second.memory?.parts ?? []).map((part) => ({ ...part, change: part.bytes - (before.get(part.part) ?? 0) }));
  const named = new Set(now.map((part) => part.part));
  const gone = [...before].filter(([part]) => !named.has(part)).map(([part, bytes]) => ({ part, bytes: 0, change: -bytes }));
  return [...now, ...gone].filter((part) => part.change !== 0).sort((a, b) => b.change - a.change);
}
