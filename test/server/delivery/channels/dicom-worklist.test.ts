/** dicom-worklist against worklist providers that others made. */
import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createCalendar } from '../../../../server/delivery/channels/kinds/dicom/days.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { contract } from '../../../../src/contract/index.ts';
import { startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { startOrthanc, startWlmscpfs } from '../../../support/dicom-peers.ts';
import type { WorklistProvider } from '../../../support/dicom-peers.ts';
import { eventually } from '../../../support/eventually.ts';
import { controlledStore } from '../../http/controlled-store.ts';

const { channels, worklists } = contract;
let api: Api;
const storage = controlledStore();
beforeAll(async () => void (api = await startApi({ store: storage.between })));

interface Step {
  readonly accession: string;
  readonly day?: string;
  readonly modality?: string;
  readonly description?: string;
  readonly step?: string;
  readonly name?: string;
  /** A RIS that has no other number yet: `accession` is that of the placer alone. */
  readonly isPlacers?: boolean;
}

/** Lays a worklist file, as a RIS does. */
async function lay(
  { folder }: WorklistProvider,
  {
    accession,
    day = '20260302',
    modality = 'CT',
    description = 'TC do tórax',
    step = '1',
    name = 'Test^Patient',
    isPlacers = false,
  }: Step,
): Promise<string> {
  const file = join(folder, `${accession}-${step}.wl`);
  const dump = `(0008,0005) CS [ISO_IR 192]
(0008,0050) SH ${isPlacers ? '' : `[${accession}]`}
(0008,0090) PN [Prado^Helena]
(0010,0010) PN [${name}]
(0010,0020) LO [P-1]
(0010,0030) DA [19710614]
(0010,0040) CS [F]
(0020,000d) UI ${isPlacers ? '' : `[1.2.826.0.1.3680043.8.498.${accession.replace(/\D/g, '')}]`}
(0032,1060) LO [${description}]
(0040,0100) SQ
(fffe,e000) -
(0008,0060) CS [${modality}]
(0040,0001) AE [${modality}1]
(0040,0002) DA [${day}]
(0040,0003) TM [0830]
(0040,0007) LO [${description} ${step}]
(0040,0009) SH [${step}]
(fffe,e00d) -
(fffe,e0dd) -
(0040,1001) SH [${accession}]
(0040,2016) LO [${accession}]
`;
  await writeFile(`${file}.dump`, dump);
  execFileSync('dump2dcm', ['-q', '-g', `${file}.dump`, file]);
  await rm(`${file}.dump`);
  return file;
}

/** Short: the token of the tests must outlast all rounds of a slow provider. */
const interval_seconds = 5;

let count = 0;
async function channelTo(provider: WorklistProvider, settings: Record<string, unknown> = {}) {
  const name = `worklist-${++count}`;
  const { host, port, title } = provider;
  const body = {
    name,
    kind: 'dicom-worklist',
    space: 'test_tc_local',
    settings: { host, port, called_title: title, time_zone: 'America/Sao_Paulo', interval_seconds, ...settings },
  };
  succeeded(await api.call(channels.endpoints.add, { body }), 201);
  const params = { channel: name };
  const exams = async () =>
    succeeded(await api.call(worklists.endpoints.list, { query: { source_system: name, limit: 100 } })).items;
  return {
    params,
    exams,
    queue: async () => succeeded(await api.call(channels.endpoints.queue, { params })).items,
    state: async () => succeeded(await api.call(channels.endpoints.get, { params })).state,
    works: async () => succeeded(await api.call(channels.endpoints.test, { params })),
    /** The next round, and what it has to bring about. */
    after: (holds: () => Promise<void>) =>
      eventually(async () => {
        api.clock.advance(interval_seconds * 1000);
        await holds();
      }),
  };
}

describe('dcmtk’s provider', () => {
  test('is asked again and again: exams come, change, are passed over, and go only where the channel says so', async () => {
    const provider = await startWlmscpfs();
    await lay(provider, { accession: 'W-1' });
    const other = await lay(provider, { accession: 'W-2', modality: 'MR' });
    await lay(provider, { accession: 'W-3', day: '20270302' });
    const channel = await channelTo(provider, { cancel_missing: true });
    await channel.after(async () => expect(await channel.exams()).toHaveLength(2));
    expect((await channel.exams()).find((exam) => exam.accession_number === 'W-1')).toMatchObject({
      patient_name: 'Test^Patient',
      patient_birth_date: '1971-06-14',
      modality: 'CT',
      exam_datetime: '2026-03-02T08:30:00-03:00',
      exam_description: 'TC do tórax',
      referring_physician: 'Prado^Helena',
      version: 1,
    });
    expect(await channel.works()).toEqual({ works: true, message: 'OFFIS answers.' });
    await lay(provider, { accession: 'W-1', description: 'TC do abdome' });
    await rm(other);
    await channel.after(async () =>
      expect(
        (await channel.exams()).map(({ accession_number, exam_description, status }) => [
          accession_number,
          exam_description,
          status,
        ]),
      ).toEqual(
        expect.arrayContaining([
          ['W-1', 'TC do abdome', 'new'],
          ['W-2', 'TC do tórax', 'cancelled'],
        ]),
      ),
    );
    await lay(provider, { accession: 'W-2', modality: 'MR' });
    await channel.after(async () =>
      expect((await channel.exams()).map(({ status }) => status)).toEqual(['new', 'new']),
    );
    expect((await channel.exams()).map(({ version }) => version).toSorted()).toEqual([2, 3]);
    // What was taken is known by its exams: nothing grows with the rounds.
    expect(await channel.queue()).toEqual([]);
  });

  test('several steps of an order are one exam, which stays as it is; a refused one is reported once, until it is corrected', async () => {
    const provider = await startWlmscpfs();
    for (const step of ['1', '2', '3']) await lay(provider, { accession: 'W-4', step });
    await lay(provider, { accession: 'W-5', modality: 'QQ' });
    const channel = await channelTo(provider);
    await channel.after(async () => expect(await channel.queue()).toHaveLength(1));
    for (let round = 0; round < 3; round++) {
      api.clock.advance(interval_seconds * 1000);
      await channel.works();
    }
    expect(await channel.exams()).toMatchObject([{ accession_number: 'W-4', version: 1 }]);
    expect(await channel.queue()).toMatchObject([{ state: 'refused', error: { code: 'INVALID_MODALITY' } }]);
    await lay(provider, { accession: 'W-5', modality: 'US' });
    await channel.after(async () => expect(await channel.exams()).toHaveLength(2));
    expect(await channel.queue()).toMatchObject([{ state: 'taken', error: null }]);
    // Another step stands for the exam once the first one is gone.
    await Promise.all(['1', '2', '3'].map((step) => rm(join(provider.folder, `W-4-${step}.wl`))));
    await lay(provider, { accession: 'W-4', step: '4', description: 'TC do crânio' });
    const descriptions = async () => (await channel.exams()).map(({ exam_description }) => exam_description);
    await channel.after(async () => expect(await descriptions()).toContain('TC do crânio'));
  });

  test('is left alone where nothing can be stored, without a connection that stays, and read again afterwards', async () => {
    const provider = await startWlmscpfs();
    await lay(provider, { accession: 'W-10' });
    const open = new Set<Socket>();
    const between = createServer((from) => {
      const to = connect(provider.port, provider.host);
      open.add(from);
      for (const [one, other] of [[from, to] as const, [to, from] as const]) {
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
      from.on('close', () => open.delete(from));
    }).listen(0, '127.0.0.1');
    await once(between, 'listening');
    onTestFinished(() => void between.close());
    const { port } = between.address() as AddressInfo;
    const channel = await channelTo({ ...provider, port });
    await channel.after(async () => expect(await channel.exams()).toHaveLength(1));
    // A round may be under way still.
    storage.fail(new AppError('STORAGE_UNAVAILABLE'));
    await lay(provider, { accession: 'W-11' });
    await channel.after(async () => expect((await channel.state()).error).not.toBeNull());
    await eventually(() => expect(open.size).toBe(0));
    storage.recover();
    await channel.after(async () => expect(await channel.exams()).toHaveLength(2));
  });

  test('an unreachable one is reported, and found again', async () => {
    const provider = await startWlmscpfs();
    const channel = await channelTo({ ...provider, port: 1 });
    await channel.after(async () => expect((await channel.state()).error).toContain('cannot be reached'));
    await lay(provider, { accession: 'W-6' });
    await api.call(channels.endpoints.change, { params: channel.params, body: { settings: { port: provider.port } } });
    await channel.after(async () => expect(await channel.exams()).toHaveLength(1));
    expect((await channel.state()).error).toBeNull();
  });
});

test('Orthanc’s provider is asked by modality', async () => {
  const provider = await startOrthanc();
  await lay(provider, { accession: 'W-7', modality: 'CT' });
  await lay(provider, { accession: 'W-8', modality: 'MR' });
  await lay(provider, { accession: 'W-9', modality: 'US' });
  const placers = { accession: 'P-10', modality: 'MR' };
  await lay(provider, { ...placers, isPlacers: true });
  const channel = await channelTo(provider, { modalities: ['CT', 'MR'], cancel_missing: true });
  const numbers = async () =>
    (await channel.exams()).map((exam) => `${exam.accession_number} ${exam.modality} ${exam.status}`).toSorted();
  await channel.after(async () => expect(await numbers()).toEqual(['P-10 MR new', 'W-7 CT new', 'W-8 MR new']));
  // It is listed under its placer's number, and is not missing.
  await lay(provider, { accession: 'W-71', modality: 'CT' });
  await channel.after(async () =>
    expect(await numbers()).toEqual(['P-10 MR new', 'W-7 CT new', 'W-71 CT new', 'W-8 MR new']),
  );
});

test('days last from midnight to midnight where the provider is', () => {
  const period = createCalendar('America/Sao_Paulo').toPeriod({ from: '20260302', to: '20260303' });
  expect(new Date(period.from).toISOString()).toBe('2026-03-02T03:00:00.000Z');
  expect(new Date(period.to).toISOString()).toBe('2026-03-04T02:59:59.999Z');
  const short = createCalendar('America/New_York').toPeriod({ from: '20260308', to: '20260308' });
  expect(short.to - short.from + 1).toBe(23 * 3600_000);
});
