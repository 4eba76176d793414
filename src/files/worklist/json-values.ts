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
  const splitter = createSplitter(splitting);
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

/** A scanner of brackets and strings; what lies inside a value is left to JSON.parse. */
function createSplitter({ member, limit }: Splitting) {
  /** The part of the text that is still needed, and the place where the scanning continues. */
  let text = '';
  let at = 0;
  let line = 1;
  /** Index in `text` of the next line break that `line` does not count; Infinity if there is none yet. */
  let lineBreak = Infinity;
  /** Brackets that are open, and how many of them lie around the values. */
  let depth = 0;
  let around = 0;
  /** Where in `text` the value begins that is being read; -1 between values. */
  let start = -1;
  let startLine = 1;
  let stringStart = -1;
  let isEscaped = false;
  /** The last name, or string, directly inside an object that may turn out to hold the values. */
  let name = '';
  let found = 0;
  /** Since the value before. */
  let commaMissing = false;
  let values: JsonValue[] = [];

  const nextBreak = (from: number): number => {
    const index = text.indexOf('\n', from);
    return index === -1 ? Infinity : index;
  };
  /** Asked in order of place, so that the text is searched for line breaks once. */
  const lineAt = (index: number): number => {
    for (; lineBreak < index; lineBreak = nextBreak(lineBreak + 1)) line += 1;
    return line;
  };
  const fault = (name: StructureFault): AppError => {
    const isCommented = hasComment(text.slice(0, at + 2));
    const what = fileMessage(isCommented ? 'comment_in_it' : name);
    return new AppError('INVALID_JSON', {
      message: fileMessage('not_json_at', { what, line: lineAt(at), item: found + 1 }),
      hint: fileMessage(isCommented ? 'no_comments' : 'file_cut_comma'),
    });
  };
  const isBetween = (): boolean => start === -1 && depth === around;
  /** Directly inside the value that is being read. */
  const isScalar = (): boolean => start !== -1 && depth === around;

  const begin = (): void => {
    if (commaMissing) throw fault('comma_missing');
    start = at;
    startLine = lineAt(at);
  };
  const finish = (end: number): void => {
    values.push({ json: text.slice(start, end), line: startLine });
    start = -1;
    found += 1;
    commaMissing = around > 0;
  };

  const open = (char: number): void => {
    if (char === openArray && depth === 0) around = 1;
    else if (char === openArray && depth === 1 && start !== -1 && around === 0 && name === member) {
      around = 2;
      start = -1;
    } else if (isBetween()) begin();
    depth += 1;
  };

  const close = (char: number): void => {
    if (isScalar()) finish(at);
    if (depth === 0) throw fault('bracket_not_opened');
    if (isBetween()) {
      if (char !== closeArray) throw fault('brackets_differ');
      // Members after the values of an object are skipped.
      around = 0;
      commaMissing = false;
    }
    depth -= 1;
    if (start !== -1 && depth === around) finish(at + 1);
  };

  const separate = (): void => {
    if (isScalar()) finish(at);
    if (isBetween()) {
      if (!commaMissing) throw fault('comma_too_many');
      commaMissing = false;
    }
    name = '';
  };

  /** Steps past the end of the open string, or to the end of the text at hand. */
  const passString = (): void => {
    while (at < text.length) {
      const char = text.charCodeAt(at++);
      if (isEscaped) isEscaped = false;
      else if (char === backslash) isEscaped = true;
      else if (char === quote) {
        if (isScalar()) finish(at);
        else if (start !== -1 && depth === 1 && around === 0) name = text.slice(stringStart + 1, at - 1);
        stringStart = -1;
        return;
      }
    }
  };

  /** Steps over what lies inside a value, to the bracket that ends it or to the next string that is cut. */
  const passInside = (): void => {
    // Local variables, since most of the time is spent here.
    const { length } = text;
    let index = at;
    let open = depth;
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
    at = index;
    depth = open;
  };

  const scan = (): void => {
    while (at < text.length) {
      if (stringStart !== -1) {
        passString();
        continue;
      }
      if (start !== -1 && depth > around && around > 0) {
        passInside();
        if (at === text.length) return;
      }
      const char = text.charCodeAt(at);
      if (char === quote) {
        if (isBetween()) begin();
        stringStart = at;
      } else if (char === openObject || char === openArray) open(char);
      else if (char === closeObject || char === closeArray) close(char);
      else if (char === comma) separate();
      else if (isSpace(char)) {
        if (isScalar()) finish(at);
      } else if (isBetween()) {
        if (char === slash) throw fault('comment_in_it');
        begin();
      }
      at += 1;
    }
  };

  return {
    push(chunk: string): readonly JsonValue[] {
      const from = start === -1 ? text.length : start;
      lineAt(from);
      const kept = text.length - from;
      text = text.slice(from) + chunk;
      at -= from;
      lineBreak = lineBreak === Infinity ? nextBreak(kept) : lineBreak - from;
      if (stringStart !== -1) stringStart = Math.max(stringStart - from, 0);
      if (start !== -1) start = 0;
      values = [];
      scan();
      if (start !== -1 && text.length - start > limit) {
        throw tooLarge(
          fileMessage('item'),
          limit,
          fileMessage('at_line_and_item', { line: startLine, item: found + 1 }),
        );
      }
      return values;
    },
    end(): readonly JsonValue[] {
      values = [];
      if (isScalar() && stringStart === -1) finish(text.length);
      if (start !== -1 || depth > 0) throw fault('ends_too_early');
      return values;
    },
  };
}
