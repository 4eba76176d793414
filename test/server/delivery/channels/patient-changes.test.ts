/** Patients of whom ADT tells: exams that come under an id that a merge gave up, and messages that come later than newer ones. */
import * as fc from '../../../support/properties.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { startApi, startOfTests, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { connectMllp } from '../../../support/mllp.ts';
import type { MllpPeer } from '../../../support/mllp.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const { channels, worklists } = contract;
// It is 11:30 UTC on 2 March.
let api: Api;
let peer: MllpPeer;
const channel = { name: 'ris', kind: 'hl7-in', space: 'test_tc_local', settings: { port: 0 } } as const;
async function listenAt(server: Api): Promise<MllpPeer> {
  const { state } = succeeded(await server.call(channels.endpoints.add, { body: channel }), 201);
  return connectMllp(state.address!);
}
beforeAll(async () => {
  api = await startApi({ timeZone: 'Europe/Berlin' });
  peer = await listenAt(api);
});
afterAll(() => peer.close());

interface Person {
  readonly id: string;
  readonly issuer?: string;
  readonly name?: string;
  readonly born?: string;
}
interface Made {
  /** The minute of MSH-7, in the hour of 10 o’clock. */
  readonly at?: number;
  readonly sender?: string;
}
let count = 0;
const header = (type: string, { at = 0, sender = 'RIS' }: Made): string =>
  `MSH|^~\\&|${sender}|HSL|LAUDIO|HSL|2026030210${String(at).padStart(2, '0')}00||${type}|M${++count}|P|2.5.1`;
const pid = ({ id, issuer = 'HSL', name = 'TESTE^PACIENTE', born = '19800102' }: Person): string =>
  `PID|||${id}^^^${issuer}||${name}||${born}|F`;
const order = (accession: string, person: Person, made: Made & { description?: string; control?: string } = {}) =>
  [
    header('ORM^O01^ORM_O01', made),
    pid(person),
    `ORC|${made.control ?? 'NW'}|P-${accession}|||||^^^20260302093000`,
    `OBR|1|P-${accession}||CT^${made.description ?? 'TC'}${'|'.repeat(14)}${accession}${'|'.repeat(6)}CT`,
    '',
  ].join('\r');
const told = (person: Person, made: Made = {}) => [header('ADT^A08', made), pid(person), ''].join('\r');
const merged = (into: Person, { id, issuer = 'HSL', name = '' }: Person, made: Made = {}) =>
  [header('ADT^A40', made), pid(into), `MRG|${id}^^^${issuer}||||||${name}`, ''].join('\r');

const send = async (...messages: string[]): Promise<string[]> => {
  let warnings: string[] = [];
  for (const message of messages) {
    expect(await peer.ask(message)).toContain('MSA|AA');
    const { items } = succeeded(await api.call(channels.endpoints.queue, { params: { channel: 'ris' } }));
    ({ warnings } = items[0]!);
  }
  return warnings;
};
const examOf = async (accession: string) =>
  succeeded(await api.call(worklists.endpoints.list, { query: { accession_number: accession } })).items[0]!;
const historyOf = async (accession: string) => {
  const { id } = await examOf(accession);
  return succeeded(await api.call(worklists.endpoints.history, { params: { id } })).items;
};
const ingest = async (item: Record<string, unknown>, server = api) =>
  succeeded(
    await server.call(worklists.endpoints.ingest, {
      body: {
        patient_name: 'TESTE^PACIENTE',
        patient_birth_date: '1980-01-02',
        modality: 'CT',
        exam_datetime: '2026-03-02T09:30:00Z',
        exam_description: 'TC',
        ...item,
      },
    }),
  ).items[0]!;

const demo = { name: 'DEMO^PATIENT', born: '19750505' };
const other = { name: 'SAMPLE^PATIENT', born: '19990909' };

test('an order by the placer’s number alone follows its patient, and gets its accession number there', async () => {
  const byPlacer = (id: string, accession: string, at: number) =>
    order('PN', { id }, { at }).replace('|PN|', `|${accession}|`);
  await send(byPlacer('PN-A', '', 1), merged({ id: 'PN-B' }, { id: 'PN-A' }, { at: 2 }), byPlacer('PN-A', 'PN-1', 3));
  const { items } = succeeded(await api.call(worklists.endpoints.list, { query: { q: 'PN-' } }));
  expect(items.map((each) => [each.patient_id, each.accession_number])).toEqual([['PN-B', 'PN-1']]);
});

