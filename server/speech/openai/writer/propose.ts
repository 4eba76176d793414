/** Asks a language model about the sentences of a document. */
import type { ComposeResult, ComposeInput } from '../../writer-data.ts';
import type { Endpoint } from './endpoint.ts';
import { failure } from './failures.ts';
import { createRepair } from './prompt.ts';
import type { Message, QuestionSentence, Question } from './prompt.ts';

/** Sections that are not sent: the model doesn't need to know the patient. */
const privateSections: ReadonlySet<string | null> = new Set(['patient', 'notice']);

/** The question about a document, without settled sentences and names. */
export function createQuestion(
  { sentences = [] }: ComposeResult,
  { language, template }: ComposeInput,
  wording: boolean,
): Question {
  const asked = sentences.flatMap(({ text, section, isWhole }, id): QuestionSentence[] =>
    isWhole || privateSections.has(section) || (!wording && section !== null) || !/\p{L}/u.test(text)
      ? []
      : [{ id, text, section }],
  );
  const sections = template.sections.filter(({ key }) => !privateSections.has(key));
  return { language, sections, sentences: asked, wording };
}

/** A question whose answer is JSON. */
export interface JsonQuestion<T> {
  readonly messages: readonly Message[];
  readonly schema: object;
  /** Words for the form that a repeated question demands. */
  readonly form: string;
  /** `undefined` if the answer has another form. */
  readonly read: (answer: string) => T | undefined;
}

/** Asks, and repeats the question once if the response has the wrong form. */
export async function askForJson<T>(
  endpoint: Pick<Endpoint, 'ask'>,
  { messages, schema, form, read }: JsonQuestion<T>,
  signal: AbortSignal,
): Promise<T> {
  const first = await endpoint.ask(messages, schema, signal);
  const answer = read(first) ?? read(await endpoint.ask(createRepair(messages, first, form), schema, signal));
  if (!answer) throw failure('unfit');
  return answer;
}
