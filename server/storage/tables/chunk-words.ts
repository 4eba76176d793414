/**
 * The words in the texts of a chunk's documents. While a chunk grows, a search reads its texts one by one. Once the chunk is
 * at rest, its words are gathered into a sorted list, each word with its slots. Words with the same beginning are then
 * adjacent, and so are their slots. To read texts and to gather words takes tens of milliseconds a chunk, and so is done in slices.
 */
import { foldText, foldTexts, hasWord, isWordAt, splitWords, wordsSought } from '../../../src/domain/search-text.ts';

/** Characters by which the list distinguishes words; the search compares the rest of a longer word in the document itself. */
const maxWord = 32;
/** Texts that may have changed since the words were gathered. */
const maxLoose = 64;
/** Documents, and characters of their texts, of one slice: some milliseconds. */
const sliceDocuments = 64;
const sliceLength = 8 * 1024;
/** Lengths of the beginnings of words by which a chunk is passed over. A longer word is sought by the longest that it has. */
const markedLengths = [12, 9, 6] as const;

/** The words of a search. */
export interface Sought {
  /** Folded, as people wrote them. */
  readonly words: readonly string[];
  /** UTF-8 of those that are looked up. */
  readonly lookups: readonly Buffer[];
  /** Hashes of their marked beginnings, of those that are long enough. */
  readonly marks: readonly number[];
  /** Whether that is all there is to it; else what is found has to be checked. */
  readonly isExact: boolean;
}

export function soughtIn(query: string): Sought {
  const words = wordsSought(query);
  const lookups = new Set(words.flatMap((word) => (word.length > maxWord ? splitWord(word) : [word])));
  return {
    words,
    lookups: Array.from(lookups, (word) => Buffer.from(word)),
    marks: [...lookups].flatMap((word) => {
      const length = markedLengths.find((each) => each <= word.length);
      return length === undefined ? [] : [hashMark(word, length)];
    }),
    isExact: words.every((word) => word.length <= maxWord),
  };
}

/** Where a word begins in another word, the text has a word as well. */
function splitWord(word: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < word.length; at++) {
    if (isWordAt(word, at)) parts.push(word.slice(at, at + maxWord));
  }
  return parts;
}

interface WordLists {
  /** UTF-8 of all words, in ascending order, one after the other. */
  readonly letters: Uint8Array;
  /** Where each word begins there, and where the last one ends. */
  readonly starts: Uint32Array;
  /** Where the slots of each word begin, and where those of the last one end. */
  readonly firsts: Uint32Array;
  readonly slots: Uint16Array;
  /** A bit for each hash of a marked beginning that any word has; the number of bits is a power of two. */
  readonly marks: Uint32Array;
}

/** Reads the texts of a chunk's documents. */
export interface ChunkTexts {
  /** Those of all documents. */
  slots(): Iterable<number>;
  textsOf(slot: number): readonly (string | null)[];
}

export class ChunkWords {
  #gathered: WordLists | undefined;
  #gathering: Gathering | undefined;
  /** Once words are gathered: the slots whose texts are others by now. Before, all slots are loose. */
  readonly #loose = new Set<number>();
  /** The texts of loose slots, after the first search. */
  readonly #texts = new Map<number, string>();

