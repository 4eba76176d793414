/**
 * From what was heard to a document (the report language): spoken commands, macros, spelling, numbers and terms,
 * self-corrections, sections. Pure, and linear in the length of what was heard.
 */
import { readDictation } from './dictation.ts';
import { assemble } from './document.ts';
import type { Report } from './document.ts';
import type { WriteInput } from './input.ts';
import { adoptProposals, readSentences } from './proposals.ts';
import type { Refusal, WrittenSentence } from './proposals.ts';

export interface Written extends Report {
  /** As the rules wrote them, before any proposal; none where no `proposals` are given. */
  readonly sentences: readonly WrittenSentence[];
  /** Why proposals were refused, one each. */
  readonly refused: readonly Refusal[];
}

export function write(input: WriteInput): Written {
  const work = readDictation(input);
  const sentences = readSentences(work, input);
  const { labels, refused } = adoptProposals(work, sentences, input);
  return { ...assemble(work, input, labels), sentences: sentences.list, refused };
}
