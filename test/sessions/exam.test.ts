/**
 * Days of exams: a RIS orders, changes, cancels, renames and merges, its messages come late, twice and in any order, and meanwhile people
 * take exams, dictate, sign, take back, replace and delete, side by side and over restarts.
 */
import { expect, test } from 'vitest';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { contract } from '../../src/contract/index.ts';
import type { WorklistItem, WorklistStatus } from '../../src/contract/worklist.ts';
import { succeeded } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import {
  accessions,
  all,
  areCancelled,
  ask,
  byHand,
  channel,
  examOf,
  expectFound,
  expectGrown,
  expectWhole,
  handOver,
  look,
  names,
  personOf,
  pid,
  read,
  startHouse,
  takeOrder,
  tellOrder,
  words,
  write,
} from '../support/exam-house.ts';
import type { Control, Drawn, House, Message, Order, World } from '../support/exam-house.ts';
import * as fc from '../support/properties.ts';

const { channels, records, signatures, worklists } = contract;

/** Something that is asked, and what has to have come of it where it was done; what was refused changes nothing. */
interface Act {
  readonly send: () => Promise<boolean>;
  readonly effect?: (before: World, after: World) => void;
}

type Ask = Parameters<Api['call']>[1];
const asking = (house: House, { who }: Drawn, endpoint: Parameters<Api['call']>[0], wish: Ask): Act['send'] => {
  const token = personOf(house, who);
  return async () => (await ask(house, endpoint, { token, ...wish })).status < 300;
};

type Plan = (house: House, world: World, drawn: Drawn) => Act | undefined;

const moving =
  (status: WorklistStatus): Plan =>
  (house, world, drawn) => {
    const shown = examOf(world, accessions[drawn.exam]!);
    if (!shown) return undefined;
    const { id } = shown.item;
    const body = { status, reason: byHand, metadata: { take_over: drawn.late } };
    return {
      send: asking(house, drawn, worklists.endpoints.setStatus, { params: { id }, body }),
      effect(_before, after) {
        const { item } = after.exams.get(id)!;
        expect(item.status).toBe(status);
        if (status === 'in_progress') expect(item.assigned_to).toBe(house.people[drawn.who]!.name);
      },
    };
  };

/** Of the records of the exam mostly the one that it names. */
function recordOf(world: World, { exam, nth }: Drawn): MedicalRecord | undefined {
  const shown = examOf(world, accessions[exam]!);
  const own = [...world.records.values()].filter((record) => record.worklist_item_id === shown?.item.id);
  const linked = shown?.item.record_id ? world.records.get(shown.item.record_id) : undefined;
  return nth % 3 === 0 ? own[nth % Math.max(own.length, 1)] : linked;
}

const updating =
  (
    bodyOf: (record: MedicalRecord, drawn: Drawn) => object,
    effect: (record: MedicalRecord, item?: WorklistItem) => void,
  ): Plan =>
  (house, world, drawn) => {
    const record = recordOf(world, drawn);
    if (!record) return undefined;
    const params = { id: record.id };
    return {
      send: asking(house, drawn, records.endpoints.update, { params, body: bodyOf(record, drawn) }),
      effect: (_before, after) =>
        effect(after.records.get(record.id)!, after.exams.get(record.worklist_item_id!)?.item),
    };
  };

const deliver =
  (choose: (house: House, nth: number) => Message | undefined): Plan =>
  (house, _world, { nth, byCall }) => {
    const message = choose(house, nth);
    return message && delivery(house, message, byCall);
  };

function delivery(house: House, message: Message, byCall: boolean): Act {
  const { underway } = house.ris;
  if (underway.includes(message)) underway.splice(underway.indexOf(message), 1);
  let came: 'taken' | 'known' | 'refused';
  let isNews = false;
  return {
    async send() {
      came = await handOver(house, message, byCall);
      if (came === 'refused' && byCall && message.order) underway.push(message);
      if (came === 'taken') isNews = noteTaken(house, message);
      return came !== 'refused';
    },
    effect: (before, after) => expectFollowed(house, message, { came, isNews }, before, after),
  };
}

