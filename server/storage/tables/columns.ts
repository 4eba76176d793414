/** The index values of a chunk's documents, slot by slot, in so few bytes that a scan of all slots is quick. */

/** Names that many documents share. */
export class GroupColumn {
  /** The number of a name is its position in this list; 0: the document has no name. */
  #names: (string | null)[] = [null];
  #numbers: Uint8Array | Uint16Array;

  constructor(capacity: number) {
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
    return this.#names[this.#numbers[slot]!]!;
  }

  set(slot: number, name: string | null): void {
    let number = this.#names.indexOf(name);
    if (number < 0) {
      if (this.#names.length === 2 ** (8 * this.#numbers.BYTES_PER_ELEMENT)) this.#makeRoom();
      number = this.#names.push(name) - 1;
    }
    this.#numbers[slot] = number;
  }

  /** The number of each slot and those of the names; `undefined` where no slot can have one of them. */
  findAny(
    names: readonly string[],
  ): { readonly numbers: Uint8Array | Uint16Array; readonly wanted: readonly number[] } | undefined {
    const wanted = names.map((name) => this.#names.indexOf(name)).filter((number) => number >= 0);
    return wanted.length === 0 ? undefined : { numbers: this.#numbers, wanted };
  }

  /** Forgets the names that no slot has any more, and takes two bytes a slot where most have one. */
  #makeRoom(): void {
    const previous = this.#names;
    const used = new Set<number>([0, ...this.#numbers]);
    this.#names = previous.filter((_, number) => used.has(number));
    const numbers = new Map(this.#names.map((name, number) => [name, number]));
    const { length } = this.#numbers;
    const renumbered = this.#names.length > 0x80 ? new Uint16Array(length) : new Uint8Array(length);
    for (let slot = 0; slot < length; slot++) renumbered[slot] = numbers.get(previous[this.#numbers[slot]!]!)!;
    this.#numbers = renumbered;
  }
}

/** Instants in ms since 1970; NaN: the document has no instant. */
export class InstantColumn {
  #instants: Float64Array;
  /** None lies before or after; they may have been there and gone. */
  first = Infinity;
  last = -Infinity;

  constructor(capacity: number) {
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
    return this.#instants[slot]!;
  }

  set(slot: number, instant: number | null): void {
    this.#instants[slot] = instant ?? Number.NaN;
    if (instant === null) return;
    if (instant < this.first) this.first = instant;
    if (instant > this.last) this.last = instant;
  }
}
