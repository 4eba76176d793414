/** The exams that an order message asks for, one for each accession number in it. */
import type { Message as TextMessage } from '../../../contract/messages/message.ts';
import { fileMessage } from '../../../contract/messages/files.ts';
import { findEntry } from '../../../domain/find-entry.ts';
import { identifierNames } from '../../../domain/normalise.ts';
import { askedFields, describedBy, maxOrders, orderFacts, readOrder } from '../../../domain/orders.ts';
import type { Order as NumberedOrder } from '../../../domain/orders.ts';
import type { MessageStamp } from '../../../domain/message-stamp.ts';
import { fill, finished, newDraft, orderIn, put } from '../draft.ts';
import type { Draft, Lookup, Mapping } from '../draft.ts';
import { checkSubjects } from '../bytes.ts';
import type { Times } from '../kinds.ts';
import { mappedTable, statusReader } from '../mapping.ts';
import type { StatusOf } from '../mapping.ts';
import {
  isLaboratory,
  isLaboratoryTest,
  laboratoryOrder,
  otherDetails,
  otherOrder,
  specimenOrder,
} from '../other-work.ts';
import { takeModalityFromWords } from '../procedure-words.ts';
import { problem } from '../reading.ts';
import { skipped, skipReader } from '../skip-rules.ts';
import type { FindSkip } from '../skip-rules.ts';
import type { Position, Problem, Reading, ReadOptions } from '../reading.ts';
import { hl7Mappings, orderMessages } from './fields.ts';
import type { OrderTable } from './fields.ts';
import { examsIn, hasRequest } from './exams-in.ts';
import type { ExamOrders } from './exams-in.ts';
import { readField } from './message.ts';
import type { Message, Segment } from './message.ts';
import { withNumbersOfOrders } from './numbers-of-orders.ts';
import { appointments, examStatusOfAll } from './order-control.ts';
import type { Meaning } from './order-control.ts';
import { appointmentIn, ordersIn, secondPatient } from './orders-in.ts';
import type { Order } from './orders-in.ts';
import { patientTables, readPatients, withIssuerOfId } from './patient.ts';
import type { PatientTables } from './patient.ts';
import { readContents, narrowTable, normalisePlace, lookupIn, rememberedContents } from './places.ts';
import type { Contents } from './places.ts';
import { readStamp } from './stamp.ts';

/** How messages are read, a mapping applied. */
export interface OrderReading {
  readonly tables: Readonly<Record<OrderTable, readonly Mapping[]>>;
  readonly patients: PatientTables;
  readonly statusOf: StatusOf | undefined;
  readonly findSkip: FindSkip | undefined;
}

export function orderReading(options: Pick<ReadOptions, 'mapping'>): OrderReading {
  const mapping = withIssuerOfId(options.mapping);
  return {
    tables: {
      ORM: mappedTable(hl7Mappings.ORM, mapping, normalisePlace),
      OMI: mappedTable(hl7Mappings.OMI, mapping, normalisePlace),
      SIU: mappedTable(hl7Mappings.SIU, mapping, normalisePlace),
    },
    patients: patientTables(mapping),
    statusOf: statusReader(mapping, normalisePlace),
    findSkip: skipReader(mapping, normalisePlace, true),
  };
}

/**
 * An acknowledgement yields nothing; any other message without an order is reported. `isOpen`: the message ends where
 * the file does, without the end of a segment.
 */
