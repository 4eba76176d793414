/** Joins two people's changes of one text, sentence by sentence: what both kept comes once, what each wrote stays. */
import { elementAt } from '../../domain/elements.ts';
import { align } from '../checks/alignment.ts';
import { splitSentences } from '../words/sentences.ts';
import { tokenise } from '../words/token.ts';

/** A sentence, and the white space after it. */
interface Sentence {
  readonly words: string;
  readonly space: string;
}

function readSentences(text: string): readonly Sentence[] {
  const tokens = tokenise(text);
  const spans = splitSentences(tokens).map(({ from, to }) => ({
    start: elementAt(tokens, from).start,
    end: elementAt(tokens, to - 1).end,
  }));
  return spans.map(({ start, end }, at) => ({
    words: text.slice(start, end),
    space: text.slice(end, spans[at + 1]?.start ?? text.length),
  }));
}

/** The changes of one person. */
interface Side {
  /** The sentences that stayed, by their place in the text before. */
  readonly kept: ReadonlyMap<number, Sentence>;
  /** The sentences that this person wrote, by the place of the last kept one before them; -1: at the beginning. */
  readonly written: ReadonlyMap<number, readonly Sentence[]>;
}

const wordsOf = (sentences: readonly Sentence[]): string[] => sentences.map(({ words }) => words);

function readSide(before: readonly Sentence[], text: string): Side {
  const sentences = readSentences(text);
  const places = align(wordsOf(before), wordsOf(sentences));
  const kept = new Map<number, Sentence>();
  const written = new Map<number, Sentence[]>();
  let last = -1;
  for (const [at, sentence] of sentences.entries()) {
    const place = elementAt(places, at);
    if (place < 0) written.set(last, [...(written.get(last) ?? []), sentence]);
    else kept.set((last = place), sentence);
  }
  return { kept, written };
}

/**
 * Both changes of `before`. A sentence that one kept and the other changed or removed is gone. Of what both wrote between
 * two sentences that both kept, the same sentence comes once; `first` comes first. At another place it says another thing
 * and stays.
 */
export function joinTexts(before: string, first: string, second: string): string {
  const was = readSentences(before);
  const [one, other] = [readSide(was, first), readSide(was, second)];
  const joined: Sentence[] = [];
  let places: number[] = [-1];
  const addWritten = (): void => {
    const known = new Set(places.flatMap((place) => wordsOf(one.written.get(place) ?? [])));
    for (const place of places) {
      joined.push(...(one.written.get(place) ?? []));
      joined.push(...(other.written.get(place) ?? []).filter(({ words }) => !known.has(words)));
    }
    places = [];
  };
  for (const place of was.keys()) {
    const kept = one.kept.get(place);
    if (kept && other.kept.has(place)) {
      addWritten();
      joined.push(kept);
    }
    places.push(place);
  }
  addWritten();
  return joined
    .map(({ words, space }, at) => (at === joined.length - 1 ? words : `${words}${space === '' ? '\n' : space}`))
    .join('');
}
