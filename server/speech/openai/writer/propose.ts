/** Asks a language model about the sentences of a document. */
import type { Proposal } from '../../../../src/reporting/input.ts';
import type { ComposeResult, ComposeInput } from '../../writer-data.ts';
import type { Endpoint } from './endpoint.ts';
import { failure } from './failures.ts';
import { createMessages, readProposals, createRepair, createSchema } from './prompt.ts';
import type { QuestionSentence, Question } from './prompt.ts';

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

/** Asks, and repeats the question once if the response has the wrong form. */
export async function propose(
  endpoint: Endpoint,
  question: Question,
  signal: AbortSignal,
): Promise<readonly Proposal[]> {
  const messages = createMessages(question);
  const schema = createSchema(question);
  const first = await endpoint.ask(messages, schema, signal);
  const proposals = readProposals(first, question);
  if (proposals) return proposals;
  const second = readProposals(await endpoint.ask(createRepair(messages, first), schema, signal), question);
  if (!second) throw failure('unfit');
  return second;
}