export function readOrders(
  message: Message,
  position: Position,
  {
    times,
    tables,
    patients,
    statusOf,
    findSkip,
    isOpen,
    maxSubjects = Infinity,
  }: OrderReading & { times: Times; isOpen: boolean; maxSubjects?: number },
): readonly Reading[] {
  const header = message.segments[0];
  const [kind = '', event = ''] = readField(header, 9).split(message.separators.component);
  if (kind === 'ACK' || kind === 'ORR' || kind === 'ORI') return [];
  const own = { position, times: readTimes(message, times) };
  const events = [kind, `${kind}^${event}`];
  const isUnknown = kind === 'SIU' && !Object.hasOwn(appointments, event);
  const table = isUnknown ? undefined : findEntry(orderMessages, kind);
  const passedOver = table ? undefined : findSkip?.({ events, lookup: statusLookup(message) });
  if (passedOver) return [skipped(position, passedOver)];
  const openSegment = isOpen ? message.segments.at(-1) : undefined;
  if (kind === 'ADT')
    return openSegment && endsInPatientId(openSegment)
      ? [cutOff(position)]
      : readPatients(message, event, { ...own, tables: patients });
  if (!table) {
    const type = `${kind}^${event}`;
    const noOrder = /^\w{3}\^\w{3}$/.test(type)
      ? fileMessage('no_order', { kind: type })
      : fileMessage('no_order_at_all');
    const hint = fileMessage(kind === 'ORU' ? 'to_priors' : 'orders_read');
    return [problem(position, noOrder, hint, { place: 'MSH-9', isForeign: true })];
  }
  const mappings = tables[table];
  const { shared, orders: stated } = kind === 'SIU' ? appointmentIn(message, event) : ordersIn(message);
  checkSubjects(stated.length, maxSubjects);
  const above = rememberedContents(readContents({ ...message, segments: shared }));
  const { taken, passed } = passOver(stated, message, above, { findSkip, events });
  const readingsOfPassed = passed.map((why) => skipped(position, why));
  if (taken.length === 0 && passed.length > 0) return readingsOfPassed;
  if (kind !== 'SIU' && !hasPriorResults.has(kind) && secondPatient(message) !== -1) {
    return [problem(position, fileMessage('second_patient'), fileMessage('own_message'), { place: 'PID' })];
  }
  const orders = statusOf ? withStatuses(taken, message, above, statusOf) : taken;
  if (orders.length === 0) {
    return kind === 'SIU'
      ? [problem(position, fileMessage('no_sch'), fileMessage('message_cut'), { place: 'SCH' })]
      : [problem(position, fileMessage('no_orc'), fileMessage('message_cut'), { place: 'OBR' })];
  }
  const asked = orders.filter(({ meaning }) => meaning !== 'nothing');
  if (asked.length === 0) {
    const where = { place: 'ORC-1', isForeign: true, fault: 'value' } as const;
    return [problem(position, fileMessage('no_control'), fileMessage('controls'), where)];
  }
  const names = findSources(mappings, 'accession_number');
  const allOf = lookupIn(message);
  const saidBy = once((order: Order) => readFacts(order, message, mappings, own.times));
  const factsOf = (order: Order) => orderIn(saidBy(order), statusOfMeaning[order.meaning]);
  const rewrite = mappings.find(({ to }) => to === 'accession_number')?.rewrite;
  const hasStudy = findSources(mappings, 'study_uid').some((source) => allOf(source, 'study_uid'));
  const exams = examsIn(message, asked, { names, factsOf, hasStudy, ...(rewrite && { rewrite }) });
  const sources = new Set(exams.map(({ source }) => source));
  if (openSegment && [...sources].some((source) => mayBeCut(openSegment, message, mappings, source)))
    return [cutOff(position)];
  const sent = readStamp(message, own.times);
  const place = { ...own, table, above, isOpen, sent, saidBy };
  const readings = exams.map((exam) => readExam(message, exam, mappings, place));
  return [...withNumbersOfOrders(readings), ...readingsOfPassed];
}

const statusLookup = (message: Message, contents?: Contents) => {
  const lookup = lookupIn(message, contents);
  return (place: string) => lookup(place, 'status');
};

