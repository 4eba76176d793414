/**
 * The words in the texts of a chunk's documents. While a chunk grows, a search reads its texts one by one. Once the chunk is
 * at rest, its words are gathered into a sorted list, each word with its slots. Words with the same beginning are then
 * adjacent, and so are their slots.
 */
import { foldText, foldTexts, hasWord, isWordAt, wordsOf, wordsSought } from '../../src/domain/search-text.ts';

/** Characters by which the list distinguishes words; the search compares the rest of a longer word in the document itself. */
const longestWord = 32;
/** Texts that may have changed since the words were gathered. */
const mostLoose = 64;

/** The words of a search. */
export interface Sought {
  /** Folded, as people wrote them. */
  readonly words: readonly string[];
  /** UTF-8 of those that are looked up. */
  readonly lookups: readonly Buffer[];
  /** Whether that is all there is to it; else what is found has to be checked. */
  readonly isExact: boolean;
}

export function soughtIn(query: string): Sought {
  const words = wordsSought(query);
  const lookups = new Set(words.flatMap((word) => (word.length > longestWord ? partsOf(word) : [word])));
  return {
    words,
    lookups: Array.from(lookups, (word) => Buffer.from(word)),
    isExact: words.every((word) => word.length <= longestWord),
  };
}

/** Where a word begins in another word, the text has a word as well. */
function partsOf(word: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < word.length; at++) {
    if (isWordAt(word, at)) parts.push(word.slice(at, at + longestWord));
  }
  return parts;
}

interface Gathered {
  /** UTF-8 of all words, in ascending order, one after the other. */
  readonly letters: Uint8Array;
  /** Where each word begins there, and where the last one ends. */
  readonly starts: Uint32Array;
  /** Where the slots of each word begin, and where those of the last one end. */
  readonly firsts: Uint32Array;
  readonly slots: Uint16Array;
}

export class ChunkWords {
  #gathered: Gathered | undefined;
  /** Once words are gathered: the slots whose texts are others by now. Before, all slots are loose. */
  readonly #loose = new Set<number>();
  /** What loose slots say, once somebody has asked. */
  readonly #texts = new Map<number, string>();

  get size(): number {
    if (!this.#gathered) return 0;
    const { letters, starts, firsts, slots } = this.#gathered;
    return letters.byteLength + starts.byteLength + firsts.byteLength + slots.byteLength;
  }

  /** Whether so many slots are loose that a chunk at rest should gather its words. */
  get isLoose(): boolean {
    return !this.#gathered || this.#loose.size > mostLoose;
  }

  /** The text of the document in that slot is another one, or the document is. */
  change(slot: number): void {
    if (this.#gathered) this.#loose.add(slot);
    if (this.#texts.size > 0) this.#texts.delete(slot);
  }

  /** The slot is empty. */
  remove(slot: number): void {
    this.change(slot);
    if (this.#gathered) this.#texts.set(slot, '');
  }

  gather(slots: Iterable<number>, textsOf: (slot: number) => readonly (string | null)[]): void {
    const found = new Map<string, number[]>();
    /** The slots that have each of its words, by the text: many documents have the same ones. */
    const known = new Map<string, readonly number[][]>();
    let count = 0;
    for (const slot of slots) {
      for (const text of textsOf(slot)) {
        if (text === null) continue;
        let lists = known.get(text);
        if (!lists) known.set(text, (lists = listsOf(text, found)));
        for (const having of lists) {
          if (having[having.length - 1] === slot) continue;
          having.push(slot);
          count++;
        }
      }
    }
    this.#gathered = ordered(found, count);
    this.#loose.clear();
    this.#texts.clear();
  }

  /**
   * Counts in `found`, which begins with zeros, how many of the words the document in each slot has. Returns whether any slot
   * can have all words. `slots`: those of all documents.
   */
  search(
    { words, lookups }: Sought,
    slots: Iterable<number>,
    textsOf: (slot: number) => readonly (string | null)[],
    found: Uint8Array,
  ): boolean {
    let isFound = false;
    if (this.#gathered && lookups.every((lookup, at) => this.#mark(this.#gathered!, lookup, at, found))) isFound = true;
    for (const slot of this.#gathered ? this.#loose : slots) {
      let text = this.#texts.get(slot);
      if (text === undefined) this.#texts.set(slot, (text = foldTexts(textsOf(slot))));
      const has = words.every((word) => hasWord(text, word));
      found[slot] = has ? lookups.length : 0;
      isFound ||= has;
    }
    return isFound;
  }

  /** Whether any slot has it that has the words before it. */
  #mark({ firsts, slots, ...sorted }: Gathered, lookup: Buffer, before: number, found: Uint8Array): boolean {
    const from = boundOf(sorted, lookup, false);
    const to = boundOf(sorted, lookup, true);
    let isFound = false;
    for (let at = firsts[from]!; at < firsts[to]!; at++) {
      const slot = slots[at]!;
      if (found[slot] !== before) continue;
      found[slot] = before + 1;
      isFound = true;
    }
    return isFound;
  }
}

/** For each word of the text the slots that have been found for it, in lists that grow. */
function listsOf(text: string, found: Map<string, number[]>): number[][] {
  return wordsOf(foldText(text), longestWord).map((word) => {
    let having = found.get(word);
    if (!having) found.set(word, (having = []));
    return having;
  });
}

function ordered(found: ReadonlyMap<string, readonly number[]>, count: number): Gathered {
  const words = inOrder([...found.keys()]);
  const all = words.join('');
  const letters = Buffer.from(all);
  const isAscii = letters.length === all.length;
  const starts = new Uint32Array(words.length + 1);
  const firsts = new Uint32Array(words.length + 1);
  const slots = new Uint16Array(count);
  let end = 0;
  let last = 0;
  for (let at = 0; at < words.length; at++) {
    starts[at] = end;
    end += isAscii ? words[at]!.length : Buffer.byteLength(words[at]!);
    firsts[at] = last;
    for (const slot of found.get(words[at]!)!) slots[last++] = slot;
  }
  starts[words.length] = end;
  firsts[words.length] = last;
  return { letters: new Uint8Array(letters), starts, firsts, slots };
}

/** By their bytes. Only with surrogates is that not the order of their UTF-16 units. */
const inOrder = (words: readonly string[]): string[] =>
  /[\ud800-\udfff]/.test(words.join(''))
    ? words.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    : words.toSorted();

/** Which word is the first that begins so or comes later; `after`: that comes after all that begin so. */
function boundOf({ letters, starts }: Pick<Gathered, 'letters' | 'starts'>, beginning: Buffer, after: boolean): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compare(letters, starts[middle]!, starts[middle + 1]!, beginning);
    if (order < 0 || (after && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** 0 where the letters begin so; below 0 where they come before all that do, above 0 where they come after. */
function compare(letters: Uint8Array, from: number, to: number, beginning: Buffer): number {
  for (let i = 0; i < beginning.length; i++) {
    if (from + i === to) return -1;
    const difference = letters[from + i]! - beginning[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
