/** A department for session tests: a RIS and what it knows, two people, a server, and what has to hold of the exams whatever happens. */
import { expect, onTestFinished } from 'vitest';
import { defaultSpace } from '../../src/contract/admin.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { contract } from '../../src/contract/index.ts';
import type { HistoryEntry, WorklistItem, WorklistStatus } from '../../src/contract/worklist.ts';
import { manualClock } from '../../src/domain/clock.ts';
import type { ItemChange } from '../../server/storage/feeds.ts';
import { startApi, startOfTests, succeeded } from './api.ts';
import type { Api } from './api.ts';
import { connectMllp } from './mllp.ts';
import type { MllpPeer } from './mllp.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const { channels, records, worklists } = contract;
/** The RIS, as the server knows it. */
export const channel = { channel: 'ris' };

/** What a step draws. */
export interface Drawn {
  /** Which exam and which person. */
  readonly exam: number;
  readonly who: number;
  readonly nth: number;
  /** The second order of the exam. */
  readonly second: boolean;
  /** The message comes later; the exam is taken over. */
  readonly late: boolean;
  /** The message comes by a call, and not by the channel. */
  readonly byCall: boolean;
}

// What the RIS knows, and says.

export const accessions = ['SL-1', 'SL-2', 'SL-3'] as const;
export const names = ['TESTE^PACIENTE', 'DEMO^PATIENT', 'SAMPLE^PATIENT'];
export const words = ['Head', 'Neck', 'Chest'];

export interface Order {
  open: boolean;
  description: string;
  /** Seconds since the tests began: when it was described last, and placed or cancelled last. */
  described: number;
  made: number;
}

export interface Message {
  readonly text: string;
  readonly made: number;
  /** Absent: it tells of a patient. */
  readonly order?: {
    readonly accession: string;
    readonly placer: string;
    readonly control: keyof typeof controls;
    readonly description: string;
  };
}

/** Whether the order stands after the message; `undefined`: as it stood before. */
const controls = { NW: true, XO: undefined, CA: false } as const;

type Orders = Map<string, Order>;

/** Gives whether the message placed or cancelled the order: the one that was made last counts. */
export function takeOrder(orders: Orders, { order, made }: Message): boolean {
  const { placer, control, description } = order!;
  const known = orders.get(placer) ?? { open: true, description, described: -1, made: -1 };
  const open = controls[control];
  // What is changed later was placed anew in between.
  const isNews = open !== undefined && made > known.made && (open || made > known.described);
  orders.set(placer, {
    ...(made < known.described ? known : { ...known, description, described: made }),
    ...(isNews && { open, made }),
  });
  return isNews;
}

function describe(orders: Orders): string {
  const all = [...orders.values()];
  const open = all.filter((order) => order.open);
  return [...new Set((open.length > 0 ? open : all).map(({ description }) => description))].join(' + ');
}

export const areCancelled = (orders: Orders): boolean => [...orders.values()].every(({ open }) => !open);

export interface House {
  api: Api;
  peer: MllpPeer;
  readonly restart: () => Promise<void>;
  readonly people: readonly { readonly id: string; readonly name: string; readonly token: string }[];
  /** Events of items since the server was started last. */
  events: ItemChange[];
  /** The list as somebody has it who asks for what changed alone, and up to where. */
  readonly kept: Map<string, WorklistItem>;
  until: string | undefined;
  readonly ris: {
    readonly exams: Map<string, { patient: string; readonly orders: Orders }>;
    readonly names: Map<string, string>;
    /** Those that were made, and did not come yet. */
    readonly underway: Message[];
    count: number;
  };
  /** The orders of each exam as the service should have them. */
  readonly taken: Map<string, Orders>;
  /** Messages that the channel took, and those that it refused. */
  readonly heard: Set<Message>;
  readonly refused: Message[];
  /** Exams of which somebody deleted a signed record. */
  readonly deleted: Set<string>;
}

const secondsNow = ({ api }: House): number => (api.clock.now() - Date.parse(startOfTests)) / 1000;

