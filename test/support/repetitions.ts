/** Inputs in which a part of a sample is repeated, to find what a reader does more than linear work for. */

/** An input with so many repetitions. */
export type Repetition = { readonly what: string; readonly make: (size: number) => string };

interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Words, runs of spaces, and each other character. */
const tokensIn = (sample: string): Piece[] =>
  [...sample.matchAll(/\w+|\s+|[^\w\s]/g)].map(({ index, 0: text }) => ({ start: index, end: index + text.length }));

const linesIn = (sample: string): Piece[] =>
  [...sample.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)]
    .filter(({ 0: text }) => text !== '')
    .map(({ index, 0: text }) => ({ start: index, end: index + text.length }));

const pairs = new Map([
  ['{', '}'],
  ['[', ']'],
  ['(', ')'],
]);

/** From each bracket, or start of an element, to its end; with the comma behind it, so that several stand side by side. */
function blocksIn(sample: string): Piece[] {
  const open: { readonly start: number; readonly end: string }[] = [];
  const blocks: Piece[] = [];
  for (const { index, 0: token } of sample.matchAll(/<\/?[\w:]+[^<>]*>|[{}[\]()]/g)) {
    const name = /^<\/?([\w:]+)/.exec(token)?.[1];
    if (token.endsWith('/>')) blocks.push({ start: index, end: index + token.length });
    else if (pairs.has(token)) open.push({ start: index, end: pairs.get(token)! });
    else if (name !== undefined && !token.startsWith('</')) open.push({ start: index, end: `</${name}>` });
    else if (open.at(-1)?.end === token) blocks.push({ start: open.pop()!.start, end: index + token.length });
  }
  return blocks;
}

const textOf = (sample: string, { start, end }: Piece): string => sample.slice(start, end);
const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Each piece many times in its place. `between`: what stands between blocks. */
function repeatPieces(sample: string, pieces: readonly Piece[], between = ''): Repetition[] {
  return pieces.map((piece) => {
    const text = textOf(sample, piece);
    return {
      what: `${shown(text)} at ${piece.start}`,
      make: (size) => sample.slice(0, piece.start) + `${text}${between}`.repeat(size) + sample.slice(piece.start),
    };
  });
}

/** Two pieces many times each: what is shared by many is looked at for each of them. */
function repeatTwo(sample: string, ones: readonly Piece[], others: readonly Piece[]): Repetition[] {
  return ones.flatMap((one) =>
    others
      .filter((other) => other.start >= one.end)
      .map((other): Repetition => {
        const [first, second] = [textOf(sample, one), textOf(sample, other)];
        return {
          what: `${shown(first)} at ${one.start} and ${shown(second)} at ${other.start}`,
          make: (size) =>
            sample.slice(0, one.start) +
            first.repeat(size) +
            sample.slice(one.start, other.start) +
            second.repeat(size) +
            sample.slice(other.start),
        };
      }),
  );
}

/** Everything in the sample that can be repeated: tokens, lines, brackets and elements with what is in them, one in another, and two at a time. */
export function repetitionsOf(sample: string): Repetition[] {
  const [tokens, lines, blocks] = [tokensIn(sample), linesIn(sample), blocksIn(sample)];
  const nested = blocks.map((block): Repetition => {
    const text = textOf(sample, block);
    const start = /^(?:<[^<>]*[^/]>|[{[(](?:"\w+":)?)/.exec(text)?.[0];
    const end = /(?:<\/[^<>]*>|[}\])])$/.exec(text)?.[0];
    return {
      what: `${shown(text)} in itself`,
      make: (size) =>
        start === undefined || end === undefined
          ? sample
          : sample.slice(0, block.start) + start.repeat(size) + text + end.repeat(size) + sample.slice(block.end),
    };
  });
  const opened = blocks.map((block): Repetition => {
    const start = /^(?:<[^<>]*>|[{[(](?:"\w+":)?)/.exec(textOf(sample, block))?.[0] ?? '';
    return {
      what: `${shown(start)} without an end`,
      make: (size) => sample.slice(0, block.start) + start.repeat(size),
    };
  });
  return [
    ...repeatPieces(sample, tokens),
    ...repeatPieces(sample, lines),
    ...repeatPieces(sample, blocks),
    ...repeatPieces(sample, blocks, ','),
    ...nested,
    ...opened,
    ...repeatTwo(sample, lines, lines),
    ...repeatTwo(sample, tokens, lines),
  ];
}
