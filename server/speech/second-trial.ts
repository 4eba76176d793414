/** The test of a model that only hears a second time: its times and confidence are not needed. */
import type { Trial } from './engine.ts';

const needed: readonly string[] = ['server', 'key', 'model', 'answer', 'speech'];

/** The first of its trials that shows a limit, or that of its speech. */
export function summariseSecond(trials: readonly Trial[]): Trial[] {
  const own = trials.filter(({ what }) => needed.includes(what));
  const trial = own.find(({ result }) => result !== 'works') ?? own.at(-1);
  return trial ? [{ ...trial, what: 'second' }] : [];
}