describe('an id that a merge gave up', () => {
  test('makes a new exam one of the patient who stays, with a warning and history', async () => {
    await send(order('T-1', { id: 'A1' }), merged({ id: 'B1', ...demo }, { id: 'A1' }));
    const warnings = await send(order('T-2', { id: 'A1' }));
    expect(warnings.join()).toContain('is of the patient who stays');
    const exam = await examOf('T-2');
    expect(exam).toMatchObject({
      patient_id: 'B1',
      patient_name: 'DEMO^PATIENT',
      patient_birth_date: '1975-05-05',
      metadata: { patient_id_issuer: 'HSL' },
      version: 1,
    });
    expect((await historyOf('T-2'))[0]).toMatchObject({
      reason: 'The patient’s ids were merged (ADT^A40).',
      changes: expect.arrayContaining([{ field: 'patient_id', before: 'A1', after: 'B1' }]),
    });
    // And goes on to be found by what its sender knows, which cancels it by its own number alone.
    await send(order('T-2', { id: 'A1' }, { at: 1, control: 'XO', description: 'TC 2' }));
    expect(await examOf('T-2')).toMatchObject({ patient_id: 'B1', exam_description: 'TC 2' });
    const cancelling = [header('ORM^O01', { at: 2 }), pid({ id: 'A1' }), 'ORC|CA|P-T-2', ''].join('\r');
    await send(cancelling);
    expect(await examOf('T-2')).toMatchObject({ patient_id: 'B1', status: 'cancelled' });
  });

  test('does so for plain items and for tables, without an issuer too', async () => {
    await send(order('T-3', { id: 'A3' }), merged({ id: 'B3', ...demo }, { id: 'A3' }));
    const outcome = await ingest({ accession_number: 'T-4', patient_id: 'A3' });
    expect(outcome).toMatchObject({ status: 'inserted', warnings: [{ code: 'ASSUMED' }] });
    expect(await examOf('T-4')).toMatchObject({ patient_id: 'B3', patient_name: 'DEMO^PATIENT' });
    // Name and birth date say nothing of whose id it is, and another issuer’s is another patient’s.
    await ingest({ accession_number: 'T-5', patient_id: 'A3', ...plain(other) });
    await ingest({ accession_number: 'T-6', patient_id: 'A3', metadata: { patient_id_issuer: 'OTHER' } });
    expect([(await examOf('T-5')).patient_id, (await examOf('T-6')).patient_id]).toEqual(['A3', 'A3']);
  });

  test('goes on over further merges, to another issuer, and back', async () => {
    await send(
      merged({ id: 'B7', ...demo }, { id: 'A7', name: 'TESTE^PACIENTE' }),
      merged({ id: 'C7', issuer: 'OTHER', ...other }, { id: 'B7' }),
      order('T-7', { id: 'A7' }),
    );
    expect(await examOf('T-7')).toMatchObject({
      patient_id: 'C7',
      patient_name: 'SAMPLE^PATIENT',
      metadata: { patient_id_issuer: 'OTHER' },
    });
    await send(merged({ id: 'A7', ...demo }, { id: 'C7', issuer: 'OTHER' }), order('T-8', { id: 'A7' }));
    await send(order('T-9', { id: 'B7', ...demo }));
    for (const accession of ['T-7', 'T-8', 'T-9']) expect((await examOf(accession)).patient_id).toBe('A7');
  });

  test('may be given to somebody else', async () => {
    await send(order('T-10', { id: 'A10' }), merged({ id: 'B10', ...demo }, { id: 'A10' }));
    const warnings = await send(order('T-11', { id: 'A10', ...other }));
    expect(warnings.join()).toContain('is another person’s now');
    expect(await examOf('T-11')).toMatchObject({ patient_id: 'A10', patient_name: 'SAMPLE^PATIENT' });
    // Whose exams a repeat of the merge leaves, and whose order is none for an exam of the patient who stays.
    await send(merged({ id: 'B10', ...demo }, { id: 'A10' }));
    expect((await examOf('T-11')).patient_id).toBe('A10');
    expect(await peer.ask(order('T-10', { id: 'A10', ...other }))).toContain('MSA|AE');
    expect(await examOf('T-10')).toMatchObject({ patient_id: 'B10', patient_name: 'DEMO^PATIENT' });
    await send(told({ id: 'A10', ...other, name: 'TESTE^PACIENTE' }));
    expect(await examOf('T-11')).toMatchObject({ patient_name: 'TESTE^PACIENTE' });
    expect(await examOf('T-10')).toMatchObject({ patient_name: 'DEMO^PATIENT' });
  });

  test('is not put back on an exam of the patient who stays', async () => {
    await send(order('T-12', { id: 'B12' }), merged({ id: 'B12' }, { id: 'A12' }));
    const warnings = await send(order('T-12', { id: 'A12' }, { at: 1, control: 'XO' }));
    expect(warnings.join()).toContain('given up by a merge');
    expect(await examOf('T-12')).toMatchObject({ patient_id: 'B12', version: 1 });
  });

  test('leaves who gave the id of the patient who stays, whatever metadata comes under it', async () => {
    await send(order('T-16', { id: 'A16' }), merged({ id: 'B16', issuer: 'OTHER', ...demo }, { id: 'A16' }));
    const metadata = { patient_id_issuer: 'HSL', note: 'x' };
    await ingest({ accession_number: 'T-16', patient_id: 'A16', metadata });
    expect(await examOf('T-16')).toMatchObject({
      patient_id: 'B16',
      metadata: { patient_id_issuer: 'OTHER', note: 'x' },
    });
  });

  test('still finds an exam by its order that the merge left', async () => {
    const orderOf = (status: 'open' | 'cancelled') => ({
      keep_absent: true,
      orders: [{ placer_order_number: 'P17', status }],
    });
    const named = { patient_id: 'A17', patient_name: 'DEMO^PATIENT' };
    await ingest({ ...named, accession_number: 'T-17', metadata: orderOf('open') });
    await send(merged({ id: 'B17', ...demo }, { id: 'A17', name: 'TESTE^PACIENTE' }));
    await ingest({ ...named, status: 'cancelled', metadata: orderOf('cancelled') });
    expect(await examOf('T-17')).toMatchObject({ patient_id: 'A17', status: 'cancelled' });
  });

  test('changes no patient by later messages about it', async () => {
    await send(order('T-13', { id: 'A13' }), merged({ id: 'B13', ...demo }, { id: 'A13' }));
    expect(await send(told({ id: 'A13' }, { at: 5 }))).toEqual([
      'The patient’s id was given up by a merge; nothing changed.',
    ]);
    expect(await examOf('T-13')).toMatchObject({ patient_id: 'B13', patient_name: 'DEMO^PATIENT' });
  });

  test('keeps an exam that was over then within reach of the orders of the patient who stays', async () => {
    await send(
      order('T-M', { id: 'A-M' }),
      order('T-M', { id: 'A-M' }, { at: 1, control: 'CA' }),
      merged({ id: 'B-M', ...demo }, { id: 'A-M' }, { at: 2 }),
    );
    expect(await examOf('T-M')).toMatchObject({ patient_id: 'B-M', patient_name: 'TESTE^PACIENTE' });
    await send(order('T-M', { id: 'B-M', ...demo }, { at: 3, control: 'CA' }));
    expect(await examOf('T-M')).toMatchObject({ patient_id: 'B-M', patient_name: 'DEMO^PATIENT', status: 'cancelled' });
    await send(order('T-M', { id: 'B-M', ...demo }, { at: 4 }));
    expect(await examOf('T-M')).toMatchObject({ patient_name: 'DEMO^PATIENT', status: 'new' });
    // Somebody else under that id stays another patient.
    expect(await peer.ask(order('T-M', { id: 'B-M', ...other }, { at: 5 }))).toContain('MSA|AE');
  });

  test('is not undone by an order that was under way, and places a cancelled exam again', async () => {
    await send(
      order('T-U', { id: 'A-U' }),
      order('T-U', { id: 'A-U' }, { at: 1, control: 'CA' }),
      merged({ id: 'B-U', ...demo }, { id: 'A-U' }, { at: 3 }),
      order('T-U', { id: 'A-U' }, { at: 2 }),
    );
    expect(await examOf('T-U')).toMatchObject({ patient_id: 'B-U', status: 'new' });
  });

  test('leads over hundreds of merges', async () => {
    for (let at = 0; at < 300; at += 1) await peer.ask(merged({ id: `H${at + 1}` }, { id: `H${at}` }));
    await send(order('T-14', { id: 'H0' }));
    expect((await examOf('T-14')).patient_id).toBe('H300');
  });
});

