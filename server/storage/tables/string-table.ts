/**
 * The string table of packed documents, which refer to shapes and words by number. A shape is the names of the fields in order;
 * a word is a text that many documents share. The meaning of a number never changes, so packed documents can be copied, also
 * into a file together with the definitions.
 */

export interface Shape {
  readonly number: number;
  readonly names: readonly string[];
  /** Copied and then filled, so that all documents of the shape are alike to the engine. */
  readonly template: Readonly<Record<string, unknown>>;
}

/** A number and its meaning as JSON: the array of names, or the text. */
export type Definition = readonly [number: number, json: Buffer];

export interface Definitions {
  readonly shapes: readonly Definition[];
  readonly words: readonly Definition[];
}

export class StringTable {
  /** Indexed by number. */
  readonly #shapes: (Shape | undefined)[] = [];
  readonly #words: (string | undefined)[] = [];
  readonly #shapesByJson = new Map<string, Shape>();
  readonly #wordNumbers = new Map<string, number>();
  /** As they were asked for or came. */
  readonly #shapeDefinitions: Buffer[] = [];
  readonly #wordDefinitions: Buffer[] = [];

  /** The numbers of shapes and of words are below these. */
  get size(): { readonly shapes: number; readonly words: number } {
    return { shapes: this.#shapes.length, words: this.#words.length };
  }

  shape(number: number): Shape {
    const shape = this.#shapes[number];
    if (!shape) throw new RangeError(`The string table has no shape ${number}.`);
    return shape;
  }

  word(number: number): string {
    const word = this.#words[number];
    if (word === undefined) throw new RangeError(`The string table has no word ${number}.`);
    return word;
  }

  hasShape(names: readonly string[]): boolean {
    return this.#shapesByJson.has(JSON.stringify(names));
  }

  /** The shape of these names; defines a new shape if there is none. */
  shapeOf(names: readonly string[]): Shape {
    const json = JSON.stringify(names);
    return this.#shapesByJson.get(json) ?? this.#addShape(this.#shapes.length, names, json);
  }

  /** The number of the word; -1 if the text is no word. */
  numberOfWord(text: string): number {
    return this.#wordNumbers.get(text) ?? -1;
  }

  addWord(text: string): number {
    return this.#addWord(this.#words.length, text);
  }

  shapeDefinition(number: number): Definition {
    return [number, (this.#shapeDefinitions[number] ??= ownBytes(JSON.stringify(this.shape(number).names)))];
  }

  wordDefinition(number: number): Definition {
    return [number, (this.#wordDefinitions[number] ??= ownBytes(JSON.stringify(this.word(number))))];
  }

  /** The definitions since the string table had that size. */
  definitionsAfter({ shapes, words }: StringTable['size']): Definitions {
    const size = this.size;
    const newShapes: Definition[] = [];
    const newWords: Definition[] = [];
    // Numbers of which no document is left may have no meaning.
    for (let number = shapes; number < size.shapes; number++)
      if (this.#shapes[number]) newShapes.push(this.shapeDefinition(number));
    for (let number = words; number < size.words; number++)
      if (this.#words[number] !== undefined) newWords.push(this.wordDefinition(number));
    return { shapes: newShapes, words: newWords };
  }

  /** Adds the definitions. Returns `false` if a number has another meaning here. */
  take({ shapes, words }: Definitions): boolean {
    for (const [number, json] of shapes) {
      if (!this.#shapes[number]) {
        const text = json.toString();
        this.#addShape(number, JSON.parse(text) as string[], text);
        this.#shapeDefinitions[number] = ownBytes(json);
      } else if (!this.shapeDefinition(number)[1].equals(json)) return false;
    }
    for (const [number, json] of words) {
      if (this.#words[number] === undefined) {
        this.#addWord(number, JSON.parse(json.toString()) as string);
        this.#wordDefinitions[number] = ownBytes(json);
      } else if (!this.wordDefinition(number)[1].equals(json)) return false;
    }
    return true;
  }

  #addShape(number: number, names: readonly string[], json: string): Shape {
    const template = Object.fromEntries(names.map((name) => [name, null]));
    const shape: Shape = { number, names: [...names], template };
    this.#shapes[number] = shape;
    this.#shapesByJson.set(json, shape);
    return shape;
  }

  #addWord(number: number, text: string): number {
    this.#words[number] = text;
    this.#wordNumbers.set(text, number);
    return number;
  }
}

/** Bytes that share their memory with no others: a few of a pool of 64 KiB, kept for good, would keep all of it. */
function ownBytes(content: string | Buffer): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
