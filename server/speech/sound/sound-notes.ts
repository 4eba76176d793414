/** Collects facts about audio while it is transcribed. */
import type { HeardSound } from '../../../src/domain/heard-text.ts';
import type { SoundPiece } from './pieces.ts';

export interface SoundNotes {
  /** For `decodeSound`. */
  readonly onCut: () => void;
  /** Passes the pieces through. */
  watch(pieces: AsyncIterable<SoundPiece>): AsyncGenerator<SoundPiece>;
  /** The facts so far. */
  readonly facts: HeardSound;
}

export function createSoundNotes(): SoundNotes {
  let voiced = 0;
  let ends: HeardSound['ends'];
  return {
    onCut: () => (ends = 'cut'),
    async *watch(pieces) {
      for await (const piece of pieces) {
        voiced += piece.voiced;
        if (piece.breaksOff) ends ??= 'in_word';
        yield piece;
      }
    },
    get facts() {
      return { voiced: Math.round(voiced * 100) / 100, ...(ends && { ends }) };
    },
  };
}
