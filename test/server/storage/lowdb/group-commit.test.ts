/** Which commits are written together: nobody waits for company that does not come, and whoever comes together shares a write. */
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGroupCommit } from '../../../../server/storage/lowdb/group-commit.ts';
import type { Change } from '../../../../server/storage/transactions/tables.ts';

const change = (id: string): Change => ({ collection: 'items', id, document: undefined, packed: undefined });

/** A log whose disk takes as long as the test says. */
function logging() {
  const written: string[][] = [];
  let last = Promise.withResolvers<void>();
  const log = createGroupCommit({
    write(commits) {
      written.push(commits.flat().map(({ id }) => id));
      last = Promise.withResolvers();
      return last.promise;
    },
    replace: async () => {},
    compact: async () => {},
    probe: async () => {},
    undo: () => {},
  });
  const commit = (id: string): Promise<void> => log.append([change(id)], [undefined]);
  return { written, commit, finish: () => last.resolve(), fail: () => last.reject(new Error('EIO')) };
}

test('a commit that comes alone is written at once', async () => {
  const { written, commit, finish } = logging();
  for (const id of ['a', 'b', 'c']) {
    const durable = commit(id);
    expect(written.at(-1)).toEqual([id]);
    finish();
    await durable;
    await turnOfTheLoop();
  }
});

test('commits that come while the disk works, or in one turn of the loop, are written together', async () => {
  const { written, commit, finish } = logging();
  const first = commit('a');
  const second = [commit('b'), commit('c')];
  finish();
  await first;
  // What the loop reads in this turn comes as well.
  const third = commit('d');
  await turnOfTheLoop();
  finish();
  await Promise.all([...second, third]);
  expect(written).toEqual([['a'], ['b', 'c', 'd']]);
});

test('after commits that came together the next ones wait for each other, until one came alone', async () => {
  const { written, commit, finish } = logging();
  for (const ids of ['abc', 'de', 'f']) {
    let areDurable = false;
    void Promise.all(Array.from(ids, commit)).then(() => (areDurable = true));
    while (!areDurable) {
      finish();
      await turnOfTheLoop();
    }
    await turnOfTheLoop();
  }
  expect(written).toEqual([['a'], ['b', 'c'], ['d', 'e'], ['f']]);
  void commit('g');
  expect(written.at(-1)).toEqual(['g']);
});

test('a commit after one that was refused is written', async () => {
  const { written, commit, finish, fail } = logging();
  const refused = [commit('a'), commit('b')];
  fail();
  for (const each of refused) await expect(each).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  const next = commit('c');
  await turnOfTheLoop();
  finish();
  await next;
  expect(written).toEqual([['a'], ['c']]);
});
