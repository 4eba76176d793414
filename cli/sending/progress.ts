/** The progress line of a replay: a bar of the bytes read, the items, the rate, and the time left. */
import { counted } from '../../src/domain/counted.ts';
import { duration } from '../shell/time.ts';

export interface ProgressState {
  readonly bytes: number;
  /** Total bytes of all files; `undefined` for standard input. */
  readonly size: number | undefined;
  /** Items and lines done; an earlier run did `recalled` of them. */
  readonly done: number;
  readonly recalled: number;
  readonly refused: number;
  /** Time since the start, in ms. */
  readonly elapsed: number;
}

const cells = 12;
const thousands = new Intl.NumberFormat('en-US');

/** `━━━━━━──────  52 %  52,000 items  8,100/s  0:06 left`. */
export function progressWords({ bytes, size, done, recalled, refused, elapsed }: ProgressState): string {
  const seconds = elapsed / 1000;
  const rate = seconds < 1 ? undefined : (done - recalled) / seconds;
  const share = size ? Math.min(1, bytes / size) : undefined;
  const rest = share && rate && share < 1 ? (seconds * (1 - share)) / share : undefined;
  return [
    ...(share === undefined ? [] : [`${bar(share)}  ${String(Math.floor(share * 100)).padStart(3)} %`]),
    counted(done, 'item', thousands.format(done)),
    ...(refused > 0 ? [`${thousands.format(refused)} refused`] : []),
    ...(rate === undefined ? [] : [`${thousands.format(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))}/s`]),
    ...(rest === undefined ? [] : [`${duration(rest)} left`]),
  ].join('  ');
}

const bar = (share: number): string => {
  const full = Math.round(share * cells);
  return '━'.repeat(full) + '─'.repeat(cells - full);
};
