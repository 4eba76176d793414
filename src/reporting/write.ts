/**
 * Turns a transcript into a report (the report language): spoken commands, macros, spelling, numbers and terms,
 * self-corrections, sections. Pure, and linear in the length of the transcript.
 */
import { readDictation } from './dictation.ts';
import { assemble } from './document.ts';
import type { Report } from './document.ts';
import type { WriteInput } from './input.ts';
import { adoptProposals, readSentences } from './proposals.ts';
import type { Refusal, WrittenSentence } from './proposals.ts';

export interface WrittenReport extends Report {
  /** The sentences that the rules wrote, before any proposal; none unless `proposals` are given. */
  readonly sentences: readonly WrittenSentence[];
  /** Why proposals were refused, one entry each. */
  readonly refused: readonly Refusal[];
}

export function write(input: WriteInput): WrittenReport {
  const work = readDictation(input);
  const sentences = readSentences(work, input);
  const { labels, refused } = adoptProposals(work, sentences, input);
  return { ...assemble(work, input, labels), sentences: sentences.list, refused };
}