/** Whether the message placed or cancelled an order. */
function noteTaken({ taken }: House, message: Message): boolean {
  if (!message.order) return false;
  const { accession } = message.order;
  const orders = taken.get(accession) ?? new Map<string, Order>();
  taken.set(accession, orders);
  return takeOrder(orders, message);
}

interface Taken {
  readonly came: 'taken' | 'known' | 'refused';
  readonly isNews: boolean;
}

/** A message changes what it is about, as far as no later one told of that, and nobody's report. */
function expectFollowed(house: House, { order }: Message, { came, isNews }: Taken, before: World, after: World): void {
  for (const [id, { item, history }] of before.exams) {
    const then = after.exams.get(id)!;
    expect(then.item.record_id).toBe(item.record_id);
    expect(then.item.report).toEqual(item.report);
    if (then.item.status === item.status) expect(then.item.assigned_to).toBe(item.assigned_to);
    expect(then.history.length - history.length).toBeLessThanOrEqual(2);
    if (came === 'known' || (order && item.accession_number !== order.accession))
      expect(then).toEqual({ item, history });
    else if (!order) expect(then.item.status).toBe(item.status);
  }
  expect(after.records).toEqual(before.records);
  if (!order || came !== 'taken') return;
  const orders = house.taken.get(order.accession)!;
  const was = examOf(before, order.accession)?.item.status ?? 'new';
  const [ends, begins] = [order.control === 'CA' && areCancelled(orders), order.control === 'NW'];
  const isOpen = was === 'new' || was === 'in_progress';
  const expected = isNews && ends && isOpen ? 'cancelled' : isNews && begins && was === 'cancelled' ? 'new' : was;
  expect(examOf(after, order.accession)?.item.status).toBe(expected);
}

const telling =
  (control: Control): Plan =>
  (house, _world, drawn) => {
    const { underway } = house.ris;
    const before = underway.length;
    tellOrder(house, drawn, control);
    const message = underway[before];
    return message && !drawn.late ? delivery(house, message, drawn.byCall) : undefined;
  };

const people: Readonly<Record<string, Plan>> = {
  take: moving('in_progress'),
  'release or reinstate': moving('new'),
  cancel: moving('cancelled'),
  complete: moving('completed'),
  assign(house, world, drawn) {
    const shown = examOf(world, accessions[drawn.exam]!);
    if (!shown) return undefined;
    const { id } = shown.item;
    const { id: to, name } = house.people[drawn.nth % house.people.length]!;
    return {
      send: asking(house, drawn, worklists.endpoints.assign, { params: { id }, body: { to, take_over: drawn.late } }),
      effect: (_before, after) =>
        expect(after.exams.get(id)!.item).toMatchObject({ status: 'in_progress', assigned_to: name }),
    };
  },
  dictate(house, world, drawn) {
    const shown = examOf(world, accessions[drawn.exam]!);
    if (!shown) return undefined;
    const { id } = shown.item;
    const body = { text: `Findings: ${words[drawn.nth % words.length]}. Impression: none.`, worklist_item_id: id };
    return {
      send: asking(house, drawn, records.endpoints.generate, { body }),
      effect(before, after) {
        const { name } = house.people[drawn.who]!;
        expect(after.exams.get(id)!.item).toMatchObject({ status: 'in_progress', assigned_to: name });
        expect(after.records.size).toBe(before.records.size + 1);
      },
    };
  },
  edit: updating(
    ({ sections }, { nth }) => ({
      sections: sections.map((section, at) => (at === 0 ? { ...section, text: `Edited, ${nth}.` } : section)),
    }),
    (record) => expect(record.sections[0]!.text).toMatch('Edited'),
  ),
  sign: updating(
    () => ({ status: 'final' }),
    (record) => expect(record).toMatchObject({ status: 'final' }),
  ),
  'sign for a minute': updating(
    () => ({ status: 'final', grace_seconds: 60 }),
    (record) => expect(record.status === 'final' || record.signing).toBeTruthy(),
  ),
  'add to a report': updating(
    ({ sections }) => ({
      sections: [...sections, { key: 'addendum', title: 'Addendum', text: `More, ${sections.length}.` }],
    }),
    (record, item) => {
      if (record.status === 'final') expect(item?.status ?? 'completed').toBe('completed');
    },
  ),
  'take the signature back'(house, world, drawn) {
    const record = recordOf(world, drawn);
    if (!record) return undefined;
    return {
      send: asking(house, drawn, signatures.endpoints.takeBack, { params: { id: record.id } }),
      effect: (_before, after) => expect(after.records.get(record.id)!.signing).toBeUndefined(),
    };
  },
  'delete a record'(house, world, drawn) {
    const record = recordOf(world, drawn);
    if (!record) return undefined;
    return {
      send: asking(house, drawn, records.endpoints.delete, { params: { id: record.id } }),
      effect: (_before, after) => expect(after.records.has(record.id)).toBe(false),
    };
  },
};

