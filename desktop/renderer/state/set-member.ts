import type { Signal } from '@preact/signals';

/** Puts a member into the set of a signal, or takes it out. Who follows the signal hears of a difference alone. */
export function setMember<T>(members: Signal<ReadonlySet<T>>, member: T, isThere: boolean): void {
  if (members.peek().has(member) === isThere) return;
  const next = new Set(members.peek());
  if (isThere) next.add(member);
  else next.delete(member);
  members.value = next;
}
