/** Notes what is known of a sound besides its words, while the sound goes by. */
import type { HeardSound } from '../../../src/domain/heard-text.ts';
import type { SoundPiece } from './pieces.ts';

export interface SoundNotes {
  /** For `decodeSound`. */
  readonly onCut: () => void;
  /** The pieces as they are. */
  of(pieces: AsyncIterable<SoundPiece>): AsyncGenerator<SoundPiece>;
  /** What the pieces told that went by. */
  readonly known: HeardSound;
}

export function createSoundNotes(): SoundNotes {
  let voiced = 0;
  let ends: HeardSound['ends'];
  return {
    onCut: () => (ends = 'cut'),
    async *of(pieces) {
      for await (const piece of pieces) {
        voiced += piece.voiced;
        if (piece.breaksOff) ends ??= 'in_word';
        yield piece;
      }
    },
    get known() {
      return { voiced: Math.round(voiced * 100) / 100, ...(ends && { ends }) };
    },
  };
}