  get size(): number {
    if (!this.#gathered) return 0;
    const { letters, starts, firsts, slots, marks } = this.#gathered;
    return letters.byteLength + starts.byteLength + firsts.byteLength + slots.byteLength + marks.byteLength;
  }

  /** The text of the document in that slot is another one, or the document is. */
  change(slot: number): void {
    if (this.#gathered) this.#loose.add(slot);
    this.#gathering?.changed.add(slot);
    if (this.#texts.size > 0) this.#texts.delete(slot);
  }

  /** The slot is empty. */
  remove(slot: number): void {
    this.change(slot);
    if (this.#gathered || this.#gathering) this.#texts.set(slot, '');
  }

  /**
   * Does a slice of what the next search would do first: gathers the words of a chunk at rest, and reads the texts of loose slots.
   * Returns whether there was anything to do.
   */
  prepare(isAtRest: boolean, texts: ChunkTexts): boolean {
    if (isAtRest && (!this.#gathered || this.#loose.size > maxLoose)) {
      this.#gathering ??= new Gathering(texts.slots());
      if (!this.#gathering.go(texts)) return true;
      const { changed } = this.#gathering;
      this.#gathered = this.#gathering.finish();
      this.#gathering = undefined;
      this.#loose.clear();
      for (const slot of changed) this.#loose.add(slot);
      for (const slot of this.#texts.keys()) if (!changed.has(slot)) this.#texts.delete(slot);
      return true;
    }
    const slice = new Slice();
    for (const slot of this.#gathered ? this.#loose : texts.slots()) {
      if (this.#texts.has(slot)) continue;
      const text = foldTexts(texts.textsOf(slot));
      this.#texts.set(slot, text);
      if (slice.takes(text.length)) return true;
    }
    return slice.hasAny;
  }

  /** False where no document can have all the words. */
  mayHave({ marks }: Sought): boolean {
    if (!this.#gathered || this.#loose.size > 0) return true;
    const { marks: bits } = this.#gathered;
    return marks.every((mark) => hasBit(bits, mark));
  }

  /**
   * Counts in `found`, which begins with zeros, how many of the words the document in each slot has. Returns whether any slot
   * can have all words.
   */
  search({ words, lookups }: Sought, { slots, textsOf }: ChunkTexts, found: Uint8Array): boolean {
    const gathered = this.#gathered;
    let isFound = gathered !== undefined && lookups.every((lookup, at) => markSlots(gathered, lookup, at, found));
    for (const slot of gathered ? this.#loose : slots()) {
      let text = this.#texts.get(slot);
      if (text === undefined) this.#texts.set(slot, (text = foldTexts(textsOf(slot))));
      const has = words.every((word) => hasWord(text, word));
      found[slot] = has ? lookups.length : 0;
      isFound ||= has;
    }
    return isFound;
  }
}

/** Counts the word in each slot that has the words before it. Returns whether there is any. */
function markSlots(lists: WordLists, lookup: Buffer, before: number, found: Uint8Array): boolean {
  const { firsts, slots } = lists;
  const from = firsts[findBound(lists, lookup, false)];
  const to = firsts[findBound(lists, lookup, true)];
  let isFound = false;
  for (const slot of slots.subarray(from, to)) {
    if (found[slot] !== before) continue;
    found[slot] = before + 1;
    isFound = true;
  }
  return isFound;
}

/** Counts what one slice has done. */
class Slice {
  #documents = 0;
  #length = 0;

  get hasAny(): boolean {
    return this.#documents > 0;
  }

  /** Whether the slice is full with a document of so many characters. */
  takes(length: number): boolean {
    this.#length += length;
    return ++this.#documents >= sliceDocuments || this.#length >= sliceLength;
  }
}

/** The gathering of a chunk's words, which may change meanwhile: slots that do are loose afterwards. */
class Gathering {
  readonly changed = new Set<number>();
  readonly #slots: Iterator<number, undefined>;
  /** The slot that is read, and what is left of its texts. */
  #slot = 0;
  readonly #pieces: string[] = [];
  readonly #found = new Map<string, number[]>();
  /** The slots that have each of its words, by the text: many documents have the same ones. */
  readonly #known = new Map<string, readonly number[][]>();
  #count = 0;

  constructor(slots: Iterable<number>) {
    this.#slots = [...slots].values();
  }

  /** Reads what one slice takes. Returns whether all had been read before. */
  go({ textsOf }: ChunkTexts): boolean {
    const slice = new Slice();
    for (;;) {
      const piece = this.#pieces.pop();
      if (piece !== undefined) {
        this.#note(createLists(piece, this.#found));
        if (slice.takes(piece.length)) return false;
        continue;
      }
      const next = this.#slots.next();
      if (next.done) return !slice.hasAny;
      this.#slot = next.value;
      if (this.changed.has(this.#slot)) continue;
      if (slice.takes(this.#read(textsOf(this.#slot)))) return false;
    }
  }

  /** Reads the texts of the present slot but for long ones, which are read piece by piece. Returns how many characters were read. */
  #read(texts: readonly (string | null)[]): number {
    let length = 0;
    for (const text of texts) {
      if (text === null) continue;
      if (text.length > sliceLength) {
        this.#pieces.push(...cutPieces(text));
        continue;
      }
      let lists = this.#known.get(text);
      if (!lists) {
        length += text.length;
        this.#known.set(text, (lists = createLists(text, this.#found)));
      }
      this.#note(lists);
    }
    return length;
  }

  /** The present slot has these words. */
  #note(lists: readonly number[][]): void {
    for (const having of lists) {
      if (having[having.length - 1] === this.#slot) continue;
      having.push(this.#slot);
      this.#count++;
    }
  }

  finish(): WordLists {
    return ordered(this.#found, this.#count);
  }
}

/** A long text, cut where no word goes on. */
function cutPieces(text: string): string[] {
  const pieces: string[] = [];
  const between = /[\s^=]/g;
  for (let start = 0; start < text.length;) {
    between.lastIndex = start + sliceLength;
    const end = between.exec(text)?.index ?? text.length;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** For each word of the text the slots that have been found for it, in lists that grow. */
function createLists(text: string, found: Map<string, number[]>): number[][] {
  return splitWords(foldText(text), maxWord).map((word) => {
    let having = found.get(word);
    if (!having) found.set(word, (having = []));
    return having;
  });
}

function ordered(found: ReadonlyMap<string, readonly number[]>, count: number): WordLists {
  const words = inOrder([...found.keys()]);
  const all = words.join('');
  const letters = Buffer.from(all);
  const isAscii = letters.length === all.length;
  const starts = new Uint32Array(words.length + 1);
  const firsts = new Uint32Array(words.length + 1);
  const slots = new Uint16Array(count);
  let end = 0;
  let last = 0;
  for (const [at, word] of words.entries()) {
    starts[at] = end;
    end += isAscii ? word.length : Buffer.byteLength(word);
    firsts[at] = last;
    for (const slot of found.get(word) ?? []) slots[last++] = slot;
  }
  starts[words.length] = end;
  firsts[words.length] = last;
  return { letters: new Uint8Array(letters), starts, firsts, slots, marks: collectMarks(words) };
}

/** A hash of the first letters of a word (FNV-1a). */
function hashMark(word: string, length: number): number {
  let hash = 0x811c9dc5 ^ length;
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** `words` in order, so that those with the same beginning are adjacent. */
function collectMarks(words: readonly string[]): Uint32Array {
  const marks: number[] = [];
  for (const length of markedLengths) {
    let last = '';
    for (const word of words) {
      if (word.length < length || (last !== '' && word.startsWith(last))) continue;
      last = word.slice(0, length);
      marks.push(hashMark(last, length));
    }
  }
  // One bit of eight at most is set, so that few chunks are looked into for nothing.
  const bits = new Uint32Array(2 ** Math.max(0, Math.ceil(Math.log2((8 * marks.length) / 32))));
  for (const mark of marks) bits[bitWord(bits, mark)] = bitsAround(bits, mark) | (1 << (mark & 31));
  return bits;
}

const bitWord = (bits: Uint32Array, mark: number): number => (mark >>> 5) & (bits.length - 1);
/** The 32 bits that have the bit of a mark. */
const bitsAround = (bits: Uint32Array, mark: number): number => bits[bitWord(bits, mark)] ?? 0;
const hasBit = (bits: Uint32Array, mark: number): boolean => ((bitsAround(bits, mark) >>> (mark & 31)) & 1) === 1;

/** Compares by bytes. Only with surrogates is that not the order of their UTF-16 units. */
const inOrder = (words: readonly string[]): string[] =>
  /[\ud800-\udfff]/.test(words.join(''))
    ? words.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    : words.toSorted();

/** Which word is the first that begins so or comes later; `after`: that comes after all that begin so. */
function findBound(lists: WordLists, beginning: Buffer, after: boolean): number {
  let low = 0;
  let high = lists.starts.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compare(lists, middle, beginning);
    if (order < 0 || (after && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** 0 where the word begins so; below 0 where it comes before all that do, above 0 where it comes after. */
function compare({ letters, starts }: WordLists, word: number, beginning: Buffer): number {
  let at = starts[word] ?? letters.length;
  const end = starts[word + 1] ?? letters.length;
  for (const sought of beginning) {
    const letter = at < end ? letters[at++] : undefined;
    if (letter === undefined) return -1;
    if (letter !== sought) return letter - sought;
  }
  return 0;
}
