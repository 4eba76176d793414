/** How far a large file has come, in words. */
import { sizeWords } from './engine-files.ts';

export interface Transfer {
  readonly step: string;
  /** Bytes. */
  readonly done: number;
  readonly of: number | undefined;
}

/** ms after which a rate says something. */
const least = 1500;

/** `elapsed`: ms from any beginning. Each call tells of one step; a new step counts its rate anew. */
export function createTransferWords(elapsed: () => number): (transfer: Transfer) => string {
  let begun: Transfer | undefined;
  let since = 0;
  return (transfer) => {
    const { step, done, of } = transfer;
    if (begun?.step !== step || done < begun.done) [begun, since] = [transfer, elapsed()];
    const ms = elapsed() - since;
    const rate = ms < least ? undefined : ((done - begun.done) / ms) * 1000;
    const title = `${step.charAt(0).toUpperCase()}${step.slice(1)}`;
    // How long a step takes may be unknown altogether.
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
