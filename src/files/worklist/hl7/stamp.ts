/** When a message was made, and by whom. */
import type { MessageStamp } from '../../../domain/message-stamp.ts';
import { kinds } from '../kinds.ts';
import type { Times } from '../kinds.ts';
import { readField } from './message.ts';
import type { Message } from './message.ts';

/** Reads MSH-7, MSH-3 and MSH-4. Empty without a time, or with one near a change of clocks, which may mean two instants. */
export function readStamp({ segments }: Message, times: Times): MessageStamp {
  const [header] = segments;
  const text = readField(header, 7);
  const value = /^\d{12}/.test(text) ? kinds.instant.convert(text, times)?.value : undefined;
  if (typeof value !== 'string') return {};
  if (times.offset === undefined && mayBeTwo(value, times)) return {};
  return { told_at: value, told_by: `${readField(header, 3)}|${readField(header, 4)}` };
}

function mayBeTwo(value: string, { offsetAt }: Times): boolean {
  const local = Date.parse(`${value.slice(0, 'YYYY-MM-DDThh:mm'.length)}Z`);
  return offsetAt(local - nearChange) !== offsetAt(local + nearChange);
}
const nearChange = 2 * 3600_000;
