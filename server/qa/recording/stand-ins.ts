/**
 * Replaces everything that may describe a patient or be a secret by something of the same kind: a name, a date, a text of the
 * same length. A value always has the same stand-in, so that the calls of a recording remain consistent. Exceptions are those
 * of the inspector.
 */
import { isPlainObject } from '../../../src/domain/normalise.ts';
import { normalForm } from '../../../src/domain/normal-form.ts';
import { displayName } from '../../../src/domain/person-name.ts';
import { sectionKind } from '../../../src/reporting/sections/section-kinds.ts';
import { shippedTemplates } from '../../../src/reporting/templates/shipped/index.ts';
import type { JsonSchema } from '../../../src/contract/schema.ts';
import { flattenSchema, holdsNumbers, isOwnText } from '../inspector/redact.ts';
import { elementAt } from '../../../src/domain/elements.ts';

/** A replaced value; these are in the order of the message. */
export interface Replacement {
  readonly actual: string;
  readonly standIn: string;
}

export interface StandIns {
  /** The value with stand-ins; `name` is the field's. */
  value(value: unknown, schema: JsonSchema | undefined, name?: string): unknown;
  /** The same without fields that the schema lacks, which makes an invalid answer valid. */
  answer(value: unknown, schema: JsonSchema): unknown;
  text(text: string, schema: JsonSchema | undefined, name: string): string;
  /** All replacements so far. */
  readonly replaced: readonly Replacement[];
}

interface StandInOptions {
  /**
   * `written`: values that fit the schema. `shape`: the common form of messages that differ only in patient data; values are
   * numbered within the message, and fields of the contract are sorted.
   */
  readonly as: 'written' | 'shape';
}

type Family = 'date' | 'time' | 'uid' | 'uri' | 'person' | 'prose' | 'line' | 'code' | 'key' | 'number' | 'field';

const persons = new Set(['patient_name', 'display_name', 'referring_physician', 'assigned_to', 'who']);
const proses = new Set(['text', 'transcript', 'before', 'after', 'instruction']);
/** Fields that programs parse: their stand-ins have no spaces. */
const codes =
  /(?:^|_)(?:id|token|code|secret|key|verifier|challenge|assertion|cursor|state|jti|sha256|data|username|number|until)$/;

const labels: Readonly<Record<string, string>> = {
  patient_name: 'Patient',
  display_name: 'Person',
  referring_physician: 'Physician',
  assigned_to: 'Person',
  who: 'Person',
};

/** `exam_room` → `Exam room`. */
const toLabel = (name: string): string => {
  const words = labels[name] ?? name.replaceAll(/[^A-Za-z0-9]+/g, ' ').trim();
  return words === '' ? 'Text' : elementAt(words, 0).toUpperCase() + words.slice(1);
};

function findFamily(text: string, shapes: readonly JsonSchema[], name: string): Family {
  const formats = shapes.flatMap(({ format }) => format ?? []);
  if (formats.includes('uri')) return 'uri';
  if (formats.includes('date') || (formats.includes('date-or-time') && !text.includes('T'))) return 'date';
  if (formats.length > 0) return 'time';
  const pattern = shapes.find((shape) => shape.pattern !== undefined)?.pattern ?? '';
  if (pattern.includes('\\.(0|')) return 'uid';
  if (pattern.startsWith('^[a-z][a-z0-9_]')) return 'key';
  if (persons.has(name)) return 'person';
  const kinds = shapes.flatMap((shape) => shape['x-text'] ?? []);
  if (kinds.includes('prose') || proses.has(name)) return 'prose';
  return pattern !== '' || kinds.includes('identifier') || codes.test(name) ? 'code' : 'line';
}

const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor ';

/** As long as the text, so that offsets stay valid. */
const fillProse = (label: string, length: number): string =>
  label.length >= length ? label : `${label}: ${filler.repeat(Math.ceil(length / filler.length))}`.slice(0, length);

/** 1 → `2000-01-02`. */
const dayOf = (number: number): string => new Date(Date.UTC(2000, 0, 1 + number)).toISOString().slice(0, 10);

const writers: Readonly<Record<Family, (number: number, name: string, length: number) => string>> = {
  date: dayOf,
  time: (number) => `${dayOf(number)}T12:00:00.000Z`,
  uid: (number) => `2.25.${number}`,
  uri: (number) => `https://example.invalid/${number}`,
  person: (number, name) => `${toLabel(name)} ${number}`,
  prose: (number, _name, length) => fillProse(`Text ${number}`, length),
  line: (number, name) => `${toLabel(name)} ${number}`,
  code: (number, name) => `${name.replaceAll(/[^A-Za-z0-9]+/g, '-') || 'code'}-${number}`,
  key: (number) => `section_${number}`,
  number: String,
  field: (number) => `field_${number}`,
};

/** Families whose stand-ins do not depend on the field. */
const withoutLabel: ReadonlySet<Family> = new Set(['date', 'time', 'uid', 'uri', 'prose', 'key', 'number', 'field']);

