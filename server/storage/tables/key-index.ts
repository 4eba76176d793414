/**
 * The key index leads from a name to the few documents of that name: a hash table that chains the rows of a name, the newest
 * first. The table lies outside the collector's heap and grows a 256th at a time, so that no commit waits for all of it to
 * grow. The index stores hashes instead of names, so a caller must check the name of each document that a look-up returns.
 */
import { randomBytes } from 'node:crypto';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** The entries of a row; a row's number has its chunk in the upper bits and its slot in the lower ones. Links are a row's number + 1. */
interface Links {
  hash: Uint32Array;
  older: Uint32Array;
  newer: Uint32Array;
}

/** Pairs: the newest row that has a hash, + 1, and the hash, at the place that it gives or the next one that was free. */
interface Part {
  heads: Uint32Array;
  count: number;
}

/** Pairs that a part begins with. */
const fewest = 4;
/** The largest used share of a part. */
const fullest = 0.6;

export class KeyIndex {
  readonly #slotBits: number;
  /** The bits of a row's number that are its slot. */
  readonly #slotMask: number;
  readonly #isOlder: (row: number, than: number) => boolean;
  /** Each grows by itself; the top eight bits of a hash say in which one it is. */
  readonly #parts: (Part | undefined)[] = [];
  /** Indexed by chunk. */
  readonly #links: (Links | undefined)[] = [];

  /** `isOlder`: whether the id of one row comes before that of another. */
  constructor(slotBits: number, isOlder: (row: number, than: number) => boolean) {
    this.#slotBits = slotBits;
    this.#slotMask = 2 ** slotBits - 1;
    this.#isOlder = isOlder;
  }

  get bytes(): number {
    let bytes = 0;
    for (const part of this.#parts) bytes += part?.heads.byteLength ?? 0;
    for (const links of this.#links) bytes += 3 * (links?.hash.byteLength ?? 0);
    return bytes;
  }

  /** The newest row that may have a name with that hash; -1 where there is none. */
  newest(hash: number): number {
    const part = this.#parts[hash >>> 24];
    return part ? headAt(part, findPlace(part, hash)) - 1 : -1;
  }

  /** The next older row that may have the same name; -1 where there is none. */
  nextOlder(row: number): number {
    return this.#olderOf(row) - 1;
  }

  /** The hash of the row's name; 0 if it has none here. */
  hashOf(row: number): number {
    return this.#links[row >>> this.#slotBits]?.hash[this.#slotOf(row)] ?? 0;
  }

  /** `isNewest`: whether its id is known to come after all others. */
  add(row: number, hash: number, isNewest: boolean): void {
    this.#setHash(row, hash);
    const part = (this.#parts[hash >>> 24] ??= { heads: new Uint32Array(2 * fewest), count: 0 });
    const place = findPlace(part, hash);
    const head = headAt(part, place);
    if (head === 0) {
      part.heads[place] = row + 1;
      part.heads[place + 1] = hash;
      if (++part.count > (fullest * part.heads.length) / 2) grow(part);
      return;
    }
    let newer = 0;
    let older = head;
    while (!isNewest && older !== 0 && this.#isOlder(row, older - 1)) {
      newer = older;
      older = this.#olderOf(older - 1);
    }
    this.#join(newer, row + 1);
    this.#join(row + 1, older);
    if (newer === 0) part.heads[place] = row + 1;
  }

  /** Nothing happens where the row has no name here. */
  remove(row: number): void {
    const hash = this.hashOf(row);
    if (hash === 0) return;
    const [newer, older] = this.#unlink(row);
    this.#join(newer, older);
    const part = this.#parts[hash >>> 24];
    if (newer !== 0 || !part) return;
    const place = findPlace(part, hash);
    if (older !== 0) part.heads[place] = older;
    else close(part, place);
  }

  /** The document lies in another row now. */
  move(row: number, to: number): void {
    const hash = this.hashOf(row);
    if (hash === 0) return;
    const [newer, older] = this.#unlink(row);
    this.#setHash(to, hash);
    this.#join(newer, to + 1);
    this.#join(to + 1, older);
    const part = this.#parts[hash >>> 24];
    if (newer === 0 && part) part.heads[findPlace(part, hash)] = to + 1;
  }

  /** Empties the row. Returns its neighbours; 0: none. */
  #unlink(row: number): readonly [newer: number, older: number] {
    const links = this.#links[row >>> this.#slotBits];
    if (!links) return [0, 0];
    const slot = this.#slotOf(row);
    const neighbours = [links.newer[slot] ?? 0, links.older[slot] ?? 0] as const;
    links.hash[slot] = links.older[slot] = links.newer[slot] = 0;
    return neighbours;
  }

  /** Nothing is in that chunk any more. */
  forget(chunk: number): void {
    this.#links[chunk] = undefined;
  }

  #slotOf(row: number): number {
    return row & this.#slotMask;
  }

  /** 0: none. */
  #olderOf(row: number): number {
    return this.#links[row >>> this.#slotBits]?.older[this.#slotOf(row)] ?? 0;
  }