/** Makes a message. Each has a time of its own. */
export function write(house: House, type: string, rest: readonly string[], order?: Message['order']): Message {
  house.api.clock.advance(1000);
  const at = new Date(house.api.clock.now()).toISOString().replace(/[-:T]|\.\d+Z$/g, '');
  const head = `MSH|^~\\&|RIS|HSL|LAUDIO|HSL|${at}+0000||${type}|M${++house.ris.count}|P|2.5.1`;
  const message: Message = {
    text: [head, ...rest, ''].join('\r'),
    made: secondsNow(house),
    ...(order && { order }),
  };
  house.ris.underway.push(message);
  return message;
}

export const pid = ({ ris }: House, patient: string): string =>
  `PID|||${patient}^^^HSL||${ris.names.get(patient)}||${born[patient as 'A']}|F`;
const born = { A: '19800101', B: '19750505' };

export type Control = keyof typeof controls;

export function tellOrder(house: House, { exam, nth, second }: Drawn, control: Control): void {
  const accession = accessions[exam]!;
  const placer = `${second ? 'Q' : 'P'}-${accession}`;
  const known = house.ris.exams.get(accession) ?? { patient: exam === 1 ? 'B' : 'A', orders: new Map() };
  const order = known.orders.get(placer);
  // A RIS changes and cancels what it has placed.
  if (control !== 'NW' && !order?.open) return;
  house.ris.exams.set(accession, known);
  const description = control === 'CA' ? order!.description : words[nth % words.length]!;
  const message = write(
    house,
    'ORM^O01^ORM_O01',
    [
      pid(house, known.patient),
      `ORC|${control}|${placer}|||||^^^20260302093000`,
      `OBR|1|${placer}||CT^${description}${'|'.repeat(14)}${accession}${'|'.repeat(6)}CT`,
    ],
    { accession, placer, control, description },
  );
  takeOrder(known.orders, message);
}

/** Hands the message over. `refused`: it changed nothing, and may be taken later. */
export async function handOver(
  house: House,
  message: Message,
  byCall: boolean,
): Promise<'taken' | 'known' | 'refused'> {
  if (byCall && message.order) {
    const headers = { 'content-type': 'application/hl7-v2' };
    const answer = await ask(house, worklists.endpoints.ingest, {
      body: message.text,
      headers,
      token: personOf(house, 0),
    });
    return answer.status === 200 ? 'taken' : 'refused';
  }
  const wasHeard = house.heard.has(message);
  const acknowledgement = await house.peer.ask(message.text);
  if (!acknowledgement.includes('MSA|AA')) {
    if (!house.refused.includes(message)) house.refused.push(message);
    return 'refused';
  }
  house.heard.add(message);
  return wasHeard ? 'known' : 'taken';
}

// What the service shows.

interface Shown {
  readonly item: WorklistItem;
  /** Oldest first. */
  readonly history: readonly HistoryEntry[];
}

export interface World {
  /** By id. */
  readonly exams: ReadonlyMap<string, Shown>;
  readonly records: ReadonlyMap<string, MedicalRecord>;
}

export const all = { limit: 200 };

export async function ask<E extends Parameters<Api['call']>[0]>(
  { api }: House,
  endpoint: E,
  wish: Parameters<Api['call']>[1],
): ReturnType<typeof api.call<E>> {
  const answer = await api.call(endpoint, wish);
  expect(answer.status, answer.text).toBeLessThan(500);
  return answer;
}

export async function read<E extends Parameters<Api['call']>[0]>(
  house: House,
  endpoint: E,
  wish: Parameters<Api['call']>[1] = {},
) {
  return succeeded(await ask(house, endpoint, { token: personOf(house, 0), ...wish }));
}

export const personOf = ({ people }: House, nth: number): string => people[nth]!.token;

