/**
 * Cuts the JSON values out of a stream of text without parsing them: the elements of an array, the elements of one
 * member of an object (`{"items": […]}`), or values one after the other. Only the value that is being read is held.
 */
import { fileMessage } from '../../contract/messages/files.ts';
import { AppError } from '../../contract/errors.ts';
import { tooLarge } from './bytes.ts';
import { hasComment } from './json-comments.ts';

export interface JsonValue {
  readonly json: string;
  /** Number of the line, from 1, where it begins. */
  readonly line: number;
}

export interface Splitting {
  /** Name of the member whose elements are the values, where the text is an object that has it. */
  readonly member: string;
  /** Characters of one value. */
  readonly limit: number;
}

/**
 * Every value in order, those that a chunk completed together. INVALID_JSON where brackets or commas around the values
 * do not fit, or something is open at the end; PAYLOAD_TOO_LARGE at a value beyond the limit.
 */
export async function* jsonValues(
  chunks: AsyncIterable<string>,
  splitting: Splitting,
): AsyncGenerator<readonly JsonValue[]> {
  const splitter = new Splitter(splitting);
  for await (const chunk of chunks) yield splitter.push(chunk);
  yield splitter.end();
}

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma, slash] = [code('"'), code('\\'), code(','), code('/')];
const [openObject, closeObject, openArray, closeArray] = [code('{'), code('}'), code('['), code(']')];
const isSpace = (char: number): boolean => char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09;

/** Whether an odd number of backslashes precedes it. */
function isEscapedAt(text: string, index: number): boolean {
  let before = index - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (index - before) % 2 === 0;
}

type StructureFault =
  | 'comma_missing'
  | 'comma_too_many'
  | 'bracket_not_opened'
  | 'brackets_differ'
  | 'comment_in_it'
  | 'ends_too_early';

/** Counts the lines of a text that passes in chunks. Places are asked in order, so that it is searched for breaks once. */
class LineCounter {
  #text = '';
  #line = 1;
  /** Index in the text of the next line break that is not counted; Infinity if there is none yet. */
  #next = Infinity;

  /** Goes on with a text whose first `kept` characters were known, and began at `from`. */
  moveOn(text: string, from: number, kept: number): void {
    this.lineAt(from);
    this.#text = text;
    this.#next = this.#next === Infinity ? this.#breakFrom(kept) : this.#next - from;
  }

  lineAt(index: number): number {
    for (; this.#next < index; this.#next = this.#breakFrom(this.#next + 1)) this.#line += 1;
    return this.#line;
  }

  #breakFrom(from: number): number {
    const index = this.#text.indexOf('\n', from);
    return index === -1 ? Infinity : index;
  }
}

/** A scanner of brackets and strings; what lies inside a value is left to JSON.parse. */
class Splitter {
  readonly #member: string;
  readonly #limit: number;
  readonly #lines = new LineCounter();
  /** The part of the text that is still needed, and the place where the scanning continues. */
  #text = '';
  #at = 0;
  /** Brackets that are open, and how many of them lie around the values. */
  #depth = 0;
  #around = 0;
  /** Where in the text the value begins that is being read; -1 between values. */
  #start = -1;
  #startLine = 1;
  #stringStart = -1;
  #isEscaped = false;
  /** The last name, or string, directly inside an object that may turn out to hold the values. */
  #name = '';
  #found = 0;
  /** Since the value before. */
  #commaMissing = false;
  #values: JsonValue[] = [];

  constructor({ member, limit }: Splitting) {
    this.#member = member;
    this.#limit = limit;
  }

