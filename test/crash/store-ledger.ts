/**
 * What the writers of the crash tests write, and what has to be there afterwards. Every commit takes the next number,
 * and what it changes follows from its writer and its place among that writer's commits alone; so whatever the moment
 * of a crash, what is recovered has to be one exact beginning of the history, commit by commit.
 */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { Documents } from '../../server/storage/collections.ts';
import type { Reader, Store, Transaction } from '../../server/storage/store.ts';
import { storedItem } from '../support/stored-item.ts';
import { chance } from './chance.ts';

/** Of a commit that was made: its number in the history, and which try of all it was. */
export interface Kept {
  readonly number: number;
  readonly attempt: string;
}

/** What a commit leaves of itself for so many commits. */
const remembered = 400;
/** A writer's own documents go after so many of its commits. */
const itemsLast = 6;

const counterId = 'commits';
const commitId = (number: number): string => `commit ${String(number).padStart(9, '0')}`;
const writerId = (writer: number): string => `writer ${writer}`;
const accession = (writer: number, n: number, place: number): string => `${writer}-${n}-${place}`;
const itemId = (writer: number, n: number, place: number): string =>
  `wli_${[writer, n, place].map((part) => String(part).padStart(7, '0')).join('_')}`;

/** From none to two dozen documents, and from a few bytes to some ten thousand. */
const sizeOf = (writer: number, n: number): number => (n < 1 ? 0 : Math.floor(chance('size', writer, n) ** 3 * 24));
const textOf = (writer: number, n: number, place: number): string =>
  'ação '.repeat(chance('text', writer, n, place) ** 8 * 1500);

const itemOf = (writer: number, n: number, place: number, version: number): Documents['items'] =>
  storedItem(itemId(writer, n, place), {
    accession_number: accession(writer, n, place),
    reason: textOf(writer, n, place),
    status: version === 1 ? 'new' : 'in_progress',
    version,
  });

/** The next commit of the writer; settles as the transaction does. */
export function commit(store: Store, writer: number, attempt: string): Promise<Kept> {
  return store.transact(async (tx) => {
    const number = (await count(tx, counterId)) + 1;
    const n = (await count(tx, writerId(writer))) + 1;
    tx.put('settings', { id: counterId, value: number });
    tx.put('settings', { id: writerId(writer), value: n });
    tx.put('settings', { id: commitId(number), value: { writer, n, attempt } });
    tx.remove('settings', commitId(number - remembered));
    for (let place = 0; place < sizeOf(writer, n); place++) tx.put('items', itemOf(writer, n, place, 1));
    if (sizeOf(writer, n - 1) > 0) tx.put('items', itemOf(writer, n - 1, 0, 2));
    for (let place = 0; place < sizeOf(writer, n - itemsLast); place++) {
      tx.remove('items', itemId(writer, n - itemsLast, place));
    }
    return { number, attempt };
  });
}

async function count(reader: Pick<Transaction, 'get'>, id: string): Promise<number> {
  return ((await reader.get('settings', id))?.value as number | undefined) ?? 0;
}

/**
 * Throws unless the store holds one beginning of the history, whole and nothing else. Gives the attempts that it is made
 * of, by their numbers, as far as they are remembered, and its length.
 */
export async function audit(store: Reader, writers: number): Promise<{ length: number; kept: Map<number, string> }> {
  const length = await count(store, counterId);
  const reached = await Promise.all(Array.from({ length: writers }, (_, writer) => count(store, writerId(writer))));
  strictEqual(
    reached.reduce((sum, n) => sum + n, 0),
    length,
    'the commits of all writers together',
  );
  const kept = await auditCommits(store, length, reached);
  const expected = reached.flatMap((last, writer) => itemsAfter(writer, last));
  const items = await store.find('items', {});
  deepStrictEqual(
    items.toReversed(),
    expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    'the documents',
  );
  strictEqual(await store.count('items'), expected.length);
  for (const status of ['new', 'in_progress'] as const) {
    const found = await store.find('items', { is: { space: 'local', status } });
    strictEqual(
      found.length,
      expected.filter((item) => item.status === status).length,
      `found by the status ${status}`,
    );
  }
  for (const { id, accession_number: number } of expected) {
    const found = await store.find('items', { is: { space: 'local', accession: number! } });
    deepStrictEqual(
      found.map((item) => item.id),
      [id],
      'found by the accession number',
    );
  }
  return { length, kept };
}

async function auditCommits(store: Reader, length: number, reached: readonly number[]): Promise<Map<number, string>> {
  const kept = new Map<number, string>();
  const next = [...reached];
  for (let number = length; number > Math.max(0, length - remembered); number--) {
    const found = await store.get('settings', commitId(number));
    ok(found, `commit ${number} of ${length} is missing`);
    const { writer, n, attempt } = found.value as { writer: number; n: number; attempt: string };
    strictEqual(n, next[writer], `commit ${number}, the place among those of writer ${writer}`);
    next[writer]!--;
    kept.set(number, attempt);
  }
  const others = (await store.find('settings', {})).filter(({ id }) => id.startsWith('commit '));
  strictEqual(others.length, kept.size, 'commits in all');
  return kept;
}

function itemsAfter(writer: number, last: number): Documents['items'][] {
  const items: Documents['items'][] = [];
  for (let n = Math.max(1, last - itemsLast + 1); n <= last; n++) {
    for (let place = 0; place < sizeOf(writer, n); place++) {
      items.push(itemOf(writer, n, place, place === 0 && n < last ? 2 : 1));
    }
  }
  return items;
}
