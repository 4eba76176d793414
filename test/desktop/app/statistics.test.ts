/** What the app keeps for a person's own statistics: of signed reports only, sealed, and without a patient. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HandlersOf } from '../../../desktop/app/service.ts';
import { createStatistics } from '../../../desktop/app/statistics/statistics.ts';
import { createSealing } from '../../../server/storage/sealing/sealing.ts';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { testKey } from '../../support/test-key.ts';

const sealing = createSealing(testKey);
const start = Date.parse('2026-03-02T11:30:00Z');
const exam = { id: 'wli_1', modality: 'CT', exam_datetime: '2026-03-02T08:00:00-03:00' } as WorklistItem;
const record = (id: string, change: Partial<MedicalRecord> = {}): MedicalRecord =>
  ({
    id,
    status: 'draft',
    worklist_item_id: 'wli_1',
    title: 'TC de Canarinho',
    text: 'Canarinho sem alterações.',
    transcript: 'Paciente Canarinho sem alterações',
    ...change,
  }) as MedicalRecord;

async function open(directory: string) {
  const clock = manualClock(start);
  const statistics = await createStatistics({
    directory,
    sealing,
    clock,
    log: () => undefined,
    examOf: (id) => (id === exam.id ? exam : undefined),
  });
  let answer: unknown;
  const noting = statistics.noting(
    Object.fromEntries(
      ['save', 'sign', 'take_back', 'reopen', 'send_back', 'correct', 'correct_spoken'].map((name) => [
        `record.${name}`,
        async () => answer,
      ]),
    ) as unknown as HandlersOf<'record'>,
  );
  const call = async (name: keyof typeof noting, answered: unknown): Promise<void> => {
    answer = answered;
    await (noting[name] as (input: unknown) => Promise<unknown>)({});
  };
  const reports = async () => (await statistics.handlers['statistics.read']({})).reports;
  return { clock, statistics, call, reports };
}
const saved = (change: Partial<MedicalRecord> = {}) => ({ outcome: 'saved', record: record('rec_1', change) });
const signed = { outcome: 'saved', record: record('rec_1', { status: 'final' }) };

describe('own statistics', () => {
  it('count a report when it is signed, with its speech and its corrections, and outlast the app', async () => {
    const directory = await temporaryDirectory();
    const { statistics, call, reports, clock } = await open(directory);
    statistics.made(record('rec_1'), 12.5);
    await call('record.save', saved());
    await call('record.save', { ...saved(), outcome: 'queued' });
    await call('record.save', { ...saved(), outcome: 'conflict' });
    await call('record.correct', { record: record('rec_1'), changes: [{}] });
    await call('record.correct_spoken', { record: record('rec_1'), changes: [] });
    expect(await reports()).toEqual([]);
    clock.advance(60_000);
    await call('record.sign', signed);
    const expected = {
      signed_at: '2026-03-02T11:31:00.000Z',
      exam_at: '2026-03-02T08:00:00-03:00',
      modality: 'CT',
      spoken_seconds: 12.5,
      words: 4,
      corrections: 3,
    };
    await expect.poll(reports).toEqual([expected]);
    // Signed again by a second answer, or changed by an addendum: the report is the same one.
    await call('record.sign', signed);
    await call('record.save', saved({ status: 'final' }));
    await statistics.close();
    expect(await (await open(directory)).reports()).toEqual([expected]);
  });

  it('omit a withdrawn signature, until it is signed again', async () => {
    const { call, reports } = await open(await temporaryDirectory());
    await call('record.sign', { ...signed, record: record('rec_1') });
    await expect.poll(async () => (await reports()).length).toBe(1);
    await call('record.save', saved());
    await expect.poll(reports).toEqual([]);
    await call('record.sign', signed);
    await expect.poll(async () => (await reports()).map(({ corrections }) => corrections)).toEqual([1]);
  });

  it.each(['record.take_back', 'record.reopen'] as const)(
    'do not count a report after %s, changed or not',
    async (call) => {
      const directory = await temporaryDirectory();
      const app = await open(directory);
      await app.call('record.sign', { ...signed, record: record('rec_1', { status: 'preliminary' }) });
      await expect.poll(async () => (await app.reports()).length).toBe(1);
      await app.call(call, { outcome: 'saved', record: record('rec_1') });
      await expect.poll(app.reports).toEqual([]);
      await app.statistics.close();
      expect(await (await open(directory)).reports()).toEqual([]);
    },
  );

  it('count a preliminary report for the resident, from its signature, whoever co-signs it', async () => {
    const { call, reports, clock, statistics } = await open(await temporaryDirectory());
    statistics.made(record('rec_1'), 12.5);
    await call('record.sign', { ...signed, record: record('rec_1', { status: 'preliminary' }) });
    clock.advance(3600_000);
    await call('record.save', saved({ status: 'final' }));
    await expect.poll(reports).toMatchObject([{ signed_at: '2026-03-02T11:30:00.000Z', words: 4, corrections: 0 }]);
  });

  it('count a co-signed report for the attending: their changes are its corrections, and no speech is theirs', async () => {
    const { call, reports, clock } = await open(await temporaryDirectory());
    await call('record.save', saved({ status: 'preliminary' }));
    clock.advance(60_000);
    await call('record.sign', signed);
    await expect
      .poll(reports)
      .toMatchObject([{ signed_at: '2026-03-02T11:31:00.000Z', spoken_seconds: 0, words: 0, corrections: 1 }]);
  });

  it('do not count a report that the attending sends back', async () => {
    const { call, reports } = await open(await temporaryDirectory());
    await call('record.save', saved({ status: 'preliminary' }));
    await call('record.send_back', saved());
    await call('record.sign', { ...signed, record: record('rec_2') });
    await expect.poll(async () => (await reports()).length).toBe(1);
  });

  it('do not grow with each save: the next start writes down how many there were', async () => {
    const directory = await temporaryDirectory();
    const first = await open(directory);
    for (let n = 0; n < 1010; n++) await first.call('record.save', saved());
    await first.call('record.sign', signed);
    await expect.poll(first.reports).toMatchObject([{ corrections: 1010 }]);
    await first.statistics.close();
    const grown = (await readFile(join(directory, 'statistics.log'))).length;
    const second = await open(directory);
    expect(await second.reports()).toMatchObject([{ corrections: 1010 }]);
    await second.statistics.close();
    expect((await readFile(join(directory, 'statistics.log'))).length).toBeLessThan(grown / 100);
    expect(await (await open(directory)).reports()).toMatchObject([{ corrections: 1010 }]);
  });

  it('name no patient, and are encrypted; cleared, nothing of them is left', async () => {
    const directory = await temporaryDirectory();
    const { statistics, call, reports } = await open(directory);
    statistics.made(record('rec_1'), 5);
    await call('record.sign', signed);
    await expect.poll(async () => (await reports()).length).toBe(1);
    expect(JSON.stringify(await reports())).not.toContain('Canarinho');
    const file = join(directory, 'statistics.log');
    const content = await readFile(file, 'utf8');
    expect(content.length).toBeGreaterThan(0);
    expect(content).not.toMatch(/Canarinho|rec_1|signed/);
    await statistics.handlers['statistics.clear']({});
    expect(await reports()).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe('');
    await statistics.close();
    expect(await (await open(directory)).reports()).toEqual([]);
  });
});
