/** Runs the trials of a server of OpenAI's API in order, until one fails. */
import type { AppError } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Trial } from '../engine.ts';
import { elementAt } from '../../../src/domain/elements.ts';

export type Outcome = Omit<Trial, 'what'>;

export interface Trials<Name extends string, Reason extends string> {
  /** The trials, in order. */
  readonly names: readonly Name[];
  /** The trial that a reason belongs to, if it is not the current one. */
  readonly about: Readonly<Partial<Record<Reason, Name>>>;
  reasonOf(error: unknown): Reason | undefined;
  readonly clock: Clock;
}

export interface Results<Name extends string> {
  /** Records an outcome; a later one with the same name replaces it. */
  note(name: Name, outcome: Outcome): void;
  /** Starts a trial: failures belong to it, and `ms` restarts. */
  begin(name: Name): void;
  /** ms since the current trial began. */
  ms(): number;
}

/** Runs the work and returns the outcome of each trial. Trials that were not reached are untried. */
export async function runTrials<Name extends string, Reason extends string>(
  { names, about, reasonOf, clock }: Trials<Name, Reason>,
  work: (results: Results<Name>) => Promise<void>,
): Promise<Trial[]> {
  const found = new Map<Name, Outcome>();
  let [current, started] = [elementAt(names, 0), clock.elapsed()];
  const begin = (name: Name): void => void ([current, started] = [name, clock.elapsed()]);
  const ms = (): number => Math.round(clock.elapsed() - started);
  try {
    await work({ note: (name, outcome) => void found.set(name, outcome), begin, ms });
  } catch (error) {
    const reason = reasonOf(error);
    if (!reason) throw error;
    const { message, hint: ownHint } = error as AppError;
    const name = about[reason] ?? current;
    // An earlier hint, such as the list of models, is more helpful.
    const hint = found.get(name)?.hint ?? ownHint;
    found.set(name, { result: 'fails', message, ...(hint !== undefined && { hint }) });
  }
  return names.map((what) => ({ what, ...(found.get(what) ?? { result: 'untried', message: 'Not tried.' }) }));
}

export const modelNotListed = (models: readonly string[]): Outcome => ({
  result: 'partly',
  message: 'The server does not list this model.',
  ...(models.length > 0 && {
    hint: `The server lists ${models.slice(0, 5).join(', ')}${models.length > 5 ? ', …' : ''}.`,
  }),
});

/** Compares the duration of a response with the timeout. */
export const judgeDuration = (ms: number, timeoutMs: number, longer: string): Outcome =>
  ms > timeoutMs / 2
    ? { result: 'partly', message: `The model is slow for a timeout of ${timeoutMs / 1000} s.`, hint: longer, ms }
    : { result: 'works', message: `The model answers well within ${timeoutMs / 1000} s.`, ms };

export const reached: Outcome = { result: 'works', message: 'The server can be reached.' };
export const takesRequests: Outcome = { result: 'works', message: 'The server accepts the requests.' };
/** Some servers accept models that they don't list. */
export const hasThisModel: Outcome = { result: 'works', message: 'The server has the model.' };
