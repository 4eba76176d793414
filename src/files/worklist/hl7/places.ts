/** The values at places of a message, such as `OBR-4.2` or `PID-3[2].1`. */
import type { Lookup, Mapping } from '../draft.ts';
import { remembering } from '../remembering.ts';
import {
  readComponent,
  deletion,
  readField,
  linesOfText,
  readRepetitions,
  readSubcomponent,
  textOfComponent,
} from './message.ts';
import type { Message, Segment } from './message.ts';
import { preferredId } from './patient-ids.ts';

interface Place {
  readonly segment: string;
  readonly field: number;
  /** Counted from 1; the first if absent. */
  readonly repetition: number | undefined;
  /** Counted from 1; `undefined`: the whole field. */
  readonly component: number | undefined;
  /** Counted from 1; the first with a value if absent. */
  readonly subcomponent: number | undefined;
}

const form = /^([A-Z][A-Z\d]{2})[-.](\d{1,3})(?:\[(\d{1,3})\])?(?:[.-](\d{1,3}))?(?:[.-](\d{1,3}))?$/i;

const numberIn = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

function parsePlace(source: string): Place | undefined {
  const [, segment, field, repetition, component, subcomponent] = form.exec(source.trim()) ?? [];
  if (segment === undefined) return undefined;
  return {
    segment: segment.toUpperCase(),
    field: Number(field),
    repetition: numberIn(repetition),
    component: numberIn(component),
    subcomponent: numberIn(subcomponent),
  };
}

const placeOf = remembering(parsePlace);

/** The place of a mapping in the words of the tables, which name a component where the field is not taken whole. */
export function normalisePlace(source: string, to: string): string | undefined {
  const place = parsePlace(source);
  if (!place) return undefined;
  const { segment, field, repetition, component, subcomponent } = place;
  const whole = `${segment}-${field}${repetition === undefined ? '' : `[${repetition}]`}`;
  if (component === undefined) return Object.hasOwn(composites, to) || whole === 'NTE-3' ? whole : `${whole}.1`;
  return `${whole}.${component}${subcomponent === undefined ? '' : `.${subcomponent}`}`;
}

/** The content of segments. */
export interface Contents {
  /** The first value of a field in the segments of that name, as it is written; empty if there is none. */
  first(segment: string, field: number): string;
  /** The lines of all notes; `null`: they are to be deleted. */
  notes(): string | null | undefined;
  count(segment: string): number;
  /** The same for contents with values in the same fields, and for no others; `undefined` if there are too many. */
  shape(): string | undefined;
}

/** In characters; each segment of an order takes about ten. */
const maxShape = 1000;
const nameLength = 'PID'.length;
/** Fields of a segment that a part of a shape is about. */
const maskBits = 30;

/** The name of a segment, and which of its fields have a value. No place is in a segment of a longer name, which might imitate others. */
function shapeSegment({ name, fields }: Segment): string {
  if (name.length !== nameLength) return '';
  let shape = name;
  for (let from = 1; from < fields.length; from += maskBits) {
    let mask = 0;
    const end = Math.min(from + maskBits, fields.length);
    for (let at = from; at < end; at++) if (fields[at] !== '') mask |= 1 << (at - from);
    shape += ` ${mask}`;
  }
  return `${shape}|`;
}

const none: readonly Segment[] = [];

/** `above`: content above the segments, which other segments share. */
export function readContents({ segments, ...message }: Message, above?: Contents): Contents {
  const byName = Map.groupBy(segments, ({ name }) => name);
  const of = (name: string): readonly Segment[] => byName.get(name) ?? none;
  return {
    first(name, field) {
      const shared = above?.first(name, field) ?? '';
      if (shared !== '') return shared;
      for (const segment of of(name)) {
        const value = readField(segment, field);
        if (value !== '') return value;
      }
      return '';
    },
    notes() {
      const both = [above?.notes(), readNotes(of('NTE'), { ...message, segments })];
      return both.filter((text) => typeof text === 'string').join('\n') || both.find((text) => text === null);
    },
    count: (name) => (above?.count(name) ?? 0) + of(name).length,
    shape() {
      let shape = above ? above.shape() : '';
      for (const segment of segments) {
        if (shape === undefined || shape.length > maxShape) return undefined;
        shape += shapeSegment(segment);
      }
      return shape;
    },
  };
}

