/** Formats the progress of a large transfer. */
import { sizeWords } from './engine-files.ts';

export interface Transfer {
  readonly step: string;
  /** In bytes. */
  readonly done: number;
  readonly of: number | undefined;
}

/** Minimum time for a meaningful rate, in ms. */
const minMs = 1500;

/** `elapsed`: ms since any fixed time. Each call formats one step; a new step restarts the rate. */
export function createTransferWords(elapsed: () => number): (transfer: Transfer) => string {
  let begun: Transfer | undefined;
  let since = 0;
  return (transfer) => {
    const { step, done, of } = transfer;
    if (begun?.step !== step || done < begun.done) [begun, since] = [transfer, elapsed()];
    const ms = elapsed() - since;
    const rate = ms < minMs ? undefined : ((done - begun.done) / ms) * 1000;
    const title = `${step.charAt(0).toUpperCase()}${step.slice(1)}`;
    // The duration of a step may be unknown.
    if (done === 0 && of === undefined) return title;
    const parts = [
      of === undefined
        ? `${title} ${sizeWords(done)}`
        : `${title} ${sizeWords(done)} of ${sizeWords(of)} (${of === 0 ? 100 : Math.floor((100 * done) / of)} %)`,
    ];
    if (rate !== undefined) parts.push(`${(rate / 1e6).toFixed(1)} MB/s`);
    if (rate && of !== undefined && done < of) parts.push(`${timeWords((of - done) / rate)} left`);
    return parts.join(', ');
  };
}

function timeWords(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 90 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}
