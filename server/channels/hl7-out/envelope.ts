/** Makes the result message that of a destination: its names, its character set, the id of the message, and where the PDF is. */
import { createHash } from 'node:crypto';
import { escapeHl7 } from '../../delivery/hl7.ts';
import type { Letter } from '../channel.ts';
import { charsets } from './settings.ts';
import type { Hl7OutSettings } from './settings.ts';

/** At most 20 characters (MSH-10), the same at every attempt. */
export const controlId = (messageId: string): string =>
  createHash('sha256').update(messageId).digest('hex').slice(0, 20).toUpperCase();

export type EnvelopeSettings = Pick<
  Hl7OutSettings,
  | 'sending_application'
  | 'sending_facility'
  | 'receiving_application'
  | 'receiving_facility'
  | 'character_set'
  | 'pdf'
  | 'pdf_link'
>;

/** The bytes to send; `undefined` where the character set cannot hold the text. */
export function enveloped(
  letter: Pick<Letter, 'id' | 'report' | 'contents'>,
  settings: EnvelopeSettings,
): Buffer | undefined {
  const text = Buffer.from(letter.contents[0]!).toString('utf8');
  const [header = '', ...rest] = text.split('\r').filter((segment) => segment !== '');
  const { character_set: charset = 'UNICODE UTF-8' } = settings;
  const fields = header.split('|');
  const set = (number: number, value: string | undefined): void => {
    if (value !== undefined) fields[number - 1] = value;
  };
  set(3, named(settings.sending_application));
  set(4, named(settings.sending_facility));
  set(5, named(settings.receiving_application) ?? '');
  set(6, named(settings.receiving_facility) ?? '');
  set(10, controlId(letter.id));
  set(18, charset);
  const segments = [Array.from(fields, (field) => field ?? '').join('|'), ...rest.flatMap(pdfBy(letter, settings))];
  return encoded(segments.map((segment) => `${segment}\r`).join(''), charset);
}

/** The names of a setting, whose `^` divides components. */
const named = (name: string | undefined): string | undefined => name?.split('^').map(escapeHl7).join('^');

function pdfBy(
  { report: { record } }: Pick<Letter, 'report'>,
  { pdf = 'inside', pdf_link: link = '' }: EnvelopeSettings,
) {
  return (segment: string): readonly string[] => {
    if (pdf === 'inside' || !/^OBX\|\d+\|ED\|/.test(segment)) return [segment];
    if (pdf === 'none') return [];
    const fields = segment.split('|');
    const url = link.replaceAll('{record_id}', record.id).replaceAll('{version}', String(record.version));
    // RP (2.A.65): pointer, application, type and subtype of the data.
    fields[2] = 'RP';
    fields[5] = [escapeHl7(url), '', 'application', 'pdf'].join('^');
    return [fields.join('|')];
  };
}

/** What typography has and small character sets have not. */
const plain: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
  '‑': '-',
  '−': '-',
  '…': '...',
  '•': '-',
  '≤': '<=',
  '≥': '>=',
  '≈': '~',
  '→': '->',
  '\u202f': ' ',
  '\u2009': ' ',
  '\u200b': '',
  '\ufeff': '',
};

/** Nothing that changes what the text says is replaced: a letter that cannot be written is no message. */
function encoded(text: string, charset: keyof typeof charsets): Buffer | undefined {
  if (charsets[charset] === 'utf8') return Buffer.from(text, 'utf8');
  const composed = text.normalize('NFC');
  const written = Array.from(composed, (character) => {
    if (character.codePointAt(0)! <= 0xff) return character;
    // `~` divides repetitions.
    return Object.hasOwn(plain, character) ? plain[character]!.replace('~', '\\R\\') : undefined;
  });
  return written.includes(undefined) ? undefined : Buffer.from(written.join(''), 'latin1');
}
