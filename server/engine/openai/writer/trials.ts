/** Tries the abilities of a language model's server, with sentences that nobody dictated. */
import type { AppError } from '../../../../src/contract/errors.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import { shippedTemplates } from '../../../../src/domain/templates/shipped/index.ts';
import { templateIn } from '../../../../src/domain/templates/template.ts';
import type { Trial } from '../../engine.ts';
import type { Writer } from '../../writer.ts';
import type { ComposeInput } from '../../writing.ts';
import { questionOf } from './asking.ts';
import { hasModel } from '../service.ts';
import type { Endpoint, Format } from './endpoint.ts';
import { failure, reasonOf } from './failures.ts';
import type { Reason } from './failures.ts';
import { messagesOf, proposalsIn, repairOf, schemaOf } from './prompt.ts';
import type { Message } from './prompt.ts';

interface Tried {
  /** The rules. */
  readonly base: Writer;
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly clock: Clock;
  /** Of one document. */
  readonly timeoutMs: number;
  /** Gives work the time of one document. */
  within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** What is tried, in order. */
const names = ['server', 'key', 'model', 'answer', 'json', 'proposals'] as const;
type Name = (typeof names)[number];
type Outcome = Omit<Trial, 'what'>;

/** What a failure is about, where that is not what was just tried. */
const about: Readonly<Partial<Record<Reason, Name>>> = { key: 'key', model: 'model', unfit: 'json' };

const [id, data] = Object.entries(shippedTemplates)[0]!;
const sample: Omit<ComposeInput, 'account'> = {
  heard: {
    text: 'Cough for two weeks. uh nodule 6 mm in right upper lobe. No pleural effusion. Impression: lung nodule.',
  },
  template: templateIn('en-US', id, data),
  language: 'en-US',
  exam: null,
};

const attempts = 'Some documents will need a second attempt.';
const formats: Readonly<Record<Format, Outcome>> = {
  json_schema: { result: 'works', message: 'The model keeps to a JSON Schema.' },
  json_object: { result: 'partly', message: 'The server has JSON mode, no JSON Schema.', hint: attempts },
  none: { result: 'partly', message: 'The server has no JSON mode.', hint: attempts },
};

export async function runTrials({ base, endpoint, model, clock, timeoutMs, within }: Tried): Promise<Trial[]> {
  const found = new Map<Name, Outcome>();
  let current: Name = 'server';
  let started = clock.elapsed();
  const works = (name: Name, outcome: Outcome, next: Name): void => {
    found.set(name, outcome);
    current = next;
    started = clock.elapsed();
  };
  const ms = (): number => Math.round(clock.elapsed() - started);
  try {
    const models = await within((signal) => endpoint.models(signal));
    works('server', { result: 'works', message: 'The server can be reached.', ms: ms() }, 'answer');
    if (models && !hasModel(models, model)) found.set('model', notListed(models));
    const question = questionOf(
      await base.compose({ ...sample, proposals: [] }, new AbortController().signal),
      sample,
      true,
    );
    const ask = (messages: readonly Message[]): Promise<string> =>
      within((signal) => endpoint.ask(messages, schemaOf(question), signal));
    const messages = messagesOf(question);
    const answer = await ask(messages);
    found.set('key', { result: 'works', message: 'The server takes the requests.' });
    // Asked for by a name that is not in the list, it answers all the same.
    found.set('model', { result: 'works', message: 'The server has the model.' });
    works('answer', answered(ms(), timeoutMs), 'json');
    const first = proposalsIn(answer, question);
    const proposals = first ?? proposalsIn(await ask(repairOf(messages, answer)), question);
    if (!proposals) throw failure('unfit');
    works('json', first ? formats[endpoint.format] : keptLate, 'proposals');
    const { refused = [] } = await base.compose({ ...sample, proposals }, new AbortController().signal);
    found.set('proposals', outcomeOf(proposals.length, refused.length));
  } catch (error) {
    const reason = reasonOf(error);
    if (!reason) throw error;
    const { message, hint: usual } = error as AppError;
    const hint = (reason === 'model' ? found.get('model')?.hint : undefined) ?? usual;
    found.set(about[reason] ?? current, { result: 'fails', message, ...(hint !== undefined && { hint }) });
  }
  return names.map((what) => ({ what, ...(found.get(what) ?? { result: 'untried', message: 'Not tried.' }) }));
}

const keptLate: Outcome = {
  result: 'partly',
  message: 'The model keeps to the form when asked twice.',
  hint: 'Documents will take twice as long.',
};

const answered = (ms: number, timeoutMs: number): Outcome =>
  ms > timeoutMs / 2
    ? {
        result: 'partly',
        message: `The model answers late for ${timeoutMs / 1000} s.`,
        hint: 'Give documents longer with timeout=SECONDS.',
        ms,
      }
    : { result: 'works', message: `The model answers well within ${timeoutMs / 1000} s.`, ms };

const notListed = (models: readonly string[]): Outcome => ({
  result: 'partly',
  message: 'The server does not list this model.',
  ...(models.length > 0 && {
    hint: `The server lists ${models.slice(0, 5).join(', ')}${models.length > 5 ? ', …' : ''}.`,
  }),
});

const outcomeOf = (proposals: number, refused: number): Outcome => ({
  result: refused > 0 ? 'partly' : 'works',
  message: `Of ${proposals} for the sample ${refused} were refused.`,
  ...(refused > 0 && { hint: 'Where many are refused, take another model.' }),
});
