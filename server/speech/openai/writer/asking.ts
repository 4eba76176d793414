/** Asks a language model about the sentences of a document. */
import type { Proposal } from '../../../../src/reporting/input.ts';
import type { Composed, ComposeInput } from '../../writing.ts';
import type { Endpoint } from './endpoint.ts';
import { failure } from './failures.ts';
import { messagesOf, proposalsIn, repairOf, schemaOf } from './prompt.ts';
import type { AskedSentence, Question } from './prompt.ts';

/** Sections that are not sent: the model doesn't need to know the patient. */
const keptPrivate: ReadonlySet<string | null> = new Set(['patient', 'notice']);

/** The question about a document, without settled sentences and names. */
export function questionOf(
  { sentences = [] }: Composed,
  { language, template }: ComposeInput,
  wording: boolean,
): Question {
  const asked = sentences.flatMap(({ text, section, isWhole }, id): AskedSentence[] =>
    isWhole || keptPrivate.has(section) || (!wording && section !== null) || !/\p{L}/u.test(text)
      ? []
      : [{ id, text, section }],
  );
  const sections = template.sections.filter(({ key }) => !keptPrivate.has(key));
  return { language, sections, sentences: asked, wording };
}

/** Asks, and repeats the question once if the response has the wrong form. */
export async function propose(
  endpoint: Endpoint,
  question: Question,
  signal: AbortSignal,
): Promise<readonly Proposal[]> {
  const messages = messagesOf(question);
  const schema = schemaOf(question);
  const first = await endpoint.ask(messages, schema, signal);
  const proposals = proposalsIn(first, question);
  if (proposals) return proposals;
  const second = proposalsIn(await endpoint.ask(repairOf(messages, first), schema, signal), question);
  if (!second) throw failure('unfit');
  return second;
}
