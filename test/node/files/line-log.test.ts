import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSealing } from '../../../server/storage/sealing/sealing.ts';
import { openLineLog } from '../../../src/node/files/line-log.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { testKey } from '../../support/test-key.ts';

const sealing = createSealing(testKey);
const entries = [{ patient: 'Test Patient' }, { text: 'uma\nlinha' }, { n: 3 }];

async function logOf(path: string, options: Parameters<typeof openLineLog>[1], ...added: unknown[]) {
  const opened = await openLineLog(path, options);
  for (const entry of added) await opened.log.append(entry);
  await opened.log.close();
  return opened;
}

it('keeps its entries encrypted, also where all of them are replaced', async () => {
  const path = join(await temporaryDirectory(), 'changes.log');
  await logOf(path, { sealing }, ...entries);
  expect(await readFile(path, 'utf8')).not.toMatch(/Test Patient|linha/);
  const { entries: found, log, damaged } = await openLineLog(path, { sealing });
  expect({ found, damaged }).toEqual({ found: entries, damaged: false });
  await log.replace(entries.slice(0, 1));
  await log.append({ n: 4 });
  await log.close();
  expect(await readFile(path, 'utf8')).not.toContain('Test Patient');
  expect((await logOf(path, { sealing })).entries).toEqual([entries[0], { n: 4 }]);
});

it('encrypts what was plain, and goes on after it', async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, 'changes.log');
  await logOf(path, {}, ...entries.slice(0, 2));
  expect((await logOf(path, { sealing }, entries[2])).entries).toEqual(entries.slice(0, 2));
  expect(await readFile(path, 'utf8')).not.toContain('Test Patient');
  expect(await readdir(directory)).toEqual(['changes.log']);
  expect((await logOf(path, { sealing })).entries).toEqual(entries);
});

it('leaves out a line that was changed, says so, and keeps the file as it was', async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, 'changes.log');
  await logOf(path, { sealing }, ...entries);
  const lines = (await readFile(path, 'utf8')).split('\n');
  // Another list's line, whose own checksum is right.
  const other = join(directory, 'edits.log');
  await logOf(other, { sealing }, entries[1]);
  const foreign = (await readFile(other, 'utf8')).trimEnd();
  await writeFile(path, [lines[0], foreign, ...lines.slice(2)].join('\n'));
  const { entries: found, damaged } = await logOf(path, { sealing });
  expect({ found, damaged }).toEqual({ found: [entries[0], entries[2]], damaged: true });
  expect((await readdir(directory)).filter((name) => name.endsWith('.damaged'))).toHaveLength(1);
});