/** The orders that the rules of a mapping let through, and why each of the others is passed over. */
function passOver(
  orders: readonly Order[],
  message: Message,
  above: Contents,
  { findSkip, events }: { readonly findSkip: FindSkip | undefined; readonly events: readonly string[] },
): { taken: readonly Order[]; passed: readonly TextMessage[] } {
  if (!findSkip) return { taken: orders, passed: [] };
  const judged = orders.map((order) => {
    const contents = readContents({ ...message, segments: order.segments }, above);
    return { order, why: findSkip({ events, lookup: statusLookup(message, contents) }) };
  });
  return {
    taken: judged.flatMap(({ order, why }) => (why ? [] : [order])),
    passed: judged.flatMap(({ why }) => why ?? []),
  };
}

/** Messages whose orders are followed by results of before, of the patient or, of a child, of the mother. */
const hasPriorResults: ReadonlySet<string> = new Set(['OMG', 'OML']);

/** The segment is one of those that name a patient, and ends before what follows the id. */
const endsInPatientId = ({ name, fields }: Segment): boolean =>
  (name === 'PID' && fields.length <= 4) || (name === 'MRG' && fields.length <= 2);

const cutOff = (position: Position): Reading =>
  problem(position, fileMessage('ends_in_identifier'), fileMessage('end_segment'));

/** All accession numbers of the exam are read from one place. */
const withNumberAt =
  (lookup: Lookup, numberPlace: string | undefined): Lookup =>
  (source, to) =>
    to === 'accession_number' && source !== numberPlace ? undefined : lookup(source, to);

function hintAtIdentifiers(mappings: readonly Mapping[]): TextMessage {
  const names = findSources(mappings, 'accession_number');
  const accession_number = names.some((name) => name.startsWith('SCH')) ? ['SCH-1'] : ['OBR-2', 'ORC-2'];
  return fileMessage('read_from_places', {
    accession: names.join(', '),
    study: findSources(mappings, 'study_uid').join(', '),
    example: JSON.stringify({ fields: { accession_number } }),
  });
}

const findSources = (mappings: readonly Mapping[], field: string): readonly string[] =>
  mappings.find(({ to }) => to === field)?.from ?? [];

/** MSH-7 sets the zone of the whole message (2.15.9.7). */
export function readTimes({ segments }: Message, times: Times): Times {
  const [, offset] = /([+-]\d{4})$/.exec(readField(segments[0], 7)) ?? [];
  return offset === undefined ? times : { ...times, offset };
}

/** Whether the segment, without an end, may lack the identifier that would be taken, or a part of it. */
function mayBeCut(
  { name, fields }: Segment,
  { separators }: Message,
  mappings: readonly Mapping[],
  source: string | undefined,
): boolean {
  /** The last value that the message holds, as `ZDS-1.1`. */
  const lastPlace = `${name}-${fields.length - 1}.${(fields.at(-1) ?? '').split(separators.component).length}`;
  const accession = findSources(mappings, 'accession_number');
  const better = source === undefined ? [] : accession.slice(0, accession.indexOf(source));
  const identifying = identifierNames.flatMap((name) => findSources(mappings, name));
  // Fields before the last one that is there are empty, and stay so.
  const mayFollow = (place: string): boolean =>
    place.startsWith(`${name}-`) && Number.parseInt(place.slice(name.length + 1), 10) >= fields.length - 1;
  return identifying.includes(lastPlace) || better.some(mayFollow);
}

/** Orders with the status that a mapping reads from them, if they have one. */
const withStatuses = (orders: readonly Order[], message: Message, above: Contents, statusOf: StatusOf): Order[] =>
  orders.map((order) => {
    const status = statusOf(statusLookup(message, readContents({ ...message, segments: order.segments }, above)));
    if (status === undefined || status === 'unknown') return order;
    return status === 'cancelled' ? { ...order, meaning: status } : { ...order, examStatus: status };
  });

const isPlacedBefore = ({ meaning }: Order): boolean => meaning !== 'placed';
const isCancelled = ({ meaning }: Order): boolean => meaning === 'cancelled';

const noRequest = fileMessage('read_from_obr');

/** Metadata about the id of the patient. */
const patientIdFacts = ['patient_id_issuer', 'patient_id_system', 'patient_id_type'] as const;

