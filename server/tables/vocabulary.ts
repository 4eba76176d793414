/**
 * What packed documents refer to by number: shapes, which are the names of the fields in their order, and words, which are
 * texts that many documents have. A number never comes to mean something else, so that what is packed can be copied from
 * place to place; into a file too, where its definitions go with it.
 */

export interface Shape {
  readonly number: number;
  readonly names: readonly string[];
  /** Copied and then filled, so that all documents of the shape are alike to the engine. */
  readonly template: Readonly<Record<string, unknown>>;
}

/** A number, and as JSON what it stands for: the array of names, or the text. */
export type Definition = readonly [number: number, json: Buffer];

export interface Definitions {
  readonly shapes: readonly Definition[];
  readonly words: readonly Definition[];
}

export class Vocabulary {
  /** By number. */
  readonly #shapes: Shape[] = [];
  readonly #words: string[] = [];
  readonly #shapesByJson = new Map<string, Shape>();
  readonly #wordNumbers = new Map<string, number>();
  /** As they were asked for or came. */
  readonly #shapeDefinitions: Buffer[] = [];
  readonly #wordDefinitions: Buffer[] = [];

  shape(number: number): Shape {
    return this.#shapes[number]!;
  }

  word(number: number): string {
    return this.#words[number]!;
  }

  /** The shape of those names, a new one where there is none. */
  shapeOf(names: readonly string[]): Shape {
    const json = JSON.stringify(names);
    return this.#shapesByJson.get(json) ?? this.#addShape(this.#shapes.length, names, json);
  }

  /** -1 where the text is no word. */
  numberOfWord(text: string): number {
    return this.#wordNumbers.get(text) ?? -1;
  }

  addWord(text: string): number {
    return this.#addWord(this.#words.length, text);
  }

  shapeDefinition(number: number): Definition {
    return [number, (this.#shapeDefinitions[number] ??= Buffer.from(JSON.stringify(this.shape(number).names)))];
  }

  wordDefinition(number: number): Definition {
    return [number, (this.#wordDefinitions[number] ??= Buffer.from(JSON.stringify(this.word(number))))];
  }

  /** Takes definitions over. `false` where a number stands for something else here. */
  take({ shapes, words }: Definitions): boolean {
    for (const [number, json] of shapes) {
      if (!this.#shapes[number]) {
        const text = json.toString();
        this.#addShape(number, JSON.parse(text) as string[], text);
        this.#shapeDefinitions[number] = Buffer.from(json);
      } else if (!this.shapeDefinition(number)[1].equals(json)) return false;
    }
    for (const [number, json] of words) {
      if (this.#words[number] === undefined) {
        this.#addWord(number, JSON.parse(json.toString()) as string);
        this.#wordDefinitions[number] = Buffer.from(json);
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