/** The same, looked for once: a message may have many orders below long notes. */
export function rememberedContents(contents: Contents): Contents {
  const known = new Map<string, string[]>();
  let notes: { readonly text: string | null | undefined } | undefined;
  let shape: { readonly text: string | undefined } | undefined;
  return {
    ...contents,
    first(name, field) {
      let values = known.get(name);
      if (!values) known.set(name, (values = []));
      return (values[field] ??= contents.first(name, field));
    },
    notes: () => (notes ??= { text: contents.notes() }).text,
    shape: () => (shape ??= { text: contents.shape() }).text,
  };
}

/** The rows of a table by the shape of contents: a system sends messages of few shapes. */
const narrowed = new WeakMap<readonly Mapping[], Map<string, readonly Mapping[]>>();
const maxShapes = 100;

/** The rows that the contents can fill, each with the places that have a value. */
export function narrowTable(table: readonly Mapping[], contents: Contents): readonly Mapping[] {
  const shape = contents.shape();
  if (shape === undefined) return table;
  const known = narrowed.get(table) ?? new Map<string, readonly Mapping[]>();
  narrowed.set(table, known);
  const before = known.get(shape);
  if (before) return before;
  const hasValue = (source: string): boolean => {
    const place = placeOf(source);
    return place !== undefined && contents.first(place.segment, place.field) !== '';
  };
  const rows = table.flatMap((row): Mapping[] => {
    const from = row.from.filter(hasValue);
    return from.length > 0 || row.copy !== undefined || row.otherwise !== undefined ? [{ ...row, from }] : [];
  });
  if (known.size >= maxShapes) known.clear();
  known.set(shape, rows);
  return rows;
}

/**
 * The value at a place of a message, or of contents of it: `undefined` where empty, `null` where the sender deletes it. `to` says what
 * a whole field is.
 */
export function lookupIn(message: Message, contents = readContents(message)): Lookup {
  return (source, to) => {
    const place = placeOf(source);
    if (!place) return undefined;
    if (place.segment === 'NTE' && place.field === 3) return contents.notes();
    const whole = contents.first(place.segment, place.field);
    const text = place.repetition === undefined && isPatientId(place) ? preferredId(whole, message) : whole;
    if (text === '') return undefined;
    if (text === deletion) return null;
    const value = valueIn(text, place, { message, source, to });
    return value === deletion ? null : value === '' ? undefined : value;
  };
}

const isPatientId = ({ segment, field }: Place): boolean => segment === 'PID' && field === 3;

interface ValueRequest {
  readonly message: Message;
  readonly source: string;
  readonly to: string;
}

function valueIn(text: string, place: Place, { message, source, to }: ValueRequest): string {
  const { repetition, component, subcomponent } = place;
  // Nearly all places are of these kinds.
  if (component !== undefined && repetition === undefined) {
    if (subcomponent !== undefined) return readSubcomponent(text, component, subcomponent, message);
    const isText = component === 1 && place.segment === 'OBR' && place.field === 13;
    const isParted = isText || text.includes(message.separators.subcomponent);
    if (isParted && isCoded(to)) return readComponent(text, component, message);
    if (isText) return linesOfText(text, message).join('\n').trim();
    return textOfComponent(text, component, message);
  }
  const all = readRepetitions(text, message);
  const repetitions = repetition === undefined ? all : all.slice(repetition - 1, repetition);
  if (component === undefined) return (composites[to] ?? ofSource[source] ?? plain)(repetitions);
  const leaves = repetitions[0]?.[component - 1] ?? [];
  return subcomponent === undefined ? (leaves.find((leaf) => leaf !== '') ?? '') : (leaves[subcomponent - 1] ?? '');
}

