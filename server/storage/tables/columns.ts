/** The index values of a chunk's documents, slot by slot, in so few bytes that a scan of all slots is quick. */
import type { GroupIndex, InstantIndex } from './declared.ts';

/** Names that many documents share. */
export class GroupColumn {
  readonly index: GroupIndex;
  /** The number of a name is its position in this list; 0: the document has no name. */
  #names: (string | null)[] = [null];
  #numbers: Uint8Array | Uint16Array;

  constructor(index: GroupIndex, capacity: number) {
    this.index = index;
    this.#numbers = new Uint8Array(capacity);
  }

  get bytes(): number {
    return this.#numbers.byteLength;
  }

  grow(capacity: number): void {
    const larger = this.#numbers instanceof Uint8Array ? new Uint8Array(capacity) : new Uint16Array(capacity);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  get(slot: number): string | null {
    return this.#names[this.#numbers[slot] ?? 0] ?? null;
  }

  /** Default: the name that the index was given. */
  set(slot: number, name = this.index.given): void {
    let number = this.#names.indexOf(name);
    if (number < 0) {
      if (this.#names.length === 2 ** (8 * this.#numbers.BYTES_PER_ELEMENT)) this.#makeRoom();
      number = this.#names.push(name) - 1;
    }
    this.#numbers[slot] = number;
  }

  /** For `hasAny`: 1 at the number of each of the names. `undefined` if no slot can have any of them. */
  select(names: readonly string[]): Uint8Array | undefined {
    const numbers = names.map((name) => this.#names.indexOf(name)).filter((number) => number >= 0);
    if (numbers.length === 0) return undefined;
    const selected = new Uint8Array(this.#names.length);
    for (const number of numbers) selected[number] = 1;
    return selected;
  }

  /** Whether the slot has one of the selected names. */
  hasAny(slot: number, selected: Uint8Array): boolean {
    return selected[this.#numbers[slot] ?? 0] === 1;
  }

  /** Forgets the names that no slot has any more, and takes two bytes a slot where most have one. */
  #makeRoom(): void {
    const used = new Set<number>([0, ...this.#numbers]);
    const names: (string | null)[] = [];
    /** The new numbers of the used names. */
    const renumbered = new Map<number, number>();
    for (const [number, name] of this.#names.entries()) {
      if (used.has(number)) renumbered.set(number, names.push(name) - 1);
    }
    const numbers = Array.from(this.#numbers, (number) => renumbered.get(number) ?? 0);
    this.#numbers = names.length > 0x80 ? Uint16Array.from(numbers) : Uint8Array.from(numbers);
    this.#names = names;
  }
}

/** Instants in ms since 1970; NaN: the document has no instant. */
export class InstantColumn {
  readonly index: InstantIndex;
  #instants: Float64Array;
  /** None lies before or after; they may have been there and gone. */
  first = Infinity;
  last = -Infinity;

  constructor(index: InstantIndex, capacity: number) {
    this.index = index;
    this.#instants = new Float64Array(capacity).fill(Number.NaN);
  }

  get bytes(): number {
    return this.#instants.byteLength;
  }

  grow(capacity: number): void {
    const larger = new Float64Array(capacity).fill(Number.NaN);
    larger.set(this.#instants);
    this.#instants = larger;
  }

  get(slot: number): number {
    return this.#instants[slot] ?? Number.NaN;
  }

  /** Default: the instant that the index was given. */
  set(slot: number, instant = this.index.given): void {
    this.#instants[slot] = instant;
    if (instant < this.first) this.first = instant;
    if (instant > this.last) this.last = instant;
  }
}