const ris: Readonly<Record<string, Plan>> = {
  place: telling('NW'),
  change: telling('XO'),
  withdraw: telling('CA'),
  rename(house, _world, { exam, nth, late }) {
    const patient = house.ris.exams.get(accessions[exam]!)?.patient ?? 'A';
    house.ris.names.set(patient, names[nth % names.length]!);
    const message = write(house, 'ADT^A08', [pid(house, patient)]);
    return late ? undefined : delivery(house, message, false);
  },
  merge(house, _world, { late }) {
    const { exams } = house.ris;
    if (![...exams.values()].some(({ patient }) => patient === 'B')) return undefined;
    for (const exam of exams.values()) exam.patient = 'A';
    const message = write(house, 'ADT^A40', [pid(house, 'A'), 'MRG|B^^^HSL']);
    return late ? undefined : delivery(house, message, false);
  },
  'a message comes': deliver(({ ris: { underway } }, nth) => underway[nth % Math.max(underway.length, 1)]),
  'a message comes again': deliver(({ heard }, nth) => [...heard][nth % Math.max(heard.size, 1)]),
  'another hospital has that number': (house, _world, drawn) => ({
    send: asking(house, drawn, worklists.endpoints.ingest, {
      body: {
        accession_number: accessions[drawn.exam]!,
        accession_issuer: 'HB',
        patient_id: 'C',
        patient_name: 'Test Other',
        modality: 'CT',
        exam_datetime: '2026-03-02T08:30:00Z',
        exam_description: words[drawn.nth % words.length]!,
      },
    }),
  }),
};

const acts = { ...people, ...ris };

async function play(house: House, before: World, plans: readonly (Act | undefined)[]): Promise<World> {
  const [act, other] = plans.filter((plan) => plan !== undefined);
  if (!act) return before;
  if (other) {
    await Promise.all([act.send(), other.send()]);
    return look(house);
  }
  const isDone = await act.send();
  const after = await look(house);
  if (isDone) act.effect?.(before, after);
  else expect(after).toEqual(before);
  return after;
}

/** Messages that were refused are tried again, as an operator does. */
async function tryAgain(house: House): Promise<void> {
  const { items } = await read(house, channels.endpoints.queue, {
    token: house.api.server.adminToken,
    params: channel,
    query: { ...all, state: 'refused' },
  });
  for (const { id, key } of items.toReversed()) {
    const answer = await house.api.call(channels.endpoints.retry, { params: { id } });
    const at = house.refused.findIndex(({ text }) => text.includes(`|${key!.split('|').at(-1)}|P|`));
    expect(at).toBeGreaterThanOrEqual(0);
    if (succeeded(answer).state !== 'taken') continue;
    const [message] = house.refused.splice(at, 1);
    house.heard.add(message!);
    noteTaken(house, message!);
  }
}

