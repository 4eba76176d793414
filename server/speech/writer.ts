/**
 * The port of a writer, which turns text into a document and applies instructions to it. It neither stores nor logs its
 * input. A call that it cannot serve rejects with AppError ENGINE_UNAVAILABLE; `signal` aborts a call.
 */
import type { Engine } from './engine.ts';
import type { ProposedSentence } from '../../src/reporting/impression/proposed-sentences.ts';
import type { ComposeResult, ComposeInput, CorrectResult, CorrectInput, ImpressionInput } from './writer-data.ts';

export interface Writer extends Engine {
  /** The host and port that receive text. Absent if the text stays on the server's computer. */
  readonly sendsTo?: string;
  /** The provenance accounts for every heard word once: it is in the sections, was a command, or was taken back. */
  compose(input: ComposeInput, signal: AbortSignal): Promise<ComposeResult>;
  /** If the instruction was not understood or changes nothing, `changes` is empty and `sections` are the input's. */
  correct(input: CorrectInput, signal: AbortSignal): Promise<CorrectResult>;
  /**
   * Proposes sentences for the impression, the most important first; the caller checks them. Absent if the writer
   * proposes none.
   */
  proposeImpression?(input: ImpressionInput, signal: AbortSignal): Promise<readonly ProposedSentence[]>;
}
