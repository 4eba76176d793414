/**
 * Wording that a language model proposes for a sentence. Every word stays in its place, except for accents, gender,
 * articles, commas and the like, and every number stays as it is written; anything else is refused, and the sentence
 * stays as it was.
 */
import { readSection } from '../checks/reading.ts';
import { comparedWords } from '../facts.ts';
import type { FactKind } from '../facts.ts';
import { freeWords } from '../languages/free-words.ts';
import { buildFates, findHull } from '../operation.ts';
import type { Change } from '../operation.ts';
import type { Rules } from '../rules.ts';
import { splitSentences } from '../words/sentences.ts';
import { stem } from '../words/stem.ts';
import { isBoundary, textOf, tokenise } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { elementAt, lastElement } from '../../domain/elements.ts';

/** Why wording is refused: it is not exactly one sentence, or it would change a fact or a word. */
export type WordingRefusal = 'form' | 'facts' | 'words';

/** A word, a mark or a fact: tokens `from` up to `to`. */
interface Unit {
  /** Equal for units that may replace each other; `undefined`: it may be added and omitted. */
  readonly key: string | undefined;
  readonly fact: FactKind | undefined;
  readonly from: number;
  readonly to: number;
}

const isFreeMark = ({ kind, text }: Token): boolean => kind === 'mark' && /^[,;()]$/.test(text);
const endsText = ({ kind, text }: Token): boolean => kind === 'mark' && /^[.?!…:;,]$/.test(text);
const isNumeric = (unit: Unit | undefined): boolean => unit?.fact === 'number' || unit?.fact === 'unit';

/** Changes of the tokens `from` up to `to`, which are one sentence; or why there are none. */
export function rewordSentence(
  tokens: readonly Token[],
  { from, to: end }: { readonly from: number; readonly to: number },
  proposed: string,
  rules: Rules,
): readonly Change[] | WordingRefusal {
  let to = end;
  while (to > from && endsText(elementAt(tokens, to - 1))) to -= 1;
  const before = tokens.slice(from, to);
  const after: Token[] = tokenise(normalForm(proposed).trim());
  while (after.length > 0 && endsText(lastElement(after))) after.pop();
  if (after.length === 0 || after.length > 2 * before.length + 8) return 'form';
  if (after.some(isBoundary) || splitSentences(after).length !== 1) return 'form';
  const [old, fresh] = [splitUnits(before, rules), splitUnits(after, rules)];
  const refusal = comparison(old, fresh) ?? changesSense(textOf(before), textOf(after), rules);
  if (refusal) return refusal;
  const pieces = comparePieces({ tokens: before, units: old }, { tokens: after, units: fresh }, rules);
  return pieces === 'facts' ? pieces : buildChanges(pieces, from);
}

function splitUnits(tokens: readonly Token[], { facts, language }: Rules): Unit[] {
  const compared = new Map(comparedWords(tokens, facts).map((word) => [word.from, word]));
  const units: Unit[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = elementAt(tokens, at);
    const word = compared.get(at);
    const to = word?.fact === undefined ? at + 1 : word.to;
    const unit = { fact: word?.fact, from: at, to };
    if (isNumeric({ ...unit, key: '' })) units.push({ ...unit, key: `= ${textOf(tokens.slice(at, to))}` });
    else if (word?.fact !== undefined) units.push({ ...unit, key: `${word.fact} ${word.value}` });
    else units.push({ ...unit, key: findKey(token, freeWords[language]) });
    at = to;
  }
  return units;
}

function findKey(token: Token, free: ReadonlySet<string>): string | undefined {
  if (token.kind !== 'word') return isFreeMark(token) ? undefined : token.text;
  if (free.has(token.text.toLowerCase())) return undefined;
  // One and several are not the same, masculine and feminine are.
  return `${stem(token.folded)}${token.folded.endsWith('s') ? ' s' : ''}`;
}

function comparison(old: readonly Unit[], fresh: readonly Unit[]): WordingRefusal | undefined {
  const keys = (units: readonly Unit[], isWanted: (unit: Unit) => boolean): string =>
    units.flatMap((unit) => (unit.key !== undefined && isWanted(unit) ? [unit.key] : [])).join('\n');
  const isFact = ({ fact }: Unit): boolean => fact !== undefined;
  if (keys(old, isFact) !== keys(fresh, isFact)) return 'facts';
  return keys(old, () => true) === keys(fresh, () => true) ? undefined : 'words';
}

/** Whether the change denies, suspects or dates a finding that was affirmed, or the reverse, or changes a fact. */
function changesSense(before: string, after: string, rules: Rules): 'facts' | undefined {
  const senseOf = (text: string): string =>
    JSON.stringify(
      readSection({ key: 'findings', title: '', text }, rules).sentences.map((sentence) => [
        // Words put together may count: "fase a um" does not, "fase um" does.
        sentence.words.flatMap(({ fact, value }) => (fact === undefined ? [] : [fact, value])),
        sentence.mentions.map(({ key, isDenied, isHypothetical }) => [key, isDenied, isHypothetical]),
        [sentence.compares, sentence.isPrior, sentence.isHistory, sentence.isNormal],
      ]),
    );
  return senseOf(before) === senseOf(after) ? undefined : 'facts';
}

