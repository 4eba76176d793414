/** Finds the other people who changed a report. */
import { effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { RecordVersion } from '../../../../src/contract/record-version.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import type { DocumentSignals } from './report-store.ts';

export interface Authors {
  /** The versions after `since` that are not this person's, newest first; `null`: they can't be read. */
  findOthers(id: string, since: number): Promise<readonly RecordVersion[] | null>;
}

/** `by`: the name of this person. */
export const createAuthors = (bridge: Bridge, by: () => string): Authors => ({
  findOthers: (id, since) =>
    bridge.call('record.versions', { id }).then(
      ({ items }) => items.filter(({ version, who }) => version > since && who !== by()),
      () => null,
    ),
});

/** The author of another change: a person by name, or this person in another window; `null`: unknown. */
export type OtherAuthor = { readonly name: string } | 'self' | null;

/** The last author of a change of the open report that this page did not make: in a conflict, or in merged text. */
export function followOtherAuthor(authors: Authors, { record, theirs, merged }: DocumentSignals) {
  const value = signal<OtherAuthor>(null);
  const find = async (id: string, since: number): Promise<OtherAuthor> => {
    const others = await authors.findOthers(id, since);
    if (others?.length === 0) return 'self';
    const name = others?.[0]?.who;
    return name == null ? null : { name };
  };
  const close = effect(() => {
    const isMerged = merged.value.length > 0;
    const isConflict = theirs.value !== null;
    const present = record.peek();
    if (present === null || (!isConflict && !isMerged)) return;
    void find(present.id, isConflict ? present.version : 0).then((author) => void (value.value = author));
  });
  return { value: value as ReadonlySignal<OtherAuthor>, close };
}
