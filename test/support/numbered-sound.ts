/**
 * Sound in which every tenth of a second has a number, and a live recogniser that hears the numbers: whoever compares can tell
 * what was lost, doubled or moved.
 */
import { once } from 'node:events';
import type { LiveRecogniser } from '../../server/speech/recogniser.ts';
import type { HeardText, HeardWord, SoundSpan } from '../../src/domain/heard-text.ts';

export const samplesOfNumber = 1600;
export const bytesOfNumber = 2 * samplesOfNumber;

/** PCM that says the numbers from 1 to `count`. */
export const numberedSound = (count: number): Buffer =>
  Buffer.from(
    Int16Array.from({ length: count * samplesOfNumber }, (_, at) => 1 + Math.floor(at / samplesOfNumber)).buffer,
  );

export const numbers = (count: number): string => Array.from({ length: count }, (_, at) => `n${at + 1}`).join(' ');

/** What the recogniser may do when it has heard a number: go on, make what it heard final, or break down. */
export type Whim = 'goes on' | 'final' | 'breaks down';

/** The other reading of a number that was checked. */
export const doubted = (number: number): string => `d${number}`;

/**
 * `whim` is asked after each number; it may wait. With `checksEvery`, so many finals are checked together: each number
 * has another reading then, and nothing was heard in its last hundredth of a second. With `lastCheck`, the last check
 * comes then, behind all words; a rejection is its failure.
 */
export function numberListener(
  whim: (number: number) => Whim | Promise<Whim> = () => 'goes on',
  checksEvery?: number,
  lastCheck?: Promise<void>,
): LiveRecogniser {
  return {
    chunkMs: 100,
    async listen({ sound }, onHeard, signal) {
      let samples = 0;
      let pending: { number: number; from: number; to: number }[] = [];
      let unchecked: HeardText[] = [];
      const unheard: SoundSpan[] = [];
      const check = (): void => {
        if (unchecked.length > 0) onHeard({ kind: 'checked', finals: unchecked, sound: { unheard: [...unheard] } });
        unchecked = [];
      };
      const finish = (): void => {
        if (pending.length > 0) {
          const heard = textOf(pending);
          const isUnchecked = checksEvery !== undefined;
          onHeard({ kind: 'final', heard, until: samples / 16_000, isUnchecked });
          if (isUnchecked) {
            const otherReadings = heard.words.map(({ start, end }, at) => ({
              start,
              end,
              doubt: 0.5,
              text: doubted(pending[at]!.number),
            }));
            unchecked.push({ text: heard.text, otherReadings });
            unheard.push(...pending.map(({ to }) => ({ from: to - 0.01, to })));
          }
        }
        pending = [];
        if (unchecked.length >= (checksEvery ?? Infinity)) check();
      };
      for await (const piece of sound) {
        for (const number of piece) {
          samples++;
          if (samples % samplesOfNumber !== 0) continue;
          const to = samples / 16_000;
          pending.push({ number, from: to - 0.1, to });
          onHeard({ kind: 'partial', text: pending.map((each) => `n${each.number}`).join(' ') });
          const next = await whim(number);
          signal.throwIfAborted();
          if (next === 'breaks down') throw new Error('The recogniser broke down.');
          if (next === 'final') finish();
        }
      }
      signal.throwIfAborted();
      finish();
      if (lastCheck) {
        onHeard({ kind: 'complete', sound: {} });
        await Promise.race([lastCheck, once(signal, 'abort')]);
        signal.throwIfAborted();
      }
      check();
    },
  };
}

function textOf(pending: readonly { number: number; from: number; to: number }[]) {
  let text = '';
  const words: HeardWord[] = pending.map(({ number, from, to }) => {
    text += `${text === '' ? '' : ' '}n${number}`;
    return { start: text.length - `n${number}`.length, end: text.length, from, to };
  });
  return { text, words };
}