/** Constants that are not listed in a schema. */
const isShippedWord = (text: string, family: Family, name: string): boolean =>
  family === 'key' || name === 'section'
    ? sectionKind(text) !== undefined
    : name === 'template_id' && Object.hasOwn(shippedTemplates, text);

/** Different spellings of a name are one person. */
const canonical = (family: Family, text: string): string =>
  family === 'person'
    ? normalForm(displayName(text), 'NFD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word !== '')
        .toSorted()
        .join(' ')
    : text;

/** Placeholders that the inspector writes for texts, objects and rests of lists. */
const placeholder = /^‹[^‹›]*›$/;
const restOfList = /^‹\d+ more›$/;
const restOfObject = '‹besides›';

export function createStandIns({ as }: StandInOptions): StandIns {
  const given = new Map<string, string>();
  const counts = new Map<string, number>();
  const replaced: Replacement[] = [];
  const isShape = as === 'shape';
  let isAnswer = false;

  const next = (label: string): number => {
    const number = (counts.get(label) ?? 0) + 1;
    counts.set(label, number);
    return number;
  };

  function standIn(family: Family, actual: string, name: string, shapes: readonly JsonSchema[] = []): string {
    const known = `${family}\0${canonical(family, actual)}`;
    const existing = given.get(known);
    if (existing !== undefined) return existing;
    const label = isShape || withoutLabel.has(family) ? family : toLabel(name);
    const number = next(label);
    const written = isShape ? `‹${family} ${number}›` : fitSchema(writers[family](number, name, actual.length), shapes);
    given.set(known, written);
    replaced.push({ actual, standIn: written });
    return written;
  }

  function text(value: string, schema: JsonSchema | undefined, name: string): string {
    const shapes = flattenSchema(schema);
    if (value === '' || isOwnText(value, shapes, name)) return value;
    const family = findFamily(value, shapes, name);
    return isShippedWord(value, family, name) ? value : standIn(family, value, name, shapes);
  }

  function value(given: unknown, schema: JsonSchema | undefined, name = ''): unknown {
    if (given === null || given === undefined || typeof given === 'boolean') return given;
    const shapes = flattenSchema(schema);
    if (typeof given === 'number') {
      if (shapes.some(holdsNumbers)) return given;
      const number = standIn('number', String(given), name);
      return isShape ? number : Number(number);
    }
    if (typeof given === 'string')
      return placeholder.test(given) ? instead(given, schema, name) : text(given, schema, name);
    if (Array.isArray(given)) {
      const items = shapes.find((shape) => shape.items)?.items;
      return given
        .filter((item) => typeof item !== 'string' || !restOfList.test(item))
        .map((item) => value(item, items, name));
    }
    return isPlainObject(given) ? fields(given, shapes) : null;
  }

  /** A minimal value for a placeholder of the inspector. */
  function instead(given: string, schema: JsonSchema | undefined, name: string): unknown {
    const types = flattenSchema(schema).flatMap(({ type }) => type ?? []);
    if (types.length === 0 || types.includes('string')) return text(given, schema, name);
    if (types.includes('null')) return null;
    if (types.includes('object')) return {};
    return types.includes('array') ? [] : types.includes('boolean') ? false : 0;
  }

  function fields(given: Readonly<Record<string, unknown>>, shapes: readonly JsonSchema[]): Record<string, unknown> {
    const schemaOf = (name: string): JsonSchema | undefined =>
      shapes.find(({ properties }) => properties && Object.hasOwn(properties, name))?.properties?.[name];
    const others = shapes.find(({ additionalProperties }) => typeof additionalProperties === 'object');
    const names = Object.keys(given).filter((name) => name !== restOfObject);
    const known = names.filter((name) => schemaOf(name) !== undefined);
    const unknown = names.filter((name) => schemaOf(name) === undefined);
    const objects = shapes.filter(({ properties }) => properties !== undefined);
    const isClosed = objects.length > 0 && objects.every(({ additionalProperties }) => additionalProperties === false);
    return Object.fromEntries([
      ...(isShape ? known.toSorted() : known).map((name) => [name, value(given[name], schemaOf(name), name)]),
      ...(isAnswer && isClosed
        ? []
        : unknown.map((name) => [
            standIn('field', name, ''),
            value(given[name], others?.additionalProperties as JsonSchema | undefined),
          ])),
    ]);
  }

  function answer(given: unknown, schema: JsonSchema): unknown {
    isAnswer = true;
    try {
      return value(given, schema);
    } finally {
      isAnswer = false;
    }
  }

  return { value, answer, text, replaced };
}

/** The stand-in, or an example of the contract if the schema does not allow it. */
function fitSchema(written: string, shapes: readonly JsonSchema[]): string {
  const fits = shapes.every(
    ({ pattern, maxLength = Infinity }) =>
      (pattern === undefined || new RegExp(pattern, 'u').test(written)) && written.length <= maxLength,
  );
  if (fits) return written;
  const example = shapes.flatMap(({ examples }) => examples ?? []).find((each) => typeof each === 'string');
  return (example as string | undefined) ?? written;
}
