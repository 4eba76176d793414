/** The daily scrub: when it runs by the clock, and whom it tells. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { startApi, succeeded } from '../../../support/api.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const { metrics, status } = contract.system.endpoints;
const minute = 60 * 1000;

test('a fault of the disk is in the log, the status and the metrics, and fresh files are written', async () => {
  const dataDir = await temporaryDirectory();
  const api = await startApi({ isPrompt: true, dataDir }, onTestFinished);
  const scrubbed = async () => succeeded(await api.call(status)).scrub;
  const measured = async () => (await api.call(metrics)).text;
  await api.exam();
  expect(await scrubbed()).toEqual({ completed_at: null, faults: 0 });

  api.clock.advance(15 * minute);
  await expect.poll(async () => (await scrubbed())?.completed_at).not.toBeNull();
  expect(await scrubbed()).toEqual({ completed_at: new Date(api.clock.now()).toISOString(), faults: 0 });
  expect(await measured()).toContain(`laudio_store_scrub_completed_timestamp_seconds ${api.clock.now() / 1000}\n`);

  const journal = (await readdir(dataDir)).findLast((name) => /^journal-.*\.laudio$/.test(name))!;
  const bytes = await readFile(join(dataDir, journal));
  bytes[8192 + 20]! ^= 1;
  await writeFile(join(dataDir, journal), bytes);
  api.clock.advance(24 * 60 * minute);
  await expect.poll(async () => (await scrubbed())?.faults).toBe(1);
  expect(api.logged.filter(({ event }) => event === 'scrub_fault')).toEqual([
    { level: 'error', event: 'scrub_fault', file: journal, offset: 8192, what: 'it was changed' },
  ]);
  expect(await measured()).toMatch(/^laudio_store_scrub_faults 1$/m);
  await expect.poll(() => readdir(dataDir)).not.toContain(journal);

  const again = async () => {
    api.clock.advance(60 * minute);
    return (await scrubbed())?.faults;
  };
  await expect.poll(again).toBe(0);
  expect(await measured()).toMatch(/^laudio_store_scrub_faults_total 1$/m);
});
