/** The regular expressions of the program, and strings on which one that is not linear shows it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { filesBelow, isNode, root, walk } from './modules.ts';
import type { Node } from './modules.ts';

export interface Expression {
  readonly source: string;
  readonly flags: string;
  /** Where it is written, as `src/domain/turnaround.ts:60`. */
  readonly places: readonly string[];
}

/** Every distinct literal below the folders, and every pattern of a schema, which all calls are checked by. */
export function expressionsIn(folders: readonly string[]): Expression[] {
  const found = new Map<string, Expression & { places: string[] }>();
  for (const path of filesBelow(root, folders, /\.c?tsx?$/)) {
    const text = readFileSync(join(root, path), 'utf8');
    // The tree of a file costs much more than a look at its characters.
    if (!text.includes('/')) continue;
    walk(parseSync(path, text).program as unknown as Node, (node) => {
      const expression = expressionOf(node);
      if (!expression) return;
      const key = `${expression.source} ${expression.flags}`;
      const known = found.get(key) ?? { ...expression, places: [] };
      known.places.push(`${path}:${text.slice(0, node.start).split('\n').length}`);
      found.set(key, known);
    });
  }
  return [...found.values()];
}

function expressionOf(node: Node): Pick<Expression, 'source' | 'flags'> | undefined {
  const regex = node['regex'] as { readonly pattern: string; readonly flags: string } | undefined;
  if (node.type === 'Literal' && regex) return { source: regex.pattern, flags: regex.flags };
  const [key, value] = [node['key'], node['value']];
  const isPattern = node.type === 'Property' && isNode(key) && key['name'] === 'pattern';
  const source = isPattern && isNode(value) ? value['value'] : undefined;
  return typeof source === 'string' ? { source, flags: 'u' } : undefined;
}

