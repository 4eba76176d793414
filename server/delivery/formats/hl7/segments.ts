/** Writes the segments of HL7 v2.5.1. */
/** A field is text, or components that are text or subcomponents. */
type Component = string | readonly string[];
export type Field = string | readonly Component[];

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\E\\',
  '|': '\\F\\',
  '^': '\\S\\',
  '&': '\\T\\',
  '~': '\\R\\',
  '\n': '\\.br\\',
};

/** Delimiters and line breaks (HL7 2.5.1 2.7); other control characters as hexadecimal bytes (2.7.5). */
export function escapeHl7(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\\|^&~\n]|[\x00-\x1f\x7f]/g, (character) => escapes[character] ?? `\\X${hexByte(character)}\\`);
}

const hexByte = (character: string): string => character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');

const trimTrailing = (joined: string, separator: string): string => {
  let end = joined.length;
  while (end > 0 && joined[end - 1] === separator) end--;
  return joined.slice(0, end);
};

const writeComponent = (component: Component): string =>
  typeof component === 'string' ? escapeHl7(component) : trimTrailing(component.map(escapeHl7).join('&'), '&');

const writeField = (field: Field): string =>
  typeof field === 'string' ? escapeHl7(field) : trimTrailing(field.map(writeComponent).join('^'), '^');

/** `fields` by their number in the standard; gaps are empty. */
export function segment(name: string, fields: Readonly<Record<number, Field>>): string {
  const last = Math.max(...Object.keys(fields).map(Number));
  const values = Array.from({ length: last }, (_, index) => writeField(fields[index + 1] ?? ''));
  return trimTrailing([name, ...values].join('|'), '|');
}

/** MSH counts its delimiters as the first two fields. */
export function header(fields: Readonly<Record<number, Field>>): string {
  const shifted = Object.fromEntries(Object.entries(fields).map(([number, field]) => [Number(number) - 1, field]));
  return segment('MSH', shifted).replace('MSH|', 'MSH|^~\\&');
}
