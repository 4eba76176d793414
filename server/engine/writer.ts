/**
 * The port behind which text becomes a document, and an instruction a changed one. A writer keeps nothing and logs nothing
 * of what it is given. A call it cannot serve rejects with AppError ENGINE_UNAVAILABLE; a call that is no longer wanted is
 * told by `signal`.
 */
import type { Engine } from './engine.ts';
import type { Composed, ComposeInput, Corrected, CorrectInput } from './writing.ts';

export interface Writer extends Engine {
  /** The provenance accounts for every word heard once: it is in the sections, or was a command, or was taken back. */
  compose(input: ComposeInput, signal: AbortSignal): Promise<Composed>;
  /** `changes` is empty, and `sections` as given, where the instruction was not understood or changes nothing. */
  correct(input: CorrectInput, signal: AbortSignal): Promise<Corrected>;
}