interface ExamPlace {
  readonly table: OrderTable;
  readonly position: Position;
  readonly times: Times;
  /** Content above the orders. */
  readonly above: Contents;
  /** The message may be cut off behind its last segment's last value. */
  readonly isOpen: boolean;
  readonly sent: MessageStamp;
  /** Reads the facts of a single order. */
  readonly saidBy: (order: Order) => Draft;
}

/** The orders that are not cancelled describe the exam; if all are cancelled, so is the exam. */
function readExam(
  message: Message,
  { source, orders }: ExamOrders,
  mappings: readonly Mapping[],
  { table, position, times, above, isOpen, sent, saidBy }: ExamPlace,
): Reading {
  const open = orders.filter((order) => !isCancelled(order));
  const isWhole = open.length > 0;
  const telling = isWhole ? open : orders;
  const contents = readContents({ ...message, segments: telling.flatMap((order) => order.segments) }, above);
  const draft = newDraft();
  // Defaults of a mapping do not apply to an exam that is cancelled, or that the message does not describe.
  const isDescribed = isWhole && telling.some(hasRequest);
  const lookup = withNumberAt(lookupIn(message, contents), source);
  const rows = narrowTable(mappings, contents);
  fill(draft, isDescribed ? rows : rows.map(withoutPreset), lookup, times);
  // An identifier cannot be deleted, and neither can, then, who gave it.
  if (draft.fields['patient_id'] === undefined) for (const name of patientIdFacts) delete draft.metadata[name];
  if (isWhole) tellMore(draft, contents, open);
  if (telling.length > 1) {
    describe(draft, telling.map(saidBy));
    // Where the first order says nothing of a modality, another may.
    if (isWhole) takeModalityFromWords(draft);
  }
  const other = otherWorkIn(draft, telling.length > 1 ? telling.map(saidBy) : [draft], contents, position);
  if (other) return other;
  // A cancelling message says little about the exam, so the stored metadata stays.
  const stated = isWhole ? draft : { ...draft, metadata: {} };
  const ownOrders = numbered(orders, orders.length === 1 ? () => draft : saidBy, sent);
  const booked =
    table === 'SIU' && ownOrders.length === 0 ? byAppointment(message, { source, orders }, draft, sent) : undefined;
  const numberedOrders = booked ? [booked] : ownOrders;
  if (numberedOrders.length > maxOrders)
    draft.warnings.push(fileMessage('too_many_orders', { count: numberedOrders.length, limit: maxOrders }));
  const isNamed = identifierNames.some((name) => draft.fields[name] !== undefined);
  // The service knows orders by their own numbers, among those of the patient; those of placers serve for new exams, too.
  const isNumbered =
    orders.every(isPlacedBefore) ||
    numberedOrders.some((order) => order.status !== 'cancelled' && order.placer_order_number !== undefined);
  const isKnown = numberedOrders.length > 0 && draft.fields['patient_id'] !== undefined && isNumbered;
  if (isOpen && isKnown && !isNamed) return cutOff(position);
  const hint = () => (orders.some(hasRequest) ? hintAtIdentifiers(mappings) : noRequest);
  return finished(stated, position, isKnown ? undefined : hint, {
    ...(!isWhole && { status: 'cancelled' }),
    ...(open.some(({ meaning }) => meaning === 'placed') && { order: 'placed' }),
    ...(numberedOrders.length > 0 && { orders: numberedOrders.slice(-maxOrders) }),
    table,
  });
}

/** The problem of an order for something else than an exam: another department, a specimen, or the detail of another service. */
function otherWorkIn(
  { fields: { modality } }: Draft,
  said: readonly Draft[],
  contents: Contents,
  position: Position,
): Problem | undefined {
  if (isLaboratory(modality)) return laboratoryOrder(position, 'OBR-24', modality);
  if (modality !== undefined) return undefined;
  if (contents.count('SPM') > 0) return specimenOrder(position);
  const isRequest = contents.count('OBR') > 0;
  const detail = isRequest ? undefined : otherDetails.find((name) => contents.count(name) > 0);
  if (detail !== undefined) return otherOrder(position, detail);
  const areTests = said.every(({ fields }) => isLaboratoryTest(fields['exam_description']));
  return areTests ? laboratoryOrder(position, isRequest ? 'OBR-4' : 'AIS-3') : undefined;
}

