/** Work in threads, with real exports: whose turn it is, how long it may take, and that it ends when nobody waits. */
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../../../src/reporting/report-head.ts';
import { exportDocument } from '../../../../server/delivery/formats/export-document.ts';
import { createWorkers } from '../../../../server/runtime/workers/workers.ts';
import type { WorkersOptions } from '../../../../server/runtime/workers/workers.ts';
import { longestTurn } from '../../../support/longest-turn.ts';

const reportOf = (text: string): Report => ({
  record: {
    id: 'rec_1',
    version: 1,
    status: 'draft',
    title: 'Report',
    template_id: 'test_template_general',
    language: 'en-US',
    sections: [{ key: 'findings', title: 'Findings', text }],
    text: '',
    transcript: null,
    source: { kind: 'text' },
    worklist_item_id: null,
    job_id: null,
    test_mode: true,
    metadata: {},
    created_at: '2026-03-02T11:00:00.000Z',
    updated_at: '2026-03-02T11:00:00.000Z',
  },
  item: null,
  signature: null,
});

const short = reportOf('Lungs are clear.');
/** About half a second. */
const long = reportOf('x'.repeat(80_000));

function started(options?: WorkersOptions) {
  const workers = createWorkers(options);
  onTestFinished(() => workers.close());
  return (client: string, report: Report, signal = new AbortController().signal) =>
    workers.run(exportDocument, { format: 'pdf', report }, { client, signal });
}

const busy = (message: RegExp) => ({ code: 'SERVER_BUSY', message: expect.stringMatching(message) });

test('the thread of everybody else goes on: hardly any of the work is its own', async () => {
  const run = started();
  const all = process.cpuUsage();
  const { longest, total, result } = await longestTurn(() => run('a', long));
  const { user, system } = process.cpuUsage(all);
  expect(Buffer.from(result!).subarray(0, 5).toString()).toBe('%PDF-');
  // The loop itself spins here, to measure; a turn of it is what counts.
  expect(longest).toBeLessThan(0.1 * ((user + system) / 1000 - total));
});

test('a client with many or long tasks leaves a thread to the others', async () => {
  const run = started({ threads: 2 });
  const ended: string[] = [];
  const note = (name: string) => () => void ended.push(name);
  const works = ['a1', 'a2', 'a3'].map((name) => run('a', long).then(note(name)));
  for (const name of ['b1', 'b2', 'b3']) works.push(run('b', short).then(note(name)));
  await Promise.all(works);
  expect(ended.indexOf('b3')).toBeLessThan(ended.indexOf('a2'));
  expect(ended.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
});

test('the waiting tasks of one client are bounded', async () => {
  const run = started({ threads: 1, waiting: 2 });
  const first = [run('a', short), run('a', short), run('a', short)];
  await expect(run('a', short)).rejects.toMatchObject(busy(/waiting already/));
  await expect(run('b', short)).resolves.toBeDefined();
  await Promise.all(first);
  await expect(run('a', short)).resolves.toBeDefined();
});

test('a task that takes too long is ended, and its thread is free', async () => {
  const run = started({ threads: 1, limitMs: 1 });
  await expect(run('a', long)).rejects.toMatchObject(busy(/longer than 0.001 s/));
});

test('a task that takes too much memory is ended, and the next is done', async () => {
  const run = started({ threads: 1, memoryMiB: 12 });
  await expect(run('a', long)).rejects.toMatchObject(busy(/more memory/));
});

test('a task that nobody waits for is cancelled, whether it runs or waits, and others get its place', async () => {
  const run = started({ threads: 1 });
  const leaving = new AbortController();
  const works = [run('a', long, leaving.signal), run('a', long, leaving.signal), run('b', long, leaving.signal)];
  const after = run('b', short);
  leaving.abort();
  for (const work of works) await expect(work).rejects.toMatchObject(busy(/was aborted/));
  await expect(after).resolves.toBeDefined();
  await expect(run('a', short, leaving.signal)).rejects.toMatchObject(busy(/was aborted/));
});

test('closing breaks off what runs, and refuses what comes', async () => {
  const workers = createWorkers();
  const { signal } = new AbortController();
  const asked = { client: 'a', signal };
  const running = workers.run(exportDocument, { format: 'pdf', report: long }, asked);
  await Promise.all([workers.close(), expect(running).rejects.toMatchObject(busy(/was aborted/))]);
  await expect(workers.run(exportDocument, { format: 'txt', report: short }, asked)).rejects.toMatchObject(
    busy(/was aborted/),
  );
});

test('threads that yield rest between tasks while everybody else is busy', async () => {
  const run = started({ threads: 1, yields: true });
  // Starts the thread, which takes far longer than a task beside a loop that spins.
  await run('a', short);
  let isSpinning = true;
  const spin = (): void => void (isSpinning && setImmediate(spin));
  spin();
  const began = performance.now();
  const ended: number[] = [];
  await Promise.all(['a', 'b'].map((client) => run(client, short).then(() => void ended.push(performance.now()))));
  isSpinning = false;
  const [first, second] = ended as [number, number];
  // The second task waits for as much rest as the first took, at least.
  expect(second - first).toBeGreaterThan(first - began);
});
