/** The exams that an order message asks for, one for each accession number in it. */
import { identifierNames } from '../../domain/normalise.ts';
import { fill, finished, newDraft } from '../draft.ts';
import type { Lookup } from '../draft.ts';
import type { Times } from '../kinds.ts';
import { problem } from '../reading.ts';
import type { OrderState, Position, Reading } from '../reading.ts';
import { cancelling, hl7Mappings, placing } from './fields.ts';
import type { OrderMessage } from './fields.ts';
import { componentOf, deletion, fieldOf, repetitionsOf } from './message.ts';
import type { Message, Segment } from './message.ts';

/**
 * An acknowledgement yields nothing; any other message without an order is reported. `isOpen`: the message ends where
 * the file does, without the end of a segment.
 */
export function readOrders(message: Message, position: Position, times: Times, isOpen: boolean): readonly Reading[] {
  const header = message.segments[0];
  const [kind = '', trigger = ''] = fieldOf(header, 9).split(message.separators.component);
  if (kind === 'ACK') return [];
  if (!isOrder(kind)) {
    const named = /^\w{3}\^\w{3}$/.test(`${kind}^${trigger}`) ? `, but ${kind}^${trigger}` : '';
    const hint = kind === 'ORU' ? 'Reports are imported by laudio prior import.' : 'ORM^O01 and OMI^O23 are read.';
    return [problem(position, `It is no order${named}.`, hint)];
  }
  const identifying = identifierNames.flatMap((name) => hl7Mappings[kind].find(({ to }) => to === name)?.from ?? []);
  if (isOpen && identifying.includes(lastPlace(message))) {
    const hint = 'If it is complete, end the last segment with a line break.';
    return [problem(position, 'The file ends inside an identifier, which may be cut off.', hint)];
  }
  const { shared, exams } = ordersOf(message, hl7Mappings[kind][0].from[0]);
  if (exams.length === 0) return [problem(position, 'The order has neither ORC nor OBR.', 'Is the message cut off?')];
  const own = timesOf(message, times);
  return exams.map((orders) => readExam({ ...message, segments: shared }, orders, kind, { position, times: own }));
}

/** MSH-7 sets the zone of the whole message (2.15.9.7). */
export function timesOf({ segments }: Message, times: Times): Times {
  const [, offset] = /([+-]\d{4})$/.exec(fieldOf(segments[0], 7)) ?? [];
  return offset === undefined ? times : { ...times, offset };
}

/** The last value that the message holds, as `ZDS-1.1`. */
function lastPlace({ segments, separators }: Message): string {
  const { name, fields } = segments.at(-1)!;
  return `${name}-${fields.length - 1}.${(fields.at(-1) ?? '').split(separators.component).length}`;
}

const isOrder = (kind: string): kind is OrderMessage => Object.hasOwn(hl7Mappings, kind);

/** An ORC with what follows it; an order without an ORC of its own is under the control of the one before. */
interface Order {
  readonly segments: Segment[];
  readonly control: Segment | undefined;
}

/**
 * The segments of the patient, and the orders by exam: those with the same accession number, or none, are parts of one.
 */
function ordersOf(message: Message, accession: string): { shared: readonly Segment[]; exams: (readonly Order[])[] } {
  const shared: Segment[] = [];
  const orders: Order[] = [];
  for (const segment of message.segments) {
    const current = orders.at(-1);
    const begins =
      segment.name === 'ORC' || (segment.name === 'OBR' && !current?.segments.every(({ name }) => name !== 'OBR'));
    if (begins) orders.push({ segments: [segment], control: segment.name === 'ORC' ? segment : current?.control });
    else (current?.segments ?? shared).push(segment);
  }
  const exams = new Map<string, Order[]>();
  let latest = '';
  for (const order of orders) {
    const number = lookupIn({ ...message, segments: order.segments })(accession) ?? '';
    if (number !== '' || exams.size === 0) latest = number;
    exams.set(latest, [...(exams.get(latest) ?? []), order]);
  }
  return { shared, exams: [...exams.values()] };
}

const isCancelled = ({ control }: Order): boolean =>
  cancelling.controls.has(fieldOf(control, 1)) || cancelling.statuses.has(fieldOf(control, 5));

/** Of the orders of an exam, those that are not cancelled tell what it is; where all are, it is cancelled. */
function readExam(
  { segments: shared, ...message }: Message,
  orders: readonly Order[],
  kind: OrderMessage,
  { position, times }: { position: Position; times: Times },
): Reading {
  const open = orders.filter((order) => !isCancelled(order));
  const telling = open.length > 0 ? open : orders;
  const segments = [...shared, ...telling.flatMap((order) => order.segments)];
  const draft = newDraft();
  fill(draft, hl7Mappings[kind], lookupIn({ ...message, segments }), times);
  // An identifier cannot be deleted, and neither can, then, who gave it.
  if (draft.fields['patient_id'] === undefined) delete draft.metadata['patient_id_issuer'];
  const steps = segments.filter(({ name }) => name === 'IPC').length;
  if (steps > 1) draft.warnings.push(`${steps} steps are scheduled under one accession number; the first was taken.`);
  const [accession, study] = hl7Mappings[kind].map(({ from }) => from[0]);
  // A cancelling message says little about the exam, so the stored metadata stays.
  const stated = open.length === 0 ? { ...draft, metadata: {} } : draft;
  const states = orderStates(orders, message.separators.component);
  return finished(stated, position, `${accession} and ${study}`, {
    ...(open.length === 0 && { status: 'cancelled' }),
    ...(open.some(({ control }) => fieldOf(control, 1) === placing) && { order: 'placed' }),
    ...(Object.keys(states).length > 0 && { orders: states }),
  });
}