type Part =
  | { readonly kind: 'one'; readonly source: string }
  | { readonly kind: 'all'; readonly parts: readonly Part[] }
  | { readonly kind: 'any'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeated'; readonly part: Part; readonly min: number; readonly max: number };

const nothing: Part = { kind: 'all', parts: [] };

/** The parts of a pattern. What looks around counts as what it looks for; what asserts a place, as nothing. */
function parsePattern(pattern: string, classesNest: boolean): Part {
  let at = 0;
  const take = (sticky: RegExp): RegExpExecArray | undefined => {
    sticky.lastIndex = at;
    const found = sticky.exec(pattern) ?? undefined;
    if (found) at = sticky.lastIndex;
    return found;
  };
  const any = (): Part => {
    const parts = [all()];
    while (take(/\|/y)) parts.push(all());
    return parts.length === 1 ? parts[0]! : { kind: 'any', parts };
  };
  const all = (): Part => {
    const parts: Part[] = [];
    while (at < pattern.length && !/[|)]/.test(pattern[at]!)) parts.push(repeated(one()));
    return { kind: 'all', parts };
  };
  const repeated = (part: Part): Part => {
    const [, sign, low, comma, high] = take(/([*+?])\??|\{(\d+)(,?)(\d*)\}\??/y) ?? [];
    if (sign) return { kind: 'repeated', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    if (low === undefined) return part;
    const max = high ? Number(high) : comma ? Infinity : Number(low);
    return { kind: 'repeated', part, min: Number(low), max };
  };
  const one = (): Part => {
    if (take(/\((?:\?(?:<[A-Za-z]\w*>|[a-z-]*:|<?[=!]))?/y)) {
      const part = any();
      take(/\)/y);
      return part;
    }
    if (take(/[$^]|\\[bB1-9]|\\k<\w+>/y)) return nothing;
    if (pattern[at] === '[') return { kind: 'one', source: takeClass() };
    return { kind: 'one', source: take(/\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x..|\\c.|\\.|./isuy)![0] };
  };
  /** Classes of the v flag may lie in one another. */
  const takeClass = (): string => {
    const start = at;
    for (let depth = 0; at < pattern.length;) {
      const character = pattern[at]!;
      at += character === '\\' ? 2 : 1;
      if (character === '[' && (depth === 0 || classesNest)) depth += 1;
      if (character === ']' && --depth <= 0) break;
    }
    return pattern.slice(start, at);
  };
  return any();
}

/** Characters of every kind, those that show most first. */
const alphabet = [
  ...'a0 A\n.-_,;:/\\"\'()[]{}<>|&=+*#@~^!?%$\t\r\0',
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
  ...'éÉ\u00a0«»…–×µ\u2028\u200b',
];
/** Characters that are tried for one place of an expression. */
const mostCharacters = 4;

const isOfKind = [/\p{L}/u, /\d/, /\s/, /[^\p{L}\d\s]/u];

/**
 * Strings for the repetitions of an expression: runs of what each repeats, and of what leads to it, behind what leads to it, and
 * followed by what it does not match. `size`: the number of repetitions. An expression whose work is more than linear has to try
 * a run anew from many places, or to divide it in many ways.
 */
export function hostileStrings({ source, flags }: Pick<Expression, 'source' | 'flags'>): ((size: number) => string)[] {
  const characters = new Map<string, readonly string[]>();
  const charactersOf = (one: string): readonly string[] => {
    const known = characters.get(one);
    if (known) return known;
    const whole = new RegExp(`^(?:${one})$`, flags.replace(/[gyd]/g, ''));
    const own = [...source, ...alphabet].filter((character) => whole.test(character));
    // One of each kind, so that neighbours have one in common where they can.
    const chosen = isOfKind.flatMap((kind) => own.find((character) => kind.test(character)) ?? []);
    const all = own.length === 0 ? [one] : [...new Set(chosen)].slice(0, mostCharacters);
    characters.set(one, all);
    return all;
  };
  /** What matches the part: with all that may be there and the first of what it may be, or with as little as may be and the last. */
  const sample = (part: Part, isFull: boolean): string => {
    if (part.kind === 'one') return charactersOf(part.source).at(isFull ? 0 : -1)!;
    if (part.kind === 'repeated') return sample(part.part, isFull).repeat(isFull ? Math.max(part.min, 1) : part.min);
    if (part.kind === 'any') return sample(part.parts.at(isFull ? 0 : -1)!, isFull);
    return part.parts.map((each) => sample(each, isFull)).join('');
  };
  const samples = (part: Part): string[] => [sample(part, true), sample(part, false)];
  const onesIn = (part: Part): string[] => {
    if (part.kind === 'one') return [part.source];
    return part.kind === 'repeated' ? onesIn(part.part) : part.parts.flatMap(onesIn);
  };
  const leads = new Set(['', '\0']);
  const runs = new Set<string>();
  const ends = new Set(['', '\0', '\n', '!a']);
  const visit = (part: Part, before: readonly string[]): void => {
    if (part.kind === 'any') for (const each of part.parts) visit(each, before);
    if (part.kind === 'all') {
      let lead = before;
      for (const [at, each] of part.parts.entries()) {
        visit(each, lead);
        lead = [...new Set(lead.flatMap((text) => samples(each).map((more) => text + more)))].slice(0, mostLeads);
        if (each.kind === 'repeated')
          ends.add(sample({ kind: 'all', parts: part.parts.slice(at + 1) }, true).slice(0, -1));
      }
    }
    if (part.kind !== 'repeated') return;
    if (part.max > 3) {
      for (const run of onesIn(part.part).flatMap(charactersOf)) runs.add(run);
      for (const run of samples(part.part)) runs.add(run);
      for (const lead of before) {
        leads.add(lead);
        runs.add(lead);
        for (const run of samples(part.part)) runs.add(lead + run);
      }
      if (part.max < 10) ends.add(` ${sample(part.part, true).repeat(part.max + 2)}`);
    }
    visit(part.part, before);
  };
  visit(parsePattern(source, flags.includes('v')), ['']);
  const short = (texts: Iterable<string>, most: number): string[] =>
    [...texts].filter((text) => text.length <= longestPiece).slice(0, most);
  const run = short(runs, mostRuns).filter((text) => text !== '');
  for (const text of run) if (text.length === 1) ends.add(`\0${text}`);
  const strings: ((size: number) => string)[] = [];
  for (const lead of short(leads, mostLeads)) {
    for (const one of run) {
      for (const end of short(ends, mostEnds)) strings.push((size) => lead + one.repeat(size) + end);
      // Two runs side by side can be divided between two repetitions.
      for (const other of one.length > 1 ? [] : run) {
        if (other.length > 1 || other === one) continue;
        strings.push((size) => `${lead}${one.repeat(size)}${other.repeat(size)}\0`);
      }
    }
  }
  return strings;
}

const longestPiece = 40;
const mostLeads = 5;
const mostRuns = 14;
const mostEnds = 9;