export async function look(house: House): Promise<World> {
  const { items } = await read(house, worklists.endpoints.list, { query: all });
  const exams = new Map<string, Shown>();
  for (const listed of items) {
    const params = { id: listed.id };
    const item = await read(house, worklists.endpoints.get, { params });
    expect(item).toEqual(listed);
    const history = await read(house, worklists.endpoints.history, { params, query: all });
    exams.set(item.id, { item, history: history.items.toReversed() });
  }
  const found = await read(house, records.endpoints.list, { query: all });
  return { exams, records: new Map(found.items.map((record) => [record.id, record])) };
}

export const examOf = (world: World, accession: string): Shown | undefined =>
  [...world.exams.values()].find(
    ({ item }) => item.accession_number === accession && item.accession_issuer === undefined,
  );

// What holds after each step, whatever the step was.

export const byHand = 'By hand';

export function expectWhole({ people, taken, deleted }: House, { exams, records: documents }: World): void {
  const numbers = Array.from(exams.values(), ({ item }) => `${item.accession_number} ${item.accession_issuer}`);
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const { item, history } of exams.values()) {
    let status: WorklistStatus = 'new';
    let holder: string | undefined;
    for (const entry of history) {
      expect(entry.from).toBe(status);
      const isNews = entry.to !== status || entry.changes?.length || (entry.assigned_to ?? entry.who) !== holder;
      expect(isNews, `told twice: ${JSON.stringify(history)}`).toBeTruthy();
      if (!entry.changes && entry.to === 'in_progress') holder = entry.assigned_to ?? entry.who ?? undefined;
      status = entry.to;
    }
    expect(item.status).toBe(status);
    if (status === 'in_progress') expect(people.map(({ name }) => name)).toContain(item.assigned_to);
    if (status === 'new' || status === 'cancelled') expect(item.assigned_to).toBeNull();

    const linked = item.record_id === null ? undefined : documents.get(item.record_id);
    expect(linked?.id ?? null).toBe(item.record_id);
    if (linked) {
      expect(linked.worklist_item_id).toBe(item.id);
      expect(item.report?.status).toBe(linked.signing ? 'signing' : linked.status);
    }
    if (status === 'completed' && linked?.status !== 'final') {
      const last = history.findLast(({ to, changes }) => to === 'completed' && !changes);
      expect(last?.reason === byHand || deleted.has(item.id), JSON.stringify(history)).toBe(true);
    }
    const orders = taken.get(item.accession_number!);
    if (orders && item.accession_issuer === undefined) expect(item.exam_description).toBe(describe(orders));
  }
}

/** Of what was, nothing is lost: versions grow with every change, and what is signed stays what it was, and named by its exam. */
export function expectGrown({ deleted }: House, before: World, after: World): void {
  for (const [id, { item, history }] of before.exams) {
    const then = after.exams.get(id)!;
    expect(then.history.slice(0, history.length)).toEqual(history);
    const { metadata: _, ...fields } = item;
    const { metadata: _then, ...fieldsThen } = then.item;
    if (then.item.version === item.version) expect(fieldsThen).toEqual(fields);
    else expect(then.item.version).toBeGreaterThan(item.version);
    const former = item.record_id !== null && before.records.get(item.record_id);
    if (!former || former.status !== 'final' || then.item.record_id === former.id) continue;
    const present = then.item.record_id !== null && after.records.get(then.item.record_id);
    expect(!after.records.has(former.id) || (present && present.status === 'final')).toBe(true);
  }
  for (const [id, record] of before.records) {
    const then = after.records.get(id);
    if (!then && record.status === 'final') deleted.add(record.worklist_item_id!);
    if (then?.version === record.version && record.status === 'final') expect(then).toEqual(record);
    if (!then || record.status !== 'final') continue;
    expect(then).toMatchObject({ status: 'final', title: record.title });
    expect(then.sections.slice(0, record.sections.length)).toEqual(record.sections);
  }
}

