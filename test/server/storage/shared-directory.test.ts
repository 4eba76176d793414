/** Directories that members share: what was written and flushed in one place is in the next one. */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { moveDirectory, removeDirectory } from '../../../desktop/app/dictations/stored-dictation.ts';
import { createMemoryStore } from '../../../server/storage/memory/memory-documents.ts';
import { openSharedDirectory } from '../../../server/storage/shared-directory.ts';
import type { Store } from '../../../server/storage/store.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { openDurableFile } from '../../../src/node/files/durable-file.ts';
import { removePrivateFile, writePrivateFile } from '../../../src/node/files/private-file.ts';
import { startOfTests } from '../../support/api.ts';
import {
  assert,
  asyncProperty,
  constantFrom,
  integer,
  oneof,
  record,
  array,
  constant,
} from '../../support/properties.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

async function contentOf(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = files.map(async (file) => [
    relative(directory, file).replaceAll(sep, '/'),
    (await readFile(file)).toString('latin1'),
  ]);
  return Object.fromEntries(await Promise.all(read)) as Record<string, string>;
}

/** A store that fails when told to, before or after the commit. */
function unsteady(store: Store) {
  let fails: 'before' | 'after' | undefined;
  const transact: Store['transact'] = async (work, actor) => {
    const how = fails;
    fails = undefined;
    if (how === 'before') throw new AppError('STORAGE_UNAVAILABLE');
    const result = await store.transact(work, actor);
    if (how === 'after') throw new AppError('STORAGE_UNAVAILABLE');
    return result;
  };
  return { store: { ...store, transact }, fail: (how: 'before' | 'after') => void (fails = how) };
}

async function share(kept = createMemoryStore({ clock: manualClock(Date.parse(startOfTests)) })) {
  const path = await temporaryDirectory();
  const { store, fail } = unsteady(kept);
  const clock = manualClock(Date.parse(startOfTests));
  const logged: string[] = [];
  const isKept = (name: string) => !name.startsWith('copies/');
  const shared = await openSharedDirectory('desk', {
    store,
    clock,
    log: ({ event }) => void logged.push(event),
    path,
    isKept,
  });
  return { ...shared, kept, path, fail, clock, logged };
}

const folders = ['a', 'b', 'a/c', 'copies'];
const names = ['one', 'two'];
const file = { folder: constantFrom(...folders), name: constantFrom(...names) };
const bytes = oneof({ weight: 5, arbitrary: integer({ min: 0, max: 2000 }) }, constant(500_000));
const step = oneof(
  record({ do: constant('write' as const), ...file, bytes }),
  record({ do: constant('append' as const), ...file, bytes }),
  record({ do: constant('shorten' as const), ...file, bytes: integer({ min: 0, max: 100 }) }),
  record({ do: constant('remove' as const), ...file }),
  record({ do: constant('move' as const), folder: constantFrom('a', 'b'), to: constantFrom('a', 'b', 'd') }),
  record({ do: constant('clear' as const), folder: constantFrom(...folders) }),
  record({
    do: constant('flush' as const),
    fails: constantFrom(undefined, undefined, 'before' as const, 'after' as const),
  }),
);

test('whatever is written, appended, moved and removed is there in the next place, also after failures', async () => {
  await assert(
    asyncProperty(array(step, { maxLength: 25 }), integer(), async (steps, salt) => {
      const one = await share();
      let n = salt;
      const fill = (count: number) => Buffer.alloc(count, (n = (n + 1) & 0xff));
      for (const each of steps) {
        const folder = 'folder' in each ? join(one.path, each.folder) : one.path;
        const path = 'name' in each ? join(folder, each.name) : folder;
        if (each.do === 'write') await writePrivateFile(path, fill(each.bytes));
        else if (each.do === 'append' || each.do === 'shorten') {
          await mkdir(folder, { recursive: true });
          const opened = await openDurableFile(
            path,
            each.do === 'shorten' ? { size: (n) => Math.min(n, each.bytes) } : {},
          );
          if (each.do === 'append') await opened.append(fill(each.bytes));
          await opened.close();
        } else if (each.do === 'remove') await removePrivateFile(path);
        else if (each.do === 'move') {
          const to = join(one.path, each.to);
          const moves = each.folder !== each.to && (await readdir(folder).catch(() => undefined)) !== undefined;
          if (moves) await removeDirectory(to).then(() => moveDirectory(folder, to));
        } else if (each.do === 'clear') await removeDirectory(folder);
        else if (each.fails) {
          one.fail(each.fails);
          await one.flush().catch(() => undefined);
        } else await one.flush().catch(() => undefined);
      }
      await one.flush().catch(() => one.flush());
      await one.close();
      const two = await share(one.kept);
      const expected = Object.entries(await contentOf(one.path)).filter(([path]) => !path.startsWith('copies/'));
      expect(await contentOf(two.path)).toEqual(Object.fromEntries(expected));
      const lengths = Object.values(Object.fromEntries(expected)).map((text) => Math.ceil(text.length / (192 * 1024)));
      await two.close();
      // Nothing that no file needs is left behind.
      const pieces = await one.kept.count('shared_pieces');
      expect(pieces).toBeLessThanOrEqual(lengths.reduce((sum, count) => sum + count, 0) + steps.length * 3);
      expect(await one.kept.count('shared_files')).toBe(expected.length);
    }),
    { numRuns: 25 },
  );
});

test('nobody waits for it: it is stored soon after it was written, and tried again after a failure', async () => {
  const one = await share();
  await writePrivateFile(join(one.path, 'typed/words.json'), '"cor normal"');
  one.fail('before');
  one.clock.advance(100);
  await eventually(async () => expect(one.logged).toEqual(['desk_not_stored']));
  expect(await one.kept.count('shared_files')).toBe(0);
  one.clock.advance(1000);
  await eventually(async () => expect(await one.kept.count('shared_files')).toBe(1));
});

test('a flush waits for what was written while another one was under way', async () => {
  const one = await share();
  await writePrivateFile(join(one.path, 'first'), '1');
  const first = one.flush();
  await writePrivateFile(join(one.path, 'second'), '2');
  await Promise.all([first, one.flush()]);
  await one.close();
  expect(await contentOf((await share(one.kept)).path)).toEqual({ first: '1', second: '2' });
});