test('messages outlive a restart, a merge for good, and others as long as older messages may arrive', async () => {
  const dataDir = await temporaryDirectory();
  const clock = manualClock(Date.parse(startOfTests));
  const start = () => startApi({ dataDir, clock, timeZone: 'Europe/Berlin' }, onTestFinished);
  const first = await start();
  const sender = await listenAt(first);
  await sender.ask(told({ id: 'P' }));
  await sender.ask(merged({ id: 'B', ...demo }, { id: 'A' }));
  sender.close();
  await first.close();
  clock.advance(31 * 24 * 3600_000);
  const again = await start();
  const { id } = await ingest({ accession_number: 'T-15', patient_id: 'A', patient_name: 'DEMO^PATIENT' }, again);
  const item = succeeded(await again.call(worklists.endpoints.get, { params: { id: id! } }));
  expect(item).toMatchObject({ patient_id: 'B', patient_birth_date: '1975-05-05' });
  // What is removed waits until the clock has gone evenly since the start.
  await eventually(async () => {
    clock.advance(3600_000);
    const { stored } = succeeded(await again.call(contract.system.endpoints.status, {}));
    expect(stored).toMatchObject({ told_patients: 2 });
  });
});

const plain = ({ name, born }: typeof other) => ({
  patient_name: name,
  patient_birth_date: `${born.slice(0, 4)}-${born.slice(4, 6)}-${born.slice(6)}`,
});

