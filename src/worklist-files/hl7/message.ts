/** The grammar of HL7 v2 messages (HL7 v2.5.1 chapter 2): separators, components, repetitions, escapes. */
import { entryOf } from '../../domain/entry-of.ts';

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
  const separators = separatorsOf(lines[0] ?? '');
  if (!separators) return undefined;
  return { separators, segments: lines.map((line) => parseSegment(line, separators.field)) };
}

function separatorsOf(header: string): Separators | undefined {
  const field = header[3];
  if (field === undefined || /[\w\s]/.test(field)) return undefined;
  // The fifth character, for texts that were cut (2.7 and later), has no meaning inside what is read here.
  const [component = '^', repetition = '~', escape = '\\', subcomponent = '&'] = header.split(field, 2)[1] ?? '';
  return { field, component, repetition, escape, subcomponent };
}

function parseSegment(line: string, separator: string): Segment {
  const fields = line.split(separator);
  const name = fields[0]!;
  // MSH-1 is the separator itself (2.15.9.1), so that MSH-2 is the first that is split off.
  return { name, fields: /^(?:MSH|FHS|BHS)$/.test(name) ? [name, separator, ...fields.slice(1)] : fields };
}

/** A field as it stands, without any. */
export const fieldOf = (segment: Segment | undefined, number: number): string => segment?.fields[number] ?? '';

/** The repetitions of a field, each split into components, each split into subcomponents, escapes undone. */
export function repetitionsOf(text: string, { separators }: Message): string[][][] {
  const { component, repetition, subcomponent } = separators;
  return text
    .split(repetition)
    .map((each) =>
      each.split(component).map((part) => part.split(subcomponent).map((leaf) => unescaped(leaf, separators))),
    );
}

/**
 * A component of the first repetition, of which the first subcomponent with a value: of an authority without a name (HD), the
 * number stands in the second.
 */
export function componentOf(text: string, number: number, { separators }: Message): string {
  const [first = ''] = text.split(separators.repetition, 1);
  const part = first.split(separators.component, number)[number - 1] ?? '';
  if (!part.includes(separators.subcomponent)) return unescaped(part, separators);
  return unescaped(part.split(separators.subcomponent).find((leaf) => leaf !== '') ?? '', separators);
}

/** An empty pair of quotes deletes the stored value (2.5.3). */
export const deletion = '""';

/** The characters that escape sequences stand for (2.7.1); what they only format is left out. */
function unescaped(text: string, separators: Separators): string {
  const { escape } = separators;
  if (!text.includes(escape)) return text.trim();
  const meanings: Readonly<Record<string, string>> = {
    F: separators.field,
    S: separators.component,
    T: separators.subcomponent,
    R: separators.repetition,
    E: escape,
    '.br': '\n',
    '.sp': '\n',
  };
  const parts = text.split(escape);
  let result = parts[0]!;
  // Every second part is a sequence; one that is not closed is a character like any other.
  for (let at = 1; at < parts.length; at += 2) {
    const sequence = parts[at]!;
    if (at + 1 === parts.length) result += escape + sequence;
    else result += (entryOf(meanings, sequence) ?? hexadecimal(sequence)) + parts[at + 1]!;
  }
  return result.trim();
}

/** `\X0D0A\`: bytes, here of a single-byte character set. */
const hexadecimal = (sequence: string): string =>
  /^X(?:[0-9A-F]{2})+$/i.test(sequence)
    ? sequence.slice(1).replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)))
    : '';

/** Before a segment of a message that somebody pasted into a text; and a byte order mark, read as text or byte by byte. */
export const indent = /^(?:[ \t\0\ufeff]|\u00ef\u00bb\u00bf)+(?=[A-Z][A-Z\d]{2}\||(?:MSH|BHS|FHS)[^\w\s])/;