const others: Readonly<Record<string, (house: House, drawn: Drawn) => Promise<void>>> = {
  async wait({ api }, { nth }) {
    api.clock.advance(nth * 20_000);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  },
  restart: (house) => house.restart(),
  'try refused messages again': tryAgain,
};

const drawn: fc.Arbitrary<Drawn> = fc.record({
  exam: fc.nat(accessions.length - 1),
  who: fc.nat(1),
  nth: fc.nat(5),
  second: fc.nat(3).map((n) => n === 0),
  late: fc.boolean(),
  byCall: fc.boolean(),
});

const anyAct = fc.constantFrom(...Object.keys(acts));
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ name: anyAct, drawn }) },
  {
    weight: 2,
    arbitrary: fc.record({ name: anyAct, drawn, beside: fc.record({ name: anyAct, who: fc.nat(1), nth: fc.nat(5) }) }),
  },
  { weight: 2, arbitrary: fc.record({ name: fc.constantFrom(...Object.keys(others)), drawn }) },
);
const session = fc.array(step, { minLength: 1, maxLength: 30, size: 'max' });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function playStep(
  house: House,
  world: World,
  { name, drawn: values, beside }: Step & { beside?: { name: string; who: number; nth: number } },
) {
  const plan = acts[name];
  if (!plan) {
    await others[name]!(house, values);
    const after = await look(house);
    expectGrown(house, world, after);
    return after;
  }
  const second = beside && acts[beside.name]!;
  // Not the same message twice at once.
  const plans = [plan(house, world, values), second?.(house, world, { ...values, ...beside })];
  const after = await play(house, world, plans);
  expectGrown(house, world, after);
  return after;
}

/** Once all messages came, the exams are as the RIS has them. */
async function expectAgreement(house: House, world: World, wasOver: ReadonlySet<string>): Promise<void> {
  const { underway, exams, names: called } = house.ris;
  while (underway.length > 0) await delivery(house, underway[0]!, false).send();
  await tryAgain(house);
  expect(house.refused.map(({ text }) => text)).toEqual([]);
  const after = await look(house);
  expectWhole(house, after);
  for (const [accession, { patient, orders }] of exams) {
    const { item } = examOf(after, accession)!;
    expect(item.patient_id).toBe(patient);
    const taken = house.taken.get(accession)!;
    expect(taken).toEqual(orders);
    if (!wasOver.has(item.id) && item.status !== 'cancelled' && item.status !== 'completed')
      expect(item.patient_name).toBe(called.get(patient));
  }
  expect(world.exams.size).toBeLessThanOrEqual(after.exams.size);
}

const alone = (name: string, exam: number, more: Partial<Drawn> = {}): Step => ({
  name,
  drawn: { exam, who: 0, nth: 0, second: false, late: false, byCall: false, ...more },
});
/** What explorations found. */
const found: [Step[]][] = [
  [[alone('place', 0), alone('restart', 0)]],
  [[alone('cancel', 1), alone('merge', 0), alone('withdraw', 1)]],
  [[alone('withdraw', 1), alone('place', 1, { late: true }), alone('merge', 0), alone('a message comes', 0)]],
];

test('no session of messages, people and restarts leaves an exam other than its messages and its people made it', async () => {
  await fc.assert(
    fc.asyncProperty(session, async (played) => {
      const house = await startHouse();
      try {
        const begin = [alone('place', 0), alone('place', 1)];
        let world: World = { exams: new Map(), records: new Map() };
        const wasOver = new Set<string>();
        for (const each of [...begin, ...played]) {
          world = await playStep(house, world, each);
          expectWhole(house, world);
          await expectFound(house, world, each.drawn);
          for (const [id, { item }] of world.exams)
            if (item.status === 'completed' || item.status === 'cancelled') wasOver.add(id);
        }
        await expectAgreement(house, world, wasOver);
      } finally {
        house.peer.close();
        await house.api.close();
      }
    }),
    { numRuns: 8, examples: found },
  );
});