describe('a message that was made before another of its sender', () => {
  const late = 'A later message about the patient arrived before; its data stays.';

  test('about a patient changes nothing of the patient', async () => {
    await send(order('T-20', { id: 'P20' }), told({ id: 'P20', name: 'DEMO^PATIENT' }, { at: 10 }));
    expect(await send(told({ id: 'P20', name: 'SAMPLE^PATIENT' }, { at: 5 }))).toEqual([late]);
    expect(await examOf('T-20')).toMatchObject({ patient_name: 'DEMO^PATIENT', version: 2 });
    // Another sender’s clock says nothing of it.
    await send(told({ id: 'P20', name: 'SAMPLE^PATIENT' }, { at: 5, sender: 'HIS' }));
    expect(await examOf('T-20')).toMatchObject({ patient_name: 'SAMPLE^PATIENT' });
  });

  test('updates its order, and leaves later messages about the patient alone', async () => {
    await send(order('T-21', { id: 'P21' }), told({ id: 'P21', ...demo }, { at: 10 }));
    const warnings = await send(order('T-21', { id: 'P21' }, { at: 5, control: 'XO', description: 'TC 2' }));
    expect(warnings.join()).toContain('A later message about the patient');
    expect(await examOf('T-21')).toMatchObject({ patient_name: 'DEMO^PATIENT', exam_description: 'TC 2' });
    await send(order('T-22', { id: 'P21' }, { at: 5 }));
    expect(await examOf('T-22')).toMatchObject({ patient_name: 'DEMO^PATIENT', patient_birth_date: '1975-05-05' });
    await send(order('T-22', { id: 'P21', ...demo, name: 'SAMPLE^PATIENT' }, { at: 11, control: 'XO' }));
    expect(await send(told({ id: 'P21', ...demo }, { at: 10 }))).not.toContain('nothing to change');
    expect(await examOf('T-22')).toMatchObject({ patient_name: 'SAMPLE^PATIENT' });
  });

  test('says something of an exam that became another patient’s since', async () => {
    await send(order('T-26', { id: 'P26' }, { at: 10 }));
    const changed = { patient_id: 'P27', ...plain(other), metadata: { accept_patient_change: true } };
    await ingest({ accession_number: 'T-26', ...changed });
    await send(order('T-26', { id: 'P27', ...other, name: 'TESTE^PACIENTE' }, { at: 5, control: 'XO' }));
    expect(await examOf('T-26')).toMatchObject({ patient_name: 'TESTE^PACIENTE' });
  });

  test('about a merge does not undo a newer one', async () => {
    await send(order('T-23', { id: 'A23' }), merged({ id: 'B23' }, { id: 'A23' }, { at: 10 }));
    await send(merged({ id: 'C23' }, { id: 'A23' }, { at: 5 }), order('T-24', { id: 'A23' }, { at: 12 }));
    expect((await examOf('T-24')).patient_id).toBe('B23');
  });

  test.each([
    ['of the future', '20260303100000'],
    ['of long ago', '20250101100000'],
    ['that is none', ''],
  ])('by a time %s is no such one', async (which, time) => {
    const id = `P25${which.length}`;
    const timed = (message: string, at: string): string => message.replace('20260302100000', at);
    await send(
      order(`T-${id}`, { id }),
      timed(told({ id, name: 'DEMO^PATIENT' }), time),
      told({ id, name: 'SAMPLE^PATIENT' }),
    );
    expect(await examOf(`T-${id}`)).toMatchObject({ patient_name: 'SAMPLE^PATIENT' });
    await send(timed(told({ id, name: 'DEMO^PATIENT' }), time));
    expect(await examOf(`T-${id}`)).toMatchObject({ patient_name: 'DEMO^PATIENT' });
  });
});

