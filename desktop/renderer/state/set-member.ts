import type { Signal } from '@preact/signals';

/** Adds a member to the set of a signal or removes it. The signal changes only if the set does. */
export function setMember<T>(members: Signal<ReadonlySet<T>>, member: T, isThere: boolean): void {
  if (members.peek().has(member) === isThere) return;
  const next = new Set(members.peek());
  if (isThere) next.add(member);
  else next.delete(member);
  members.value = next;
}