/** By the placer's number (ORC-2), or the filler's (ORC-3). */
function orderStates(orders: readonly Order[], separator: string): Record<string, OrderState> {
  const states = orders.map((order): [string, OrderState] => {
    const [placer, filler] = [2, 3].map((field) => fieldOf(order.control, field).split(separator)[0]!.trim());
    return [placer || filler || '', isCancelled(order) ? 'cancelled' : 'open'];
  });
  // A name that the service does not take would cost the whole request.
  const unfit = ['', deletion, '__proto__'];
  return Object.fromEntries(states.filter(([number]) => !unfit.includes(number)));
}

/** The value at a place such as `OBR-4.2`: `undefined` where empty, `null` where the sender deletes it. */
export function lookupIn(message: Message): Lookup {
  const byName = Map.groupBy(message.segments, ({ name }) => name);
  return (source) => {
    const { segment, field, component } = placeOf(source);
    const segments = byName.get(segment) ?? [];
    if (source === 'NTE-3') return notesOf(segments, message);
    const text = fieldOf(
      segments.find((candidate) => fieldOf(candidate, field) !== ''),
      field,
    );
    if (text === '') return undefined;
    if (text === deletion) return null;
    const composite = composites[source];
    const value = composite ? composite(repetitionsOf(text, message)) : componentOf(text, component, message);
    return value === deletion ? null : value === '' ? undefined : value;
  };
}

interface Place {
  readonly segment: string;
  readonly field: number;
  readonly component: number;
}

const places = new Map<string, Place>();

/** `OBR-4.2`; without a component the first is meant. */
function placeOf(source: string): Place {
  let place = places.get(source);
  if (!place) {
    const [, segment, field, component = '1'] = /^(\w{3})-(\d+)(?:\.(\d+))?$/.exec(source)!;
    places.set(source, (place = { segment: segment!, field: Number(field), component: Number(component) }));
  }
  return place;
}

const notesOf = (segments: readonly Segment[], message: Message): string | null | undefined => {
  const lines = segments.flatMap((segment) =>
    repetitionsOf(fieldOf(segment, 3), message).map(([first]) => first?.[0] ?? ''),
  );
  const text = lines.filter((line) => line !== '' && line !== deletion).join('\n');
  return text !== '' ? text : lines.includes(deletion) ? null : undefined;
};

/** Fields of several parts, by what they are. */
const composites: Readonly<Record<string, (repetitions: readonly string[][][]) => string>> = {
  'PID-5': patientName,
  'PV1-8': (repetitions) => physician(repetitions[0] ?? []),
  'OBR-16': (repetitions) => physician(repetitions[0] ?? []),
  // NDL, whose first component is a CNN (2.A.47, 2.A.8): its subcomponents are an id and a name.
  'OBR-32': ([[name = []] = []]) => physician(name.map((part) => [part])),
  // PL: point of care, room, bed (2.A.53).
  'PV1-3': ([place = []]) =>
    place
      .slice(0, 3)
      .map(([part = '']) => part)
      .filter((part) => part !== '' && part !== deletion)
      .join(', '),
};

/**
 * XPN (2.A.88) as a DICOM person name (PS3.5 6.2.1.1): HL7 has the suffix before the prefix, DICOM after it. Other
 * writings of the name are repetitions with a code in component 8.
 */
function patientName(repetitions: readonly string[][][]): string {
  const writing = (codes: readonly string[]): string => {
    const name = repetitions.find((writing) => codes.includes(writing[7]?.[0] ?? ''));
    return name ? personName(name, 0) : '';
  };
  return [writing(['', 'A']), writing(['I']), writing(['P'])].join('=').replace(/=+$/, '');
}

/** XCN (2.A.86): an identifier, then a name. */
const physician = (components: readonly string[][]): string => personName(components, 1);

/** Family, given, middle, suffix, prefix, degree, from component `at`. */
function personName(components: readonly string[][], at: number): string {
  const [family, given, middle, suffix, prefix, degree] = [0, 1, 2, 3, 4, 5].map((index) => {
    const part = components[at + index]?.[0] ?? '';
    // What separates the parts of a DICOM name cannot stand inside one.
    return part === deletion ? '' : part.replace(/[\^=]/g, ' ');
  });
  return [family, given, middle, prefix, suffix === '' ? degree : suffix].join('^').replace(/\^+$/, '');
}
