/** `X-Source-System`: the RIS or PACS of a request. */
import { isUtf8 } from 'node:buffer';
import { validationFailed } from '../../src/contract/errors.ts';
import { isFit } from '../../src/domain/characters.ts';
import type { Call } from '../http/call.ts';
import { normalForm } from '../../src/domain/normal-form.ts';

const name = 'X-Source-System';
const maxLength = 128;

/** The header's value; `null` if it is absent or blank. VALIDATION_FAILED if it is too long or not printable. */
export function readSourceSystem(call: Pick<Call, 'header'>): string | null {
  // Node reads header bytes as Latin-1, but senders write UTF-8, too (RFC 9110 5.5 leaves both open).
  const raw = call.header(name);
  if (raw === undefined) return null;
  const bytes = Buffer.from(raw, 'latin1');
  const value = normalForm(isUtf8(bytes) ? bytes.toString() : raw).trim();
  if (value.length > maxLength || !isFit('identifier', value)) {
    throw validationFailed([
      { field: name, message: `${name} must be at most ${maxLength} printable characters`, code: 'INVALID_FORMAT' },
    ]);
  }
  return value === '' ? null : value;
}
