/** The fields of a header, of which each character is a byte, before anybody knows its character set. */
import { findEntry } from '../../../domain/find-entry.ts';
import { findEncoding } from '../character-sets.ts';

/** Characters of two bytes whose second may look like a separator, by the encodings that have them. */
const pairs: Readonly<Record<string, RegExp>> = {
  gb18030: /[\x81-\xfe][\x40-\xfe]/g,
  gbk: /[\x81-\xfe][\x40-\xfe]/g,
  big5: /[\x81-\xfe][\x40-\xfe]/g,
  shift_jis: /[\x81-\x9f\xe0-\xfc][\x40-\xfc]/g,
};
/** Index of MSH-18. */
const charset = 17;

/**
 * Splits at separators that are characters of the set in MSH-18. That field is looked for among those where it may be: a second byte
 * that looks like a separator moves it back.
 */
export function splitHeader(line: string, separator: string): readonly string[] {
  const fields = line.split(separator);
  if (!fields.some((field, at) => at < charset && /[\x81-\xfe]$/.test(field))) return fields;
  for (const named of fields.slice(charset)) {
    const pair = findEntry(pairs, findEncoding(named) ?? '');
    const split = pair && splitOutside(line, separator, pair);
    if (split?.[charset] === named) return split;
  }
  return fields;
}

function splitOutside(line: string, separator: string, pair: RegExp): string[] {
  const hidden = line.replace(pair, (both) => (both[1] === separator ? `${both[0]}${stand}` : both));
  return hidden.split(separator).map((field) => field.replaceAll(stand, separator));
}
/** No byte. */
const stand = '\u{e000}';
