/**
 * Hears the piece that is being spoken, again and again while it grows. A model changes its mind about the last words,
 * so those are shown on which two hearings in a row agree.
 */
import { fold } from '../../../src/domain/fold.ts';
import type { SoundPiece } from '../sound/pieces.ts';
import type { Answer } from './ear.ts';
import type { Word } from './words.ts';

export interface OpenPieceDeps {
  readonly hear: (piece: SoundPiece) => Promise<Answer>;
  /** Called with the first words of the piece that are probably right. */
  readonly onWords: (words: readonly Word[]) => void;
}

export interface OpenPiece {
  /** The piece has grown to these seconds. `look` creates the piece as it is. */
  grow(seconds: number, look: () => SoundPiece | undefined): void;
  /** Ends the piece. The answer to it, if its last hearing had the same voices: only silence came after. */
  close(piece: SoundPiece): Promise<Answer> | undefined;
}

/** Seconds of sound between two hearings, at least. */
const minGrowth = 0.5;

interface Hearing {
  readonly voiced: number;
  readonly answer: Promise<Answer>;
}

export function createOpenPiece({ hear, onWords }: OpenPieceDeps): OpenPiece {
  const begin = () => ({ seconds: 0, nextAt: 2 * minGrowth, isBusy: false, words: [] as readonly Word[] });
  let state: ReturnType<typeof begin> & { last?: Hearing } = begin();
  return {
    grow(seconds, look) {
      const mine = state;
      mine.seconds = seconds;
      if (mine.isBusy || seconds < mine.nextAt) return;
      const piece = look();
      if (!piece) return;
      mine.isBusy = true;
      const answer = hear(piece);
      mine.last = { voiced: piece.voiced, answer };
      const end = (): void => {
        mine.isBusy = false;
        // The engine has as long a break as it took: others wait for it.
        mine.nextAt = mine.seconds + Math.max(minGrowth, mine.seconds - seconds);
      };
      answer.then(
        ({ words }) => {
          end();
          if (mine !== state) return;
          const agreed = findAgreement(mine.words, words);
          mine.words = words;
          if (agreed.length > 0) onWords(agreed);
        },
        // The piece is heard when it ends.
        () => {
          end();
          delete mine.last;
        },
      );
    },
    close({ voiced }) {
      const { last } = state;
      state = begin();
      return last?.voiced === voiced ? last.answer : undefined;
    },
  };
}

const toKey = ({ text }: Word): string => fold(text.normalize('NFC')).replace(/[^\p{L}\p{N}]/gu, '');

/** The words at the beginning that both have. */
function findAgreement(before: readonly Word[], after: readonly Word[]): readonly Word[] {
  const end = after.findIndex((word, at) => {
    const other = before[at];
    return !other || toKey(other) !== toKey(word);
  });
  return end < 0 ? after : after.slice(0, end);
}