/** Tokens of the sentence, and their replacement. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly out: readonly Token[];
  /** Tokens that are omitted or written in another way. */
  readonly gone: readonly Token[];
  readonly isChanged: boolean;
}

interface Side {
  readonly tokens: readonly Token[];
  readonly units: readonly Unit[];
}

function comparePieces(old: Side, fresh: Side, rules: Rules): Piece[] | 'facts' {
  const kept = (units: readonly Unit[]): Unit[] => units.filter(({ key }) => key !== undefined);
  const [anchors, others] = [kept(old.units), kept(fresh.units)];
  const isDenial = anchors.some(({ fact }) => fact === 'negation');
  const pieces: Piece[] = [];
  for (let at = 0; at <= anchors.length; at += 1) {
    const [last, next] = [anchors[at - 1], anchors[at]];
    const put = fresh.tokens.slice(others[at - 1]?.to ?? 0, others[at]?.from ?? fresh.tokens.length);
    const gap = buildPiece(old.tokens, { from: last?.to ?? 0, to: next?.from ?? old.tokens.length }, put);
    if (gap.isChanged) {
      const isBetween = isNumeric(last) && isNumeric(next);
      // "a 3 mm", "medindo 3 mm": the words next to a number stay.
      const isBeside = isNumeric(last) || isNumeric(next);
      if (isBetween || (isBeside && !areKept(gap.gone, put))) return 'facts';
      // Marks and verbs limit the range of a denial.
      const limitsReach = (token: Token): boolean => token.kind === 'mark' || rules.lexicon.scopeEnds.has(token.folded);
      if (isDenial && [...gap.gone, ...put].some(limitsReach)) return 'facts';
    }
    pieces.push(gap);
    if (!next) continue;
    const said = fresh.tokens.slice(elementAt(others, at).from, elementAt(others, at).to);
    const piece = buildPiece(old.tokens, next, said);
    // White space before the first word is the sentence's, all other as proposed.
    const spaced =
      next.from === gap.to && gap.out.length === 0 && gap.from === 0
        ? elementAt(old.tokens, 0).spaced
        : elementAt(said, 0).spaced;
    const [first, ...rest] = piece.out;
    // An insertion between two words needs one of them for its place.
    const joins = first && gap.isChanged && (gap.from === gap.to || first.spaced !== spaced);
    pieces.push(joins ? { ...piece, out: [{ ...first, spaced }, ...rest], isChanged: true } : piece);
  }
  return pieces;
}

/** Whether all of the tokens are among others, in order. */
function areKept(tokens: readonly Token[], others: readonly Token[]): boolean {
  let at = 0;
  for (const { folded } of others) if (folded === tokens[at]?.folded) at += 1;
  return at === tokens.length;
}

function buildPiece(
  tokens: readonly Token[],
  { from, to }: { from: number; to: number },
  put: readonly Token[],
): Piece {
  const old = tokens.slice(from, to);
  const [before, after] = [textOf(old), textOf(put)];
  // The sentence determines its first capital.
  const isSame = before === after || (from === 0 && before.toLowerCase() === after.toLowerCase());
  if (isSame) return { from, to, out: old, gone: [], isChanged: false };
  const place = (tokens[from] ?? lastElement(tokens)).from;
  const heard = old.length > 0 ? findHull(old) : { from: place, to: place };
  const out = put.map(({ kind, text, folded, spaced }, at): Token => ({
    kind,
    text,
    folded,
    spaced: at === 0 && from === 0 ? elementAt(tokens, 0).spaced : spaced,
    ...heard,
    origin: 'converted',
  }));
  return { from, to, out, gone: old, isChanged: true };
}

/** Adjacent changes are one change; an insertion at the end goes with the last word. */
function buildChanges(pieces: readonly Piece[], offset: number): Change[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    if (piece.from === piece.to && !piece.isChanged) continue;
    const last = joined.at(-1);
    const isAtEnd = piece.from === piece.to && piece === pieces.at(-1);
    if (last && (isAtEnd || (last.isChanged && piece.isChanged))) joined[joined.length - 1] = joinedPieces(last, piece);
    else joined.push(piece);
  }
  return joined.flatMap(({ from, to, out, gone, isChanged }): Change[] =>
    isChanged
      ? [{ rule: 'proposal', from: from + offset, to: to + offset, out, fates: buildFates(gone, 'converted') }]
      : [],
  );
}

const joinedPieces = (last: Piece, piece: Piece): Piece => ({
  from: last.from,
  to: piece.to,
  out: [...last.out, ...piece.out],
  gone: [...last.gone, ...piece.gone],
  isChanged: true,
});