/** Fields of numbers, codes and who gave them, whose subcomponents are parts of them; the others are words. */
const isCoded = remembering((to) =>
  /(?:_id|_number|_issuer|_uid|_code|_system|_type|_class|_date|_datetime|_sex)$|^(?:modality|status|location)$|^metadata\.priority$/.test(
    to,
  ),
);

const readNotes = (segments: readonly Segment[], message: Message): string | null | undefined => {
  const lines = segments.flatMap((segment) => linesOfText(readField(segment, 3), message)).map((line) => line.trim());
  const text = lines.filter((line) => line !== '' && line !== deletion).join('\n');
  return text !== '' ? text : lines.includes(deletion) ? null : undefined;
};

type Composite = (repetitions: readonly string[][][]) => string;

const plain: Composite = ([[leaves = []] = []]) => leaves.find((leaf) => leaf !== '') ?? '';

/** Whole fields, by what they fill. */
const composites: Readonly<Record<string, Composite>> = {
  patient_name: patientName,
  referring_physician: (repetitions) => physician(repetitions[0] ?? []),
  /** A coded element (2.A.13): its text, else that of the other system, else the code. */
  exam_description: ([components = []]) =>
    [1, 4, 0].map((at) => components[at]?.[0] ?? '').find((text) => text !== '' && text !== deletion) ?? '',
  /** PL: point of care, room, bed (2.A.53). */
  location: ([place = []]) =>
    place
      .slice(0, 3)
      .map(([part = '']) => part)
      .filter((part) => part !== '' && part !== deletion)
      .join(', '),
};

const ofSource: Readonly<Record<string, Composite>> = {
  // NDL, whose first component is a CNN (2.A.47, 2.A.8): its subcomponents are an id and a name.
  'OBR-32': ([[name = []] = []]) => physician(name.map((part) => [part])),
};

/** HL7 table 0200: names at birth, aliases and those that are used no more come last. */
const nameTypes = ['L', ''];

/**
 * XPN (2.A.88) as a DICOM person name (PS3.5 6.2.1.1): HL7 has the suffix before the prefix, DICOM after it. Other
 * writings of the name are repetitions with a code in component 8. Of several names the legal one counts, then one of no type.
 */
function patientName(repetitions: readonly string[][][]): string {
  const writing = (codes: readonly string[]): string => {
    const names = repetitions.filter((writing) => codes.includes(writing[7]?.[0] ?? ''));
    const typed = nameTypes.map((type) => names.find((each) => (each[6]?.[0] ?? '') === type));
    const name = typed.find((each) => each !== undefined) ?? names[0];
    return name ? personName(name, 0) : '';
  };
  return [writing(['', 'A']), writing(['I']), writing(['P'])].join('=').replace(/(?<!=)=+$/, '');
}

/** XCN (2.A.86): an identifier, then a name; of senders that know no identifiers, a name in its place. */
function physician(components: readonly string[][]): string {
  const name = personName(components, 1);
  const first = components[0]?.[0] ?? '';
  return name === '' && isName(first) ? first : name;
}

/** Whether there are two letters in a row, and a space or a comma before or behind them. */
function isName(text: string): boolean {
  const separator = text.search(/[\s,]/);
  if (separator !== -1 && /\p{L}{2}/u.test(text.slice(separator + 1))) return true;
  const letters = text.search(/\p{L}{2}/u);
  return letters !== -1 && /[\s,]\S/.test(text.slice(letters));
}

/** Family, given, middle, suffix, prefix, degree, from component `at`. */
function personName(components: readonly string[][], at: number): string {
  const [family, given, middle, suffix, prefix, degree] = [0, 1, 2, 3, 4, 5].map((index) => {
    const part = components[at + index]?.[0] ?? '';
    // A part of a DICOM name cannot hold the separators of its parts.
    return part === deletion ? '' : part.replace(/[\^=]/g, ' ');
  });
  return [family, given, middle, prefix, suffix === '' ? degree : suffix].join('^').replace(/(?<!\^)\^+$/, '');
}
