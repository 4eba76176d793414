/** How the trials of a server of OpenAI's API are run: one after the other, until one fails. */
import type { AppError } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Trial } from '../engine.ts';
import { elementAt } from '../../../src/domain/elements.ts';

export type Outcome = Omit<Trial, 'what'>;

export interface Trials<Name extends string, Reason extends string> {
  /** What is tried, in order. */
  readonly names: readonly Name[];
  /** What a failure is about, where that is not what was just tried. */
  readonly about: Readonly<Partial<Record<Reason, Name>>>;
  reasonOf(error: unknown): Reason | undefined;
  readonly clock: Clock;
}

export interface Results<Name extends string> {
  /** Notes an outcome; another one of the same name takes its place. */
  note(name: Name, outcome: Outcome): void;
  /** From here on a failure is about this, and `ms` counts anew. */
  begin(name: Name): void;
  /** ms since the present trial began. */
  ms(): number;
}

/** Does the work, and tells each outcome. What was not reached is untried. */
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
    const { message, hint: usual } = error as AppError;
    const name = about[reason] ?? current;
    // What was noted before, such as the models that there are, says more of what to do.
    const hint = found.get(name)?.hint ?? usual;
    found.set(name, { result: 'fails', message, ...(hint !== undefined && { hint }) });
  }
  return names.map((what) => ({ what, ...(found.get(what) ?? { result: 'untried', message: 'Not tried.' }) }));
}

export const notListed = (models: readonly string[]): Outcome => ({
  result: 'partly',
  message: 'The server does not list this model.',
  ...(models.length > 0 && {
    hint: `The server lists ${models.slice(0, 5).join(', ')}${models.length > 5 ? ', …' : ''}.`,
  }),
});

/** How an answer that took `ms` fares against the time that is allowed. */
export const answered = (ms: number, timeoutMs: number, longer: string): Outcome =>
  ms > timeoutMs / 2
    ? { result: 'partly', message: `The model answers late for ${timeoutMs / 1000} s.`, hint: longer, ms }
    : { result: 'works', message: `The model answers well within ${timeoutMs / 1000} s.`, ms };

export const reached: Outcome = { result: 'works', message: 'The server can be reached.' };
export const takesRequests: Outcome = { result: 'works', message: 'The server takes the requests.' };
/** Asked for by a name that is not in its list, a server answers all the same. */
export const hasThisModel: Outcome = { result: 'works', message: 'The server has the model.' };