describe('in whatever order and however often messages come', () => {
  const ids = ['A', 'B', 'C'];
  const patient = fc.nat(ids.length - 1);
  const name = fc.constantFrom('TESTE^PACIENTE', 'DEMO^PATIENT', 'SAMPLE^PATIENT');
  const message = fc.oneof(
    fc.record({ kind: fc.constant('order' as const), of: patient, second: fc.boolean(), name }),
    fc.record({ kind: fc.constant('told' as const), of: patient, name }),
    fc.record({ kind: fc.constant('merged' as const), of: patient, into: patient, name }),
  );
  type Message = typeof message extends fc.Arbitrary<infer M> ? M : never;

  /** Merges as people make them: an id that was given up is merged no more, and comes back by a merge of the one who has its exams. */
  function areMade(made: readonly Message[]): boolean {
    const keepers = ids.map((_, at) => at);
    const keeperOf = (id: number): number => (keepers[id] === id ? id : keeperOf(keepers[id]!));
    return made.every((each) => {
      if (each.kind !== 'merged') return true;
      const { of, into } = each;
      if (of === into || keepers[of] !== of || (keepers[into] !== into && keeperOf(into) !== of)) return false;
      keepers[into] = into;
      keepers[of] = into;
      return true;
    });
  }
  const history = fc
    .array(message, { minLength: 2, maxLength: 8 })
    .filter(areMade)
    .chain((made) => {
      const twice = [...made.keys(), ...made.keys()];
      return fc.record({ made: fc.constant(made), coming: fc.shuffledSubarray(twice, { minLength: twice.length }) });
    });

  let runs = 0;
  interface End {
    readonly exam: string;
    readonly name: string;
  }
  /** The exams after messages that came in that sequence, without what tells one run from another. */
  async function endOf(made: readonly Message[], coming: readonly number[]): Promise<End[]> {
    const run = `R${++runs}`;
    const person = (of: number, called: string): Person => ({
      id: `${ids[of]}${run}`,
      name: called,
      born: `1980010${of + 1}`,
    });
    for (const at of coming) {
      const each = made[at]!;
      const said = person(each.of, each.name);
      const text =
        each.kind === 'order'
          ? order(`${run}-${each.of}${each.second}`, said, { at, description: `TC ${at}` })
          : each.kind === 'told'
            ? told(said, { at })
            : merged(person(each.into, each.name), said, { at });
      expect(await peer.ask(text)).toContain('MSA|AA');
    }
    const { items } = succeeded(await api.call(worklists.endpoints.list, { query: { q: run } }));
    return items
      .map(({ accession_number, patient_id, patient_birth_date, exam_description, patient_name }) => ({
        exam: [accession_number, patient_id, patient_birth_date, exam_description].join().replaceAll(run, ''),
        name: patient_name,
      }))
      .toSorted((one, other) => (one.exam < other.exam ? -1 : 1));
  }

  // An order that was made after its id came back has the name that was told last before that, where it comes before the merge back.
  const comesBack = (made: readonly Message[]): boolean =>
    made.some((each, at) =>
      made.slice(0, at).some((one) => each.kind === 'merged' && one.kind === 'merged' && one.of === each.into),
    );

  test('the end is that of the order in which they were made', async () => {
    const sequences = fc.asyncProperty(history, async ({ made, coming }) => {
      const ends = [await endOf(made, coming), await endOf(made, [...made.keys()])];
      const [end, asMade] = comesBack(made) ? ends.map((end) => end.map(({ exam }) => exam)) : ends;
      expect(end).toEqual(asMade);
    });
    await fc.assert(sequences, { numRuns: 30 });
  });
});

