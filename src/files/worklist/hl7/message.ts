/** The grammar of HL7 v2 messages (HL7 v2.5.1 chapter 2): separators, components, repetitions, escapes. */
import { findEntry } from '../../../domain/find-entry.ts';
import { decodeText } from '../character-sets.ts';
import { textBefore } from '../../../domain/text-before.ts';

/** A name and its fields, in the numbers of the standard: `fields[3]` is field 3. */
export interface Segment {
  readonly name: string;
  readonly fields: readonly string[];
}

/** The characters that MSH-1 and MSH-2 give (2.5.4). */
interface Separators {
  readonly field: string;
  readonly component: string;
  readonly repetition: string;
  readonly escape: string;
  readonly subcomponent: string;
}

export interface Message {
  readonly separators: Separators;
  readonly segments: readonly Segment[];
}

/** `undefined` where the first segment is no MSH with separators. */
export function parseMessage(lines: readonly string[]): Message | undefined {
  const separators = parseSeparators(lines[0] ?? '');
  if (!separators) return undefined;
  return {
    separators,
    segments: lines.map((line) => parseSegment(escapeEntities(line, separators), separators.field)),
  };
}

/**
 * Characters that a system wrote as in HTML, `O&apos;Connor`, by HL7's rules: as they are, or, if they separate, as escape sequences. Their
 * first character would separate subcomponents.
 */
function escapeEntities(line: string, separators: Separators): string {
  if (separators.subcomponent !== '&' || !line.includes('&')) return line;
  return line.replace(entity, (whole, name: string | undefined, digits: string | undefined) => {
    const character = digits === undefined ? findEntry(entities, name ?? '') : String.fromCodePoint(Number(digits));
    if (character === undefined) return whole;
    const sign = Object.entries(signsOf(separators)).find(([, each]) => each === character);
    return sign ? `${separators.escape}${sign[0]}${separators.escape}` : character;
  });
}
const entity = /&(?:(amp|lt|gt|quot|apos|nbsp)|#0*([1-9]\d{1,4}));/g;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function parseSeparators(header: string): Separators | undefined {
  const field = header[3];
  if (field === undefined || /[\w\s]/.test(field)) return undefined;
  // The fifth character, for texts that were cut (2.7 and later), has no meaning inside what is read here.
  const [component = '^', repetition = '~', escape = '\\', subcomponent = '&'] = header.split(field, 2)[1] ?? '';
  return { field, component, repetition, escape, subcomponent };
}

const hasOwnSeparator: ReadonlySet<string> = new Set(['MSH', 'FHS', 'BHS']);

function parseSegment(line: string, separator: string): Segment {
  const fields = line.split(separator);
  const [name = ''] = fields;
  // MSH-1 is the separator itself (2.15.9.1), so that MSH-2 is the first that is split off.
  return { name, fields: hasOwnSeparator.has(name) ? [name, separator, ...fields.slice(1)] : fields };
}

/** A field as it is written; empty if the segment lacks it. */
export const readField = (segment: Segment | undefined, number: number): string => segment?.fields[number] ?? '';

/** The repetitions of a field, each split into components, each split into subcomponents, escapes undone. */
export function readRepetitions(text: string, { separators }: Message): string[][][] {
  const { component, repetition, subcomponent } = separators;
  return text
    .split(repetition)
    .map((each) =>
      each.split(component).map((part) => part.split(subcomponent).map((leaf) => unescaped(leaf, separators))),
    );
}

/**
 * A component of the first repetition: its first subcomponent with a value, since an authority without a name (HD) has its
 * number in the second.
 */
export function readComponent(text: string, number: number, { separators }: Message): string {
  const part = findComponent(text, number, separators);
  if (!part.includes(separators.subcomponent)) return unescaped(part, separators);
  return unescaped(part.split(separators.subcomponent).find((leaf) => leaf !== '') ?? '', separators);
}

/** A subcomponent of a component of the first repetition. */
export const readSubcomponent = (text: string, component: number, number: number, { separators }: Message): string =>
  unescaped(findComponent(text, component, separators).split(separators.subcomponent)[number - 1] ?? '', separators);

/** An empty pair of quotes deletes the stored value (2.5.3). */
export const deletion = '""';

/**
 * The lines of a field that is text alone, with the line breaks at their ends: a text may go on in the next field. A sender who
 * escapes nothing means the separators of components as they stand, and the sign of repetitions before a number as "about".
 */