  #setHash(row: number, hash: number): void {
    const chunk = row >>> this.#slotBits;
    const slot = this.#slotOf(row);
    let links = this.#links[chunk];
    if (!links || slot >= links.hash.length) {
      const capacity = Math.min(this.#slotMask + 1, Math.max(16, 4 * slot));
      const larger = (of: Uint32Array | undefined): Uint32Array => {
        const array = new Uint32Array(capacity);
        if (of) array.set(of);
        return array;
      };
      this.#links[chunk] = links = {
        hash: larger(links?.hash),
        older: larger(links?.older),
        newer: larger(links?.newer),
      };
    }
    links.hash[slot] = hash;
  }

  /** Makes them neighbours; 0: none. */
  #join(newer: number, older: number): void {
    const linksOfNewer = newer === 0 ? undefined : this.#links[(newer - 1) >>> this.#slotBits];
    const linksOfOlder = older === 0 ? undefined : this.#links[(older - 1) >>> this.#slotBits];
    if (linksOfNewer) linksOfNewer.older[this.#slotOf(newer - 1)] = older;
    if (linksOfOlder) linksOfOlder.newer[this.#slotOf(older - 1)] = newer;
  }
}

/** The newest row at a place, + 1; 0: none. */
const headAt = ({ heads }: Part, place: number): number => heads[place] ?? 0;

/** Where the rows of that hash are, or would be. */
function findPlace({ heads }: Part, hash: number): number {
  const mask = heads.length - 1;
  let place = (2 * hash) & mask;
  while (heads[place] !== 0 && heads[place + 1] !== hash) place = (place + 2) & mask;
  return place;
}

function grow(part: Part): void {
  const previous = part.heads;
  part.heads = new Uint32Array(2 * previous.length);
  for (let at = 0; at < previous.length; at += 2) {
    const head = previous[at] ?? 0;
    const hash = previous[at + 1] ?? 0;
    if (head === 0) continue;
    const place = findPlace(part, hash);
    part.heads[place] = head;
    part.heads[place + 1] = hash;
  }
}

/** Empties a place, so that the pairs after it are still found. */
function close(part: Part, emptied: number): void {
  const { heads } = part;
  const mask = heads.length - 1;
  let hole = emptied;
  for (let place = (hole + 2) & mask; heads[place] !== 0; place = (place + 2) & mask) {
    const hash = heads[place + 1] ?? 0;
    const home = (2 * hash) & mask;
    // Whether its home lies after the hole, going round.
    if (((place - home) & mask) < ((place - hole) & mask)) continue;
    heads[hole] = headAt(part, place);
    heads[hole + 1] = hash;
    hole = place;
  }
  heads[hole] = 0;
  part.count--;
}

/** A random hash key for each process, so that nobody can choose names with colliding hashes. Its threads have the same one. */
const secret = keyOfProcess();

function keyOfProcess(): { readonly first: number; readonly second: number } {
  const name = 'laudio: key of names';
  const known: unknown = getEnvironmentData(name);
  const bytes = known instanceof Uint8Array ? Buffer.from(known) : randomBytes(8);
  setEnvironmentData(name, bytes as never);
  return { first: bytes.readInt32LE(0), second: bytes.readInt32LE(4) };
}

/** HalfSipHash-1-3 (Aumasson, Bernstein): its four numbers, and what is done with them. */
class Hash {
  v0 = secret.first;
  v1 = secret.second;
  v2 = secret.first ^ 0x6c796765;
  v3 = secret.second ^ 0x74656462;

  begin(from: Hash): void {
    this.v0 = from.v0;
    this.v1 = from.v1;
    this.v2 = from.v2;
    this.v3 = from.v3;
  }

  /** Two UTF-16 units at a time. It ends with its length, so that no text goes over into the next. */
  take(text: string): void {
    const { length } = text;
    for (let i = 0; i + 1 < length; i += 2) this.#takeWord(text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
    this.#takeWord(((length & 1) === 1 ? text.charCodeAt(length - 1) : 0) | (length << 16));
  }

  end(): number {
    this.v2 ^= 0xff;
    this.#mix();
    this.#mix();
    this.#mix();
    return (this.v1 ^ this.v3) >>> 0;
  }

  #takeWord(word: number): void {
    this.v3 ^= word;
    this.#mix();
    this.v0 ^= word;
  }

  #mix(): void {
    let { v0, v1, v2, v3 } = this;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    this.v0 = v0;
    this.v1 = v1;
    this.v2 = v2;
    this.v3 = v3;
  }
}

const hashOfAll = (text: string): Hash => {
  const hash = new Hash();
  hash.take(text);
  return hash;
};

const hash = new Hash();
/** After what the last name was within, for most are within the same. */
let begun = { within: '', hash: hashOfAll('') };

/** The hash of a name and its scope; never 0. */
export function hashOfName(within: string, name: string): number {
  if (within !== begun.within) begun = { within, hash: hashOfAll(within) };
  hash.begin(begun.hash);
  hash.take(name);
  return hash.end() || 1;
}