  push(chunk: string): readonly JsonValue[] {
    const from = this.#start === -1 ? this.#text.length : this.#start;
    const kept = this.#text.length - from;
    const text = this.#text.slice(from) + chunk;
    this.#lines.moveOn(text, from, kept);
    this.#text = text;
    this.#at -= from;
    if (this.#stringStart !== -1) this.#stringStart = Math.max(this.#stringStart - from, 0);
    if (this.#start !== -1) this.#start = 0;
    this.#values = [];
    this.#scan();
    if (this.#start !== -1 && this.#text.length - this.#start > this.#limit) {
      const place = { line: this.#startLine, item: this.#found + 1 };
      throw tooLarge(fileMessage('item'), this.#limit, fileMessage('at_line_and_item', place));
    }
    return this.#values;
  }

  end(): readonly JsonValue[] {
    this.#values = [];
    if (this.#isScalar() && this.#stringStart === -1) this.#finish(this.#text.length);
    if (this.#start !== -1 || this.#depth > 0) throw this.#fault('ends_too_early');
    return this.#values;
  }

  #scan(): void {
    while (this.#at < this.#text.length) {
      if (this.#stringStart !== -1) {
        this.#passString();
        continue;
      }
      if (this.#start !== -1 && this.#depth > this.#around && this.#around > 0) {
        this.#passInside();
        if (this.#at === this.#text.length) return;
      }
      this.#take(this.#text.charCodeAt(this.#at));
      this.#at += 1;
    }
  }

  /** Takes a character outside of strings. */
  #take(char: number): void {
    if (char === quote) {
      if (this.#isBetween()) this.#begin();
      this.#stringStart = this.#at;
    } else if (char === openObject || char === openArray) this.#open(char);
    else if (char === closeObject || char === closeArray) this.#close(char);
    else if (char === comma) this.#separate();
    else if (isSpace(char)) {
      if (this.#isScalar()) this.#finish(this.#at);
    } else if (this.#isBetween()) {
      if (char === slash) throw this.#fault('comment_in_it');
      this.#begin();
    }
  }

  #open(char: number): void {
    const isList = char === openArray;
    if (isList && this.#depth === 0) this.#around = 1;
    else if (isList && this.#isInObject() && this.#depth === 1 && this.#name === this.#member) {
      this.#around = 2;
      this.#start = -1;
    } else if (this.#isBetween()) this.#begin();
    this.#depth += 1;
  }

  #close(char: number): void {
    if (this.#isScalar()) this.#finish(this.#at);
    if (this.#depth === 0) throw this.#fault('bracket_not_opened');
    if (this.#isBetween()) {
      if (char !== closeArray) throw this.#fault('brackets_differ');
      // Members after the values of an object are skipped.
      this.#around = 0;
      this.#commaMissing = false;
    }
    this.#depth -= 1;
    if (this.#start !== -1 && this.#depth === this.#around) this.#finish(this.#at + 1);
  }

  #separate(): void {
    if (this.#isScalar()) this.#finish(this.#at);
    if (this.#isBetween()) {
      if (!this.#commaMissing) throw this.#fault('comma_too_many');
      this.#commaMissing = false;
    }
    this.#name = '';
  }

  /** Steps past the end of the open string, or to the end of the text at hand. */
  #passString(): void {
    while (this.#at < this.#text.length) {
      const char = this.#text.charCodeAt(this.#at++);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (char === backslash) this.#isEscaped = true;
      else if (char === quote) {
        if (this.#isScalar()) this.#finish(this.#at);
        else if (this.#isInObject() && this.#depth === 1)
          this.#name = this.#text.slice(this.#stringStart + 1, this.#at - 1);
        this.#stringStart = -1;
        return;
      }
    }
  }

  /** Steps over what lies inside a value, to the bracket that ends it or to the next string that is cut. */
  #passInside(): void {
    // Local variables, since most of the time is spent here.
    const text = this.#text;
    const around = this.#around;
    const { length } = text;
    let index = this.#at;
    let open = this.#depth;
    for (; index < length; index++) {
      const char = text.charCodeAt(index);
      if (char === quote) {
        let end = text.indexOf('"', index + 1);
        while (end !== -1 && isEscapedAt(text, end)) end = text.indexOf('"', end + 1);
        if (end === -1) break;
        index = end;
      } else if (char === openObject || char === openArray) open += 1;
      else if ((char === closeObject || char === closeArray) && --open === around) {
        open += 1;
        break;
      }
    }
    this.#at = index;
    this.#depth = open;
  }

  #begin(): void {
    if (this.#commaMissing) throw this.#fault('comma_missing');
    this.#start = this.#at;
    this.#startLine = this.#lines.lineAt(this.#at);
  }

  #finish(end: number): void {
    this.#values.push({ json: this.#text.slice(this.#start, end), line: this.#startLine });
    this.#start = -1;
    this.#found += 1;
    this.#commaMissing = this.#around > 0;
  }

  #isBetween(): boolean {
    return this.#start === -1 && this.#depth === this.#around;
  }

  /** Directly inside the value that is being read. */
  #isScalar(): boolean {
    return this.#start !== -1 && this.#depth === this.#around;
  }

  /** Inside of a value that may turn out to be the object around the values. */
  #isInObject(): boolean {
    return this.#start !== -1 && this.#around === 0;
  }

  #fault(name: StructureFault): AppError {
    const isCommented = hasComment(this.#text.slice(0, this.#at + 2));
    const what = fileMessage(isCommented ? 'comment_in_it' : name);
    return new AppError('INVALID_JSON', {
      message: fileMessage('not_json_at', { what, line: this.#lines.lineAt(this.#at), item: this.#found + 1 }),
      hint: fileMessage(isCommented ? 'no_comments' : 'file_cut_comma'),
    });
  }
}
