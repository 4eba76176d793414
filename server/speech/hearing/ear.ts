/** The hearing of an engine: a stretch of sound at a time. */
import type { Language } from '../../../src/contract/shared.ts';
import type { FairPlaces } from '../../runtime/queue/fair-places.ts';
import type { Stretch } from './hear-again.ts';
import type { Transcript } from './join-pieces.ts';

/** The answer of an engine; times count from the beginning of the stretch. */
export interface Answer extends Transcript {
  /** The detected language (ISO 639-1), if the engine reports one. */
  readonly language?: string;
}

/** Shared by all pieces of a dictation. */
export interface HearingContext {
  readonly language: Language;
  /** Whether its words are known already: a failure is no verdict on the sound. */
  readonly isRepeated?: boolean;
  /** Whether the engine chooses the language itself, if it can. */
  readonly anyLanguage?: boolean;
  /** The lane of the live dictation in the engine's places. */
  readonly lane?: string;
}

/** How an engine hears. */
export interface Ear<Context extends HearingContext> {
  /** Limits the pieces that are heard at the same time. */
  readonly places: FairPlaces;
  /** The longest piece in seconds; may shrink meanwhile. */
  readonly seconds: () => number;
  hear(stretch: Stretch, context: Context, signal: AbortSignal): Promise<Answer>;
  /** The hearing of another model, for facts that are heard a second time. Absent: `hear`. */
  readonly hearSecond?: (stretch: Stretch, context: Context, signal: AbortSignal) => Promise<Answer>;
  /** Whether it costs nothing to hear a piece again while it is spoken. */
  readonly hearsOpen?: boolean;
  /** The context without a prompt. Absent if the engine takes none. */
  readonly withoutPrompt?: (context: Context) => Context;
}