describe('a visit', () => {
  const visited = (accession: string, person: Person, visit: string) =>
    order(accession, person).replace('ORC|', `PV1||O|${'|'.repeat(16)}${visit}\rORC|`);
  const moved = (event: string, into: Person, { from, owner = '', to = '' }: Readonly<Record<string, string>>) =>
    [
      header(`ADT^${event}`, {}),
      pid(into),
      `PV1||O|${'|'.repeat(16)}${to}`,
      `MRG|${owner && `${owner}^^^HSL`}||||${from}`,
      '',
    ].join('\r');
  const visitOf = async (accession: string) => (await examOf(accession)).metadata?.['visit_number'];

  test.each(['A44', 'A45'])(
    'that moves to another patient (%s) takes its exams along, and no others',
    async (event) => {
      const [one, other] = [`T-${event}a`, `T-${event}b`];
      const wrong = { id: `W${event}`, name: 'TESTE^PACIENTE' };
      const right = { id: `R${event}`, name: 'SAMPLE^PATIENT', born: '19900101' };
      await send(visited(one, wrong, `V1${event}`), visited(other, wrong, `V2${event}`));
      await send(moved(event, right, { from: `V1${event}`, owner: wrong.id, to: `V1${event}` }));
      expect(await examOf(one)).toMatchObject({
        patient_id: right.id,
        patient_name: right.name,
        patient_birth_date: '1990-01-01',
      });
      expect(await examOf(other)).toMatchObject({ patient_id: wrong.id, patient_name: wrong.name });
      expect((await historyOf(one))[0]).toMatchObject({ reason: expect.stringContaining(event) });
      // The id is still that of its owner.
      await send(order(`T-${event}c`, wrong));
      expect((await examOf(`T-${event}c`)).patient_id).toBe(wrong.id);
      const warnings = await send(moved(event, right, { from: 'nowhere', owner: wrong.id }));
      expect(warnings.join()).toContain('nothing to change');
    },
  );

  test('that is merged with another (A42) gives its exams the number that stays', async () => {
    const person = { id: 'V42' };
    await send(visited('T-42a', person, 'OLD'), visited('T-42b', person, 'KEPT'));
    await send(moved('A42', person, { from: 'OLD', to: 'KEPT' }));
    expect([await visitOf('T-42a'), await visitOf('T-42b')]).toEqual(['KEPT', 'KEPT']);
    expect((await examOf('T-42a')).patient_id).toBe('V42');
  });

  test('an id that moves to another patient (A43) takes all exams along', async () => {
    await send(order('T-43', { id: 'V43' }));
    await send(merged({ id: 'V43B', name: 'DEMO^PATIENT' }, { id: 'V43' }).replace('A40', 'A43'));
    expect(await examOf('T-43')).toMatchObject({ patient_id: 'V43B', patient_name: 'DEMO^PATIENT' });
  });

  test('that names no visit is refused', async () => {
    expect(await peer.ask(moved('A45', { id: 'V45' }, { from: '', owner: 'V44' }))).toMatch(/MSA\|AE[^]*\|101\^/);
  });
});
