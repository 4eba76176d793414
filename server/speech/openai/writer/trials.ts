/** Tests the abilities of a language model's server with made-up sentences. */
import type { Clock } from '../../../../src/domain/clock.ts';
import { shippedTemplates } from '../../../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../../../src/reporting/templates/template.ts';
import type { Trial } from '../../engine.ts';
import type { Writer } from '../../writer.ts';
import type { ComposeInput } from '../../writer-data.ts';
import { createQuestion } from './propose.ts';
import { hasModel } from '../service.ts';
import { judgeDuration, hasThisModel, modelNotListed, reached, runTrials, takesRequests } from '../trials.ts';
import type { Outcome } from '../trials.ts';
import type { Endpoint, Format } from './endpoint.ts';
import { failure, reasonOf } from './failures.ts';
import type { Reason } from './failures.ts';
import { createMessages, everySentence, readProposals, createRepair, createSchema } from './prompt.ts';
import type { Message } from './prompt.ts';
import { elementAt } from '../../../../src/domain/elements.ts';

interface TrialDeps {
  /** The rules. */
  readonly base: Writer;
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly clock: Clock;
  /** Timeout of one document. */
  readonly timeoutMs: number;
  /** Runs work with the timeout of one document. */
  within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** The trials, in order. */
const names = ['server', 'key', 'model', 'answer', 'json', 'proposals'] as const;
type Name = (typeof names)[number];

/** The trial that a reason belongs to, if it is not the current one. */
const about: Readonly<Partial<Record<Reason, Name>>> = { key: 'key', model: 'model', unfit: 'json' };

const [id, data] = elementAt(Object.entries(shippedTemplates), 0);
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
  json_object: { result: 'partly', message: 'The server supports JSON mode, but not JSON Schema.', hint: attempts },
  none: { result: 'partly', message: 'The server has no JSON mode.', hint: attempts },
};

export function tryWriter({ base, endpoint, model, clock, timeoutMs, within }: TrialDeps): Promise<Trial[]> {
  return runTrials({ names, about, reasonOf, clock }, async ({ note, begin, ms }) => {
    const models = await within((signal) => endpoint.models(signal));
    note('server', { ...reached, ms: ms() });
    begin('answer');
    if (models && !hasModel(models, model)) note('model', modelNotListed(models));
    const { signal } = new AbortController();
    const question = createQuestion(await base.compose({ ...sample, proposals: [] }, signal), sample, true);
    const ask = (messages: readonly Message[]): Promise<string> =>
      within((soon) => endpoint.ask(messages, createSchema(question), soon));
    const messages = createMessages(question);
    const answer = await ask(messages);
    note('key', takesRequests);
    note('model', hasThisModel);
    note('answer', judgeDuration(ms(), timeoutMs, 'Allow more time with timeout=SECONDS.'));
    begin('json');
    const first = readProposals(answer, question);
    const proposals = first ?? readProposals(await ask(createRepair(messages, answer, everySentence)), question);
    if (!proposals) throw failure('unfit');
    note('json', first ? formats[endpoint.format] : formKeptLate);
    begin('proposals');
    const { refused = [] } = await base.compose({ ...sample, proposals }, signal);
    note('proposals', judgeProposals(proposals.length, refused.length));
  });
}

const formKeptLate: Outcome = {
  result: 'partly',
  message: 'The model keeps to the form at the second request.',
  hint: 'Documents will take twice as long.',
};

const judgeProposals = (proposals: number, refused: number): Outcome => ({
  result: refused > 0 ? 'partly' : 'works',
  message: `Of ${proposals} for the sample ${refused} were refused.`,
  ...(refused > 0 && { hint: 'If many are refused, choose another model.' }),
});
