/**
 * The writer that uses a language model. The rules write the document; the model only assigns sentences without a
 * section and proposes wording. The rules check each proposal and refuse any that would change a fact. If the model
 * fails or is slow, the rules' document is used.
 */
import { isLoopback } from '../../../../src/client/address.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import type { Proposal } from '../../../../src/reporting/input.ts';
import type { Refusal } from '../../../../src/reporting/proposals.ts';
import type { EngineDeps, EngineKind } from '../../engine.ts';
import type { Writer } from '../../writer.ts';
import type { ComposeResult, ComposeInput } from '../../writer-data.ts';
import { safeAddress, sendableKey } from '../address.ts';
import { hasModel } from '../service.ts';
import { withDeadline } from '../deadline.ts';
import { createEndpoint } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { failure, reasonOf } from './failures.ts';
import type { WriterOptions } from './options.ts';
import { createImpressionQuestion } from './impression.ts';
import { createMessages, createSchema, everySentence, readProposals } from './prompt.ts';
import { askForJson, createQuestion } from './propose.ts';
import type { JsonQuestion } from './propose.ts';
import { tryWriter } from './trials.ts';

/** `rules` write the document. CONFIGURATION if the address or the key is unusable. */
export async function createOpenaiWriter(
  rules: EngineKind<Writer, object>,
  { url, model, timeout = 20, wording = true, insecure = false }: WriterOptions,
  deps: EngineDeps,
): Promise<Writer> {
  const endpoint = createEndpoint({
    url: safeAddress('writer', url, insecure),
    model,
    key: sendableKey('writer', deps.key),
    clock: deps.clock,
  });
  const { hostname, host } = new URL(url);
  return createWriter(await rules.create({}, deps), endpoint, {
    model,
    timeoutMs: timeout * 1000,
    wording,
    sendsTo: isLoopback(hostname) ? undefined : host,
    ...deps,
  });
}

interface WriterSettings extends Pick<EngineDeps, 'clock' | 'log'> {
  readonly model: string;
  /** Timeout of all requests for one document. */
  readonly timeoutMs: number;
  readonly wording: boolean;
  readonly sendsTo: string | undefined;
}

/** Longer documents are written by the rules alone. */
const maxCharacters = 20_000;

/** Seconds without requests after a failure that would recur, and their maximum. */
const pauseSeconds = 30;
const maxPauseSeconds = 300;
const pausesAfter: ReadonlySet<string> = new Set([
  'unreachable',
  'slow',
  'key',
  'model',
  'address',
  'busy',
  'failed',
  'refused',
  'defect',
]);

function createWriter(base: Writer, endpoint: Endpoint, of: WriterSettings): Writer {
  const { clock, log, model, timeoutMs, wording, sendsTo } = of;
  const deadline = { ms: timeoutMs, clock, createError: () => failure('slow') };
  let pausedUntil = -Infinity;
  /** Documents written without the model during the pause. */
  let skipped = 0;

  const fallBack = (error: unknown): void => {
    const reason = reasonOf(error) ?? 'defect';
    const retryAfter = error instanceof AppError ? error.retryAfter : undefined;
    const pause = pausesAfter.has(reason) ? Math.min(retryAfter ?? pauseSeconds, maxPauseSeconds) : 0;
    pausedUntil = Math.max(pausedUntil, clock.elapsed() + pause * 1000);
    log({ level: 'warn', event: 'writer_fell_back', engine: 'openai', reason, pause_s: pause, skipped });
    skipped = 0;
  };

  const ask = <T>(question: JsonQuestion<T>, signal: AbortSignal): Promise<T> =>
    withDeadline(deadline, signal, (soon) => askForJson(endpoint, question, soon));

  const compose = async (input: ComposeInput, signal: AbortSignal): Promise<ComposeResult> => {
    const composeByRules = (): Promise<ComposeResult> => base.compose(input, signal);
    // Typed text is not reworded.
    if (input.typed) return composeByRules();
    if (clock.elapsed() < pausedUntil) {
      skipped += 1;
      return composeByRules();
    }
    if (input.heard.text.length > maxCharacters) {
      fallBack(failure('too_long'));
      return composeByRules();
    }
    const document = await base.compose({ ...input, proposals: [] }, signal);
    const question = createQuestion(document, input, wording);
    if (question.sentences.length === 0) return document;
    const started = clock.elapsed();
    let proposals: readonly Proposal[];
    let better = document;
    try {
      proposals = await ask(
        {
          messages: createMessages(question),
          schema: createSchema(question),
          form: everySentence,
          read: (answer) => readProposals(answer, question),
        },
        signal,
      );
      if (proposals.length > 0) better = await base.compose({ ...input, proposals }, signal);
    } catch (error) {
      signal.throwIfAborted();
      fallBack(error);
      return document;
    }
    log({
      level: 'info',
      event: 'writer_proposals',
      engine: 'openai',
      sentences: question.sentences.length,
      labels: proposals.filter(({ section }) => section !== undefined).length,
      wordings: proposals.filter(({ text }) => text !== undefined).length,
      refused: countRefusals(better.refused ?? []),
      skipped,
      ms: Math.round(clock.elapsed() - started),
    });
    skipped = 0;
    return better;
  };

  return {
    name: 'openai',
    ...(sendsTo !== undefined && { sendsTo }),
    async probe(signal) {
      const models = await withDeadline(deadline, signal, (soon) => endpoint.models(soon));
      if (models && !hasModel(models, model)) throw failure('model');
    },
    trials: (signal) =>
      tryWriter({ base, endpoint, model, clock, timeoutMs, within: (work) => withDeadline(deadline, signal, work) }),
    compose,
    // Only the rules carry out instructions: no model edits a report.
    correct: (input, signal) => base.correct(input, signal),
    // A person waits for it, so a pause after failures does not count.
    proposeImpression: (input, signal) => ask(createImpressionQuestion(input), signal),
    close: async () => void (await Promise.all([endpoint.close(), base.close()])),
  };
}

/** Counts the reasons, without the texts. */
function countRefusals(refused: readonly Refusal[]): Partial<Record<Refusal, number>> {
  const counts: Partial<Record<Refusal, number>> = {};
  for (const reason of refused) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
