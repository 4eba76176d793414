import { open as openFile, readFile, stat, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Batch } from '../../../src/sending/batches.ts';
import type { Entry } from '../../../src/sending/entries.ts';
import { journalPath, openJournal } from '../../../cli/sending/replay-journal.ts';
import type { JournalOptions } from '../../../cli/sending/replay-journal.ts';
import type { EntryResult } from '../../../src/sending/outcomes.ts';
import { waitingClock } from '../../../src/node/clock.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

async function start() {
  const directory = await temporaryDirectory();
  const file = join(directory, 'day.ndjson');
  await writeFile(file, 'x\n');
  const notices: string[] = [];
  const open = (options: Partial<JournalOptions> = {}) =>
    openJournal({
      files: [file],
      clock: waitingClock,
      stateDirectory: join(directory, 'state'),
      server: 'http://127.0.0.1:1',
      resume: false,
      plan: (earlier) => earlier ?? { batch: 2 },
      onNotice: (words) => notices.push(words),
      ...options,
    });
  return { file, path: journalPath(file), notices, open };
}

const item = (index: number): Entry => ({
  kind: 'item',
  file: 'day.ndjson',
  position: { line: index + 1 },
  index,
  accession: `A-${index}`,
  study: null,
  warnings: undefined,
  sent: { format: 'ndjson' },
  order: undefined,
});
const batch = (number: number, body = `[${number}]`): Batch => {
  const entries = [item(0), item(1), item(2)];
  return { number, entries, items: entries as Batch['items'], body: Buffer.from(body), begins: Number.NaN };
};
const refusal = {
  outcome: 'refused',
  code: 'INVALID_MODALITY',
  field: 'modality',
  message: 'modality must be …',
} as const;
const done: EntryResult[] = [
  { entry: item(0), outcome: { outcome: 'inserted', id: 'wli_1' } },
  { entry: item(1), outcome: refusal },
  { entry: item(2), outcome: { outcome: 'deduped' } },
];
const status = { index: 0, outcome: 'refused', message: 'no' } as const;

describe('a journal', () => {
  it('remembers the answers, and the prefix of the keys', async () => {
    const { open, path } = await start();
    const { journal: first } = await open();
    await first.record(batch(2), done, [status]);
    await first.close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).not.toMatch(/A-0|wli_1/);
    const { journal, plan } = await open({ resume: true });
    expect(plan).toEqual({ batch: 2 });
    expect(journal).toMatchObject({ run: first.run, isResumed: true });
    expect(journal.recall(batch(1))).toBeUndefined();
    expect(journal.recall(batch(2))).toMatchObject({
      outcomes: [{ outcome: 'inserted' }, refusal, { outcome: 'deduped' }],
      statuses: [status],
    });
    await journal.remove();
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('of other content is refused', async () => {
    const { open } = await start();
    const { journal } = await open();
    await journal.record(batch(1), done, []);
    expect(journal.isResumed).toBe(false);
    await journal.close();
    const { journal: again } = await open({ resume: true });
    expect(() => again.recall(batch(1, '[other]'))).toThrow('was changed since');
    await again.close();
  });

  it('starts over without --resume, with new keys and a notice', async () => {
    const { open, notices } = await start();
    const { journal: first } = await open();
    await first.record(batch(1), done, []);
    await first.close();
    const { journal } = await open();
    expect(journal.recall(batch(1))).toBeUndefined();
    expect(journal.run).not.toBe(first.run);
    expect(notices).toEqual([expect.stringContaining('starts again')]);
    await journal.close();
  });

  it.each([
    ['another server', { server: 'http://127.0.0.1:2' }, 'went to http://127.0.0.1:1'],
    ['a plan that does not go with it', { plan: () => Promise.reject(new Error('no')) as never }, undefined],
  ])('does not go on at %s', async (_, options, said) => {
    const { open } = await start();
    await (await open()).journal.close();
    if (said !== undefined) await expect(open({ resume: true, ...options })).rejects.toThrow(said);
    // The lock was given back.
    const { journal } = await open({ resume: true });
    await journal.close();
  });

  it.each(['not a journal\n', '7 00000000 {"a":1}\n'])(
    'that cannot be read is not gone on with: %j',
    async (content) => {
      const { open, path } = await start();
      const { journal } = await open();
      await journal.record(batch(1), done, []);
      await journal.close();
      const kept = await readFile(path, 'utf8');
      await writeFile(path, content + kept);
      await expect(open({ resume: true })).rejects.toMatchObject({
        code: 'CONFIGURATION',
        hint: expect.stringContaining('Start again'),
      });
    },
  );

  it('has one writer', async () => {
    const { open, file } = await start();
    const { journal } = await open();
    await expect(open({ resume: true })).rejects.toMatchObject({
      code: 'REQUEST_IN_PROGRESS',
      message: `${file} is being replayed by another process.`,
    });
    await journal.close();
  });

  it('on a full disk is refused before anything is sent, and the lock is released', async () => {
    const { open } = await start();
    const full = async (path: string, flags: string | number, mode?: number): Promise<FileHandle> => {
      const handle = await openFile(path, flags, mode);
      handle.write = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
      return handle;
    };
    await expect(open({ open: full })).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: 'The disk of this computer is full.',
    });
    await (await open()).journal.close();
  });
});
