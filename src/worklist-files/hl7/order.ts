/** The exams that an order message asks for, one for each accession number in it. */
import { identifierNames } from '../../domain/normalise.ts';
import { fill, finished, newDraft } from '../draft.ts';
import type { Lookup } from '../draft.ts';
import type { Times } from '../kinds.ts';
import { problem } from '../reading.ts';
import type { Position, Reading } from '../reading.ts';
import { cancelling, hl7Mappings } from './fields.ts';
import type { OrderMessage } from './fields.ts';
import { componentOf, deletion, fieldOf, repetitionsOf } from './message.ts';
import type { Message, Segment } from './message.ts';

/**
 * An acknowledgement asks for nothing; anything else that is no order is told. `isOpen`: the message ends where the file
 * does, without the end of a segment.
 */
export function readOrders(message: Message, position: Position, times: Times, isOpen: boolean): readonly Reading[] {
  const header = message.segments[0];
  const [kind = '', trigger = ''] = fieldOf(header, 9).split(message.separators.component);
  if (kind === 'ACK') return [];
  if (!isOrder(kind)) {
    const named = /^\w{3}\^\w{3}$/.test(`${kind}^${trigger}`) ? `, but ${kind}^${trigger}` : '';
    return [problem(position, `It is no order${named}.`, 'ORM^O01 and OMI^O23 are read.')];
  }
  const identifying = identifierNames.flatMap((name) => hl7Mappings[kind].find(({ to }) => to === name)?.from ?? []);
  if (isOpen && identifying.includes(lastPlace(message))) {
    const hint = 'If it is complete, end the last segment with a line break.';
    return [problem(position, 'The file ends inside an identifier, which may be cut off.', hint)];
  }
  const orders = ordersOf(message, hl7Mappings[kind][0].from[0]);
  if (orders.length === 0) return [problem(position, 'The order has neither ORC nor OBR.', 'Is the message cut off?')];
  const [, offset] = /([+-]\d{4})$/.exec(fieldOf(header, 7)) ?? [];
  // MSH-7 sets the zone of the whole message (2.15.9.7).
  const own = offset === undefined ? times : { ...times, offset };
  return orders.map((segments) => readOrder({ ...message, segments }, kind, position, own));
}

/** The last value that the message holds, as `ZDS-1.1`. */
function lastPlace({ segments, separators }: Message): string {
  const { name, fields } = segments.at(-1)!;
  return `${name}-${fields.length - 1}.${(fields.at(-1) ?? '').split(separators.component).length}`;
}

const isOrder = (kind: string): kind is OrderMessage => Object.hasOwn(hl7Mappings, kind);

/**
 * The segments of each order, those of the patient before them. Orders with the same accession number, or none, are
 * parts of one exam.
 */
function ordersOf(message: Message, accession: string): (readonly Segment[])[] {
  const shared: Segment[] = [];
  const orders: Segment[][] = [];
  for (const segment of message.segments) {
    const current = orders.at(-1);
    const begins =
      segment.name === 'ORC' || (segment.name === 'OBR' && !(current && current.every(({ name }) => name !== 'OBR')));
    if (begins) orders.push([segment]);
    else (current ?? shared).push(segment);
  }
  const exams = new Map<string, Segment[]>();
  let latest = '';
  for (const order of orders) {
    const found = lookupIn({ ...message, segments: order })(accession) ?? '';
    if (found !== '' || exams.size === 0) latest = found;
    exams.set(latest, [...(exams.get(latest) ?? shared), ...order]);
  }
  return [...exams.values()];
}

function readOrder(message: Message, kind: OrderMessage, position: Position, times: Times): Reading {
  const draft = newDraft();
  fill(draft, hl7Mappings[kind], lookupIn(message), times);
  const order = message.segments.find(({ name }) => name === 'ORC');
  const isCancelled = cancelling.controls.has(fieldOf(order, 1)) || cancelling.statuses.has(fieldOf(order, 5));
  const steps = message.segments.filter(({ name }) => name === 'IPC').length;
  if (steps > 1) draft.warnings.push(`${steps} steps are scheduled under one accession number; the first was taken.`);
  const [accession, study] = hl7Mappings[kind].map(({ from }) => from[0]);
  // Whoever cancels tells little; what is stored about the exam stays.
  const told = isCancelled ? { ...draft, metadata: {} } : draft;
  return finished(told, position, `${accession} and ${study}`, isCancelled ? 'cancelled' : undefined);
}

/** What stands at `OBR-4.2` and the like: `undefined` where it is empty, `null` where it is to be deleted. */
function lookupIn(message: Message): Lookup {
  const byName = Map.groupBy(message.segments, ({ name }) => name);
  return (source) => {
    const { segment, field, component } = places.get(source)!;
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

const places: ReadonlyMap<string, Place> = new Map(
  Object.values(hl7Mappings)
    .flatMap((mappings) => mappings.flatMap(({ from }) => from))
    .map((source) => {
      const [, segment, field, component = '1'] = /^(\w{3})-(\d+)(?:\.(\d+))?$/.exec(source)!;
      return [source, { segment: segment!, field: Number(field), component: Number(component) }];
    }),
);

const notesOf = (segments: readonly Segment[], message: Message): string | undefined => {
  const lines = segments.flatMap((segment) =>
    repetitionsOf(fieldOf(segment, 3), message).map(([first]) => first?.[0] ?? ''),
  );
  const text = lines.filter((line) => line !== '' && line !== deletion).join('\n');
  return text === '' ? undefined : text;
};

/** Fields of several parts, by what they are. */
const composites: Readonly<Record<string, (repetitions: readonly string[][][]) => string>> = {
  'PID-5': patientName,
  'PV1-8': (repetitions) => physician(repetitions[0] ?? []),
  'OBR-16': (repetitions) => physician(repetitions[0] ?? []),
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
    const found = repetitions.find((name) => codes.includes(name[7]?.[0] ?? ''));
    return found ? personName(found, 0) : '';
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