/** Filters and searches find what single reads show; and who asks for changes alone, or follows the events, knows the same. */
export async function expectFound(house: House, world: World, { nth }: Drawn): Promise<void> {
  const items = Array.from(world.exams.values(), ({ item }) => item);
  const expectList = async (query: Record<string, unknown>, is: (item: WorklistItem) => boolean): Promise<void> => {
    const found = await read(house, worklists.endpoints.list, { query: { ...all, ...query } });
    expect(ids(found.items), JSON.stringify(query)).toEqual(ids(items.filter(is)));
  };
  const status = statuses[nth % statuses.length]!;
  await expectList({ status }, (item) => item.status === status);
  const report = reports[nth % reports.length]!;
  await expectList({ report }, (item) => item.report?.status === report);
  const { name } = house.people[nth % house.people.length]!;
  await expectList({ assigned_to: name }, (item) => item.assigned_to === name);
  const [patient, word] = [names[nth % names.length]!.split('^')[0]!, words[nth % words.length]!];
  await expectList({ q: patient.toLowerCase() }, (item) => item.display_name.toUpperCase().includes(patient));
  await expectList({ q: word }, (item) => item.exam_description.includes(word));
  const patient_id = ['A', 'B'][nth % 2]!;
  await expectList({ patient_id }, (item) => item.patient_id === patient_id);
  const number = accessions[nth % accessions.length]!;
  await expectList({ accession_number: number }, (item) => item.accession_number === number);

  const query = { ...all, ...(house.until !== undefined && { updated_since: house.until }) };
  const news = await read(house, worklists.endpoints.list, { query });
  for (const item of news.items) house.kept.set(item.id, item);
  house.until = news.updated_until!;
  const shown = ({ metadata: _, ...item }: WorklistItem): unknown => item;
  expect(Array.from(house.kept.values(), shown)).toEqual(expect.arrayContaining(items.map(shown)));
  for (const item of items) {
    const told = house.events.filter(({ id }) => id === item.id);
    const versions = told.map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
    if (told.length > 0) expect(told.at(-1)).toMatchObject({ status: item.status, version: item.version });
  }
}
const ids = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id).toSorted();
const statuses = ['new', 'in_progress', 'completed', 'cancelled'] as const;
const reports = ['draft', 'signing', 'final'] as const;

export async function startHouse(): Promise<House> {
  const dataDir = await temporaryDirectory();
  const clock = manualClock(Date.parse(startOfTests));
  let events: ItemChange[] = [];
  const start = (): Promise<Api> =>
    startApi(
      {
        clock,
        dataDir,
        accessTokenTtl: 24 * 3600 * 1000,
        store(real) {
          real.subscribe('items', (changes) => events.push(...changes));
          return real;
        },
      },
      onTestFinished,
    );
  const api = await start();
  const client = await api.createClient({ space: defaultSpace });
  const persons = await Promise.all(
    ['Dra. Ana', 'Dr. Rui'].map(async (name) => {
      const login = { username: name.slice(-3).toLowerCase(), password: 'correct horse battery' };
      const { id } = await api.createUser({ ...login, display_name: name, space: defaultSpace });
      const { access_token: token } = await api.tokens({ client, login });
      return { id, name, token };
    }),
  );
  const body = { name: 'ris', kind: 'hl7-in', space: defaultSpace, settings: { port: 0 } };
  const { state } = succeeded(await api.call(channels.endpoints.add, { body }), 201);
  const house: House = {
    api,
    peer: await connectMllp(state.address!),
    people: persons,
    events,
    kept: new Map(),
    until: undefined,
    ris: {
      exams: new Map(),
      names: new Map([
        ['A', names[0]!],
        ['B', names[1]!],
      ]),
      underway: [],
      count: 0,
    },
    taken: new Map(),
    heard: new Set(),
    refused: [],
    deleted: new Set(),
    async restart() {
      house.peer.close();
      await house.api.close();
      house.events = events = [];
      house.api = await start();
      const opened = succeeded(await house.api.call(channels.endpoints.get, { params: channel }));
      house.peer = await connectMllp(opened.state.address!);
    },
  };
  return house;
}