/** A preset accession issuer is a part of the identifier, and stays. */
const withoutPreset = ({ otherwise, ...mapping }: Mapping): Mapping =>
  mapping.to === 'accession_issuer' && otherwise !== undefined ? { ...mapping, otherwise } : mapping;

function tellMore(draft: Draft, contents: Contents, open: readonly Order[]): void {
  const steps = contents.count('IPC');
  if (steps > 1) draft.warnings.push(fileMessage('steps', { count: steps }));
  const examStatus = examStatusOfAll(open.map((order) => order.examStatus));
  if (examStatus !== undefined) put(draft, 'exam_status', examStatus);
  takeModalityFromWords(draft);
}

function once<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** The facts of each order. Cancelled orders come first, since the open one counts if a message has the same order twice. */
function numbered(orders: readonly Order[], saidBy: (order: Order) => Draft, sent: MessageStamp): NumberedOrder[] {
  const sorted = [...orders.filter(isCancelled), ...orders.filter((order) => !isCancelled(order))];
  return sorted.flatMap((order) => {
    const said = orderIn(saidBy(order), statusOfMeaning[order.meaning]);
    return said ? [{ ...said, ...sent }] : [];
  });
}

/**
 * The order of an appointment that only the numbers of the appointment name: they serve as those of its order. `undefined` of one
 * that is booked by the filler's number alone, which is the exam's.
 */
function byAppointment(
  message: Message,
  { source, orders }: ExamOrders,
  { fields, metadata }: Draft,
  sent: MessageStamp,
): NumberedOrder | undefined {
  const lookup = lookupIn(message);
  const placer = lookup('SCH-1.1', 'metadata.placer_order_number');
  const meanings = orders.map(({ meaning }) => meaning);
  const meaning = (['placed', 'told'] as const).find((each) => meanings.includes(each)) ?? 'cancelled';
  if ((!placer && meaning !== 'cancelled') || (source !== undefined && source !== 'SCH-2.1')) return undefined;
  // The time of its message is no time of an appointment, as it would be of an order.
  if (meaning === 'placed' && fields['exam_datetime'] === undefined) return undefined;
  const filler = lookup('SCH-2.1', 'metadata.filler_order_number');
  const { appointment_number: _, ...facts } = metadata;
  const numbers = { ...facts, placer_order_number: placer, filler_order_number: filler };
  const order = readOrder(numbers, statusOfMeaning[meaning], fields);
  return order && { ...order, ...sent };
}

/** A change of a cancelled order does not place it again. */
const statusOfMeaning: Readonly<Record<Meaning, NumberedOrder['status']>> = {
  placed: 'open',
  told: undefined,
  nothing: undefined,
  cancelled: 'cancelled',
};

/** The exam is what all of its orders ask for. */
function describe(draft: Draft, said: readonly Draft[]): void {
  const texts = said.flatMap(({ fields: { exam_description: text } }) => (typeof text === 'string' ? [text] : []));
  if (texts.length > 0) put(draft, 'exam_description', describedBy(texts));
}

const areFacts: ReadonlySet<string> = new Set<string>([
  ...askedFields,
  ...orderFacts.map((name) => `metadata.${name}`),
]);

function readFacts(
  { segments }: Order,
  message: Omit<Message, 'segments'>,
  mappings: readonly Mapping[],
  times: Times,
): Draft {
  const draft = newDraft();
  const own = mappings.filter(({ to }) => areFacts.has(to));
  fill(draft, own, lookupIn({ ...message, segments }), times);
  if (draft.isModalityPreset) takeModalityFromWords(draft);
  return draft;
}
