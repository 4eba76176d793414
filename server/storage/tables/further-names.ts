/**
 * The second name of a document in a key index, and those after. Few documents have any, so that these hold ids, which stay, where
 * key-index.ts holds rows. A caller must check the names of each document that a look-up returns, as there.
 */
export class FurtherNames {
  readonly #ids = new Map<number, readonly string[]>();
  readonly #hashes = new Map<string, readonly number[]>();

  /** Bytes of memory, about. */
  get bytes(): number {
    return (this.#ids.size + this.#hashes.size) * 200;
  }

  /** The ids of the documents that may have a name with that hash. */
  of(hash: number): readonly string[] {
    return this.#ids.size === 0 ? nobody : (this.#ids.get(hash) ?? nobody);
  }

  /** The document has names of these hashes, and no others of before. */
  set(id: string, hashes: readonly number[]): void {
    const previous = this.#hashes.size === 0 ? undefined : this.#hashes.get(id);
    if (hashes.length === 0 && !previous) return;
    for (const hash of previous ?? [])
      this.#give(
        hash,
        this.of(hash).filter((other) => other !== id),
      );
    for (const hash of hashes) this.#give(hash, [...this.of(hash), id]);
    if (hashes.length === 0) this.#hashes.delete(id);
    else this.#hashes.set(id, hashes);
  }

  #give(hash: number, ids: readonly string[]): void {
    if (ids.length === 0) this.#ids.delete(hash);
    else this.#ids.set(hash, ids);
  }
}

const nobody: readonly string[] = [];