export function linesOfText(field: string, { separators }: Message): string[] {
  const { repetition } = separators;
  const lines: string[] = [];
  for (const [at, part] of field.split(repetition).entries()) {
    const before = lines.at(-1) ?? '';
    const isSign = at > 0 && /^ ?\d/.test(part) && (at === 1 && before === '' ? true : /[\s(]$/.test(before));
    if (isSign) lines.push(`${lines.pop()}${repetition}${part}`);
    else lines.push(part);
  }
  return lines.map((line) => trimSpaces(decodeEscapes(line, separators)));
}

/** Without the spaces at both ends, but with the line breaks. */
function trimSpaces(text: string): string {
  const isSpace = (at: number): boolean => /[^\S\n]/.test(text.charAt(at));
  let [start, end] = [0, text.length];
  while (isSpace(start)) start += 1;
  while (end > start && isSpace(end - 1)) end -= 1;
  return text.slice(start, end);
}

/** A component of the first repetition that is text alone: what looks like subcomponents are signs that nobody escaped. */
export function textOfComponent(text: string, number: number, { separators }: Message): string {
  return unescaped(findComponent(text, number, separators), separators);
}

/** A component of the first repetition, as it is written. Dozens are read from each message, so nothing is split. */
function findComponent(text: string, number: number, { repetition, component }: Separators): string {
  const found = text.indexOf(repetition);
  const end = found === -1 ? text.length : found;
  let start = 0;
  for (let at = 1; at < number; at++) {
    const next = text.indexOf(component, start);
    if (next === -1 || next >= end) return '';
    start = next + component.length;
  }
  const next = text.indexOf(component, start);
  return text.slice(start, next === -1 || next > end ? end : next);
}

/** Escape sequences of texts (2.7.1, 2.7.4, 2.7.6), without the sign around them; others are words that nobody escaped. */
const sequenceForm = /^(?:[FSTREHN]|X(?:[\dA-F]{2})+|[CMZ][\dA-F]*|\.(?:br|ce|fi|nf|sp|in|ti|sk)[+-]?\d{0,3})$/i;

/** Without the spaces around. */
const unescaped = (text: string, separators: Separators): string => decodeEscapes(text, separators).trim();

/** The characters that escape sequences stand for; what they only format keeps words apart. */
function decodeEscapes(text: string, separators: Separators): string {
  const { escape } = separators;
  if (!text.includes(escape)) return text;
  let result = textBefore(text, escape);
  /** A candidate for a sequence, if a sign ends it. */
  let sequence: string | undefined;
  for (const part of text.split(escape).slice(1)) {
    if (sequence !== undefined) {
      const meant = decodeEscape(sequence, separators);
      const isApart = meant !== undefined || /(?:^|\s)$/.test(result.slice(-1)) || /^(?:\s|$)/.test(part);
      result += `${meant ?? (isApart ? '' : ' ')}${part}`;
      sequence = undefined;
    } else if (sequenceForm.test(part)) sequence = part;
    else result += escape + part;
  }
  if (sequence !== undefined) result += escape + sequence;
  return result;
}

/** The separators by the letters of their escape sequences. */
const signsOf = ({
  field,
  component,
  subcomponent,
  repetition,
  escape,
}: Separators): Readonly<Record<string, string>> => ({
  F: field,
  S: component,
  T: subcomponent,
  R: repetition,
  E: escape,
});

/** `undefined`: it only formats. */
function decodeEscape(sequence: string, separators: Separators) {
  // Highlighting begins and ends, inside of words too.
  const sign = findEntry({ ...signsOf(separators), H: '', N: '' }, sequence.toUpperCase());
  if (sign !== undefined) return sign;
  if (/^X/i.test(sequence)) return decodeHex(sequence.slice(1));
  if (/^[CMZ]/i.test(sequence)) return '';
  const [, command = '', count = ''] = /^\.([a-z]{2})\+?(\d*)/i.exec(sequence) ?? [];
  const times = (limit: number): number => Math.min(Math.max(Number(count), 1), limit);
  switch (command.toLowerCase()) {
    case 'br':
    case 'ce':
      return '\n';
    case 'sp':
      return '\n'.repeat(times(3));
    case 'sk':
      return ' '.repeat(times(20));
    default:
      return undefined;
  }
}

/** Bytes in hexadecimal digits: UTF-8 where they are that, else of a set of one byte a character. A line may end in several ways. */
function decodeHex(digits: string): string {
  const bytes = Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  return decodeText(bytes, []).replace(/\r\n?/g, '\n');
}

/** Before a segment of a message that somebody pasted into a text; and a byte order mark, read as text or byte by byte. */
export const indent = /^(?:[ \t\0\ufeff]|\u00ef\u00bb\u00bf)+(?=[A-Z][A-Z\d]{2}\||(?:MSH|BHS|FHS)[^\w\s])/;

/** A message as its lines, however they end. */
export const splitMessage = (text: string): string[] => text.split(/\r\n|\r|\n/);
