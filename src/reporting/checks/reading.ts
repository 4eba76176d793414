/** A report as the checks read it: sentences with their words, facts and findings, each at its place. */
import type { Section } from '../../contract/document.ts';
import { stem } from '../words/stem.ts';
import type { Lexicon } from './lexicon.ts';
import { comparedWords } from '../facts.ts';
import type { ComparedWord } from '../facts.ts';
import { findFirstIndex } from '../../domain/binary-search.ts';
import { carryOut, startWork } from '../operation.ts';
import { endsClause, loosePhraseAt, phraseAt } from '../words/phrases.ts';
import type { FoundPhrase, PhraseIndex } from '../words/phrases.ts';
import type { Rules } from '../rules.ts';
import { splitSentences } from '../words/sentences.ts';
import { writeNumbers } from '../steps/numbers.ts';
import { tokenise } from '../words/token.ts';
import type { HeardToken, Span, Token } from '../words/token.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { elementAt } from '../../domain/elements.ts';

/** A word at its place in a text. */
export interface ReadWord extends Span {
  readonly key: string;
  readonly fact: ComparedWord['fact'];
  readonly value: string | undefined;
  /** Whether it carries no meaning by itself. */
  readonly isFree: boolean;
  /** First of its tokens. */
  readonly token: number;
  /**
   * Whether the side is the target of a shift or of a comparison, so nothing is there: "desvio para a direita", "menor
   * que o esquerdo".
   */
  readonly isElsewhere: boolean;
}

/** A finding that a sentence names. */
export interface Mention extends Span {
  readonly key: string;
  readonly token: number;
  readonly isDenied: boolean;
  /** Suspected, or asked about. */
  readonly isHypothetical: boolean;
  /** Denied with an exception: "sem derrame, exceto pequena lâmina". */
  readonly hasException: boolean;
  /** Words that limit a denial to other findings ("sem outras fraturas", "no acute fracture"): existing ones remain. */
  readonly others: readonly string[];
  /** Stems of the words that say which or where: "costais" of "sem fraturas costais". */
  readonly qualifiers: readonly string[];
}

export interface Sentence extends Span {
  readonly section: string;
  /** Tokens of the section. */
  readonly from: number;
  readonly to: number;
  readonly words: readonly ReadWord[];
  readonly mentions: readonly Mention[];
  /** Organs that it names, each with its token. */
  readonly organs: readonly { readonly key: string; readonly token: number }[];
  /** Compares with the other side. */
  readonly compares: boolean;
  /** Whether it is about another exam or time. */
  readonly isPrior: boolean;
  /** Whether it is about the past, or about a procedure. */
  readonly isHistory: boolean;
  /** Whether it says that nothing is abnormal, and affirms no finding. */
  readonly isNormal: boolean;
}

export interface ReadSection {
  readonly key: string;
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly sentences: readonly Sentence[];
}

/** The tokens of a text with its numbers and terms written, and their places in it. */
export function readTokens(text: string, rules: Rules): { tokens: readonly Token[]; heard: readonly HeardToken[] } {
  const heard = tokenise(normalForm(text));
  const work = startWork(text, heard, new Set());
  carryOut(work, 'numbers', writeNumbers(work.tokens, rules.numbers).changes);
  return { tokens: work.tokens, heard };
}

/** The first token where a phrase begins, or -1. */
const findFirst = (tokens: readonly Token[], from: number, to: number, index: PhraseIndex<unknown>): number => {
  for (let at = from; at < to; at += 1) if (phraseAt(tokens, at, index)) return at;
  return -1;
};

/** The last one, or -1. */
function findLast(tokens: readonly Token[], from: number, to: number, index: PhraseIndex<unknown>): number {
  let at = to - 1;
  while (at >= from && !phraseAt(tokens, at, index)) at -= 1;
  return at >= from ? at : -1;
}

const anywhere = (tokens: readonly Token[], from: number, to: number, index: PhraseIndex<unknown>): boolean =>
  findFirst(tokens, from, to, index) >= 0;

export function readSection({ key, text }: Section, rules: Rules): ReadSection {
  const { tokens, heard } = readTokens(text, rules);
  const compared = comparedWords(tokens, rules.facts);
  const buildSpan = (from: number, to: number): Span => ({
    start: elementAt(heard, elementAt(tokens, from).from).start,
    end: elementAt(heard, elementAt(tokens, to - 1).to - 1).end,
  });
  let next = 0;
  const sentences = splitSentences(tokens).map(({ from, to }): Sentence => {
    const words: ReadWord[] = [];
    const shift = findFirst(tokens, from, to, rules.lexicon.shifts);
    const against = comparesAt(tokens, from, to, rules.lexicon);
    for (; next < compared.length && elementAt(compared, next).from < to; next += 1) {
      const { key: word, from: start, to: end, fact, value, isFree = false } = elementAt(compared, next);
      words.push({
        ...buildSpan(start, end),
        key: word,
        fact,
        value,
        isFree,
        token: start,
        isElsewhere:
          fact === 'side' && ((shift >= 0 && start > shift) || (against >= 0 && isAgainst(tokens, against, start))),
      });
    }
    const organs = organsIn(tokens, from, to, rules);
    const mentions = mentionsIn(tokens, from, to, rules);
    return {
      ...buildSpan(from, to),
      section: key,
      from,
      to,
      words,
      mentions: mentions.map(({ to: end, ...mention }) => ({
        ...mention,
        key: keyIn(mention, organs, tokens),
        ...buildSpan(mention.token, end),
      })),
      organs,
      compares: against >= 0,
      isHistory: anywhere(tokens, from, to, rules.lexicon.history),
      isPrior: anywhere(tokens, from, to, rules.lexicon.priors),
      isNormal: anywhere(tokens, from, to, rules.lexicon.normal) && mentions.every(({ isDenied }) => isDenied),
    };
  });
  return { key, text, tokens, sentences };
}

/**
 * The place of a comparison with the other side, or -1; a comparison with another exam is none ("em relação ao exame
 * anterior").
 */
function comparesAt(tokens: readonly Token[], from: number, to: number, { comparisons, priors }: Lexicon): number {
  for (let at = from; at < to; at += 1) {
    const found = phraseAt(tokens, at, comparisons);
    if (found && !anywhere(tokens, found.to, Math.min(to, found.to + 4), priors)) return at;
  }
  return -1;
}

/** The largest number of words from a comparison to the side that it names. */
const nearby = 7;

/** Whether the side is in the clause of the comparison. */
function isAgainst(tokens: readonly Token[], comparison: number, side: number): boolean {
  if (side < comparison || side > comparison + nearby) return false;
  return !tokens.slice(comparison, side).some((_, i) => endsClause(tokens, comparison + i));
}

function organsIn(tokens: readonly Token[], from: number, to: number, { lexicon }: Rules): Sentence['organs'] {
  const organs: { key: string; token: number }[] = [];
  for (let at = from; at < to; at += 1) {
    const found = phraseAt(tokens, at, lexicon.organs);
    if (found) organs.push({ key: found.value, token: at });
  }
  return organs;
}

/** Names of a finding by organ: stones of the gallbladder are gallstones. */
const inOrgan: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  stone: { gallbladder: 'gallstone', kidney: 'kidney_stone', ureter: 'ureter_stone' },
  nodule: { lung: 'pulmonary_nodule' },
};

/** The finding in the last organ named before it, otherwise in the first one after it. */
function keyIn(
  { key, token }: { readonly key: string; readonly token: number },
  organs: Sentence['organs'],
  tokens: readonly Token[],
): string {
  const organ = organs[findFirstIndex(organs.length, (at) => elementAt(organs, at).token > token) - 1] ?? organs[0];
  const isUreter = organ !== undefined && elementAt(tokens, organ.token).folded.startsWith('ureter');
  return inOrgan[key]?.[isUreter ? 'ureter' : (organ?.key ?? '')] ?? key;
}

type Place = Omit<Mention, 'start' | 'end'> & { readonly to: number };

/** A denial: its words begin at the token `at`, and deny the tokens `from` up to `to`. */
interface Denial {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** The denials of a sentence, by the token with which they begin. */
export function readDenials(
  tokens: readonly Token[],
  sentence: { readonly from: number; readonly to: number },
  { facts, lexicon }: Pick<Rules, 'facts' | 'lexicon'>,
): ReadonlyMap<number, Denial> {
  const denials = new Map<number, Denial>();
  let to = sentence.from;
  for (let at = sentence.from; at < sentence.to; at += 1) {
    const negation = phraseAt(tokens, at, facts.negations);
    if (!negation) continue;
    // A denial within the reach of another reaches as far.
    if (negation.to >= to) to = scopeEnd(tokens, negation.to, sentence.to, lexicon.scopeEnds);
    denials.set(at, { at, from: negation.to, to });
    at = negation.to - 1;
  }
  return denials;
}

/** The findings that a sentence names, and whether it denies them. */
function mentionsIn(tokens: readonly Token[], from: number, to: number, rules: Rules): Place[] {
  const { lexicon } = rules;
  const places: Place[] = [];
  const denials = readDenials(tokens, { from, to }, rules);
  let denial: Denial = { at: from, from, to: from };
  const isHypothetical = anywhere(tokens, from, to, lexicon.hypothetical);
  const lastException = findLast(tokens, from, to, lexicon.exceptions);
  for (let at = from; at < to; at += 1) {
    const begun = denials.get(at);
    if (begun) {
      denial = begun;
      at = begun.from - 1;
      continue;
    }
    const named = phraseAt(tokens, at, lexicon.findings);
    const urgent = urgentAt(tokens, at, rules);
    // "Rotura contida da aorta" is more than "rotura".
    const found = urgent && urgent.to <= to && urgent.to > (named?.to ?? 0) ? urgent : named;
    if (!found) continue;
    const near = tokens.slice(Math.max(from, at - 2), qualifiedTo(tokens, found.to, to, rules));
    const isInScope = at < denial.to;
    const isDenied = isInScope || isDeniedAfter(tokens, found.to, to, lexicon.absences);
    const others = near.filter(({ folded }) => lexicon.others.has(folded)).map(({ folded }) => stem(folded));
    places.push({
      hasException: lastException >= found.to,
      key: found.value,
      token: at,
      to: found.to,
      isDenied,
      isHypothetical,
      others,
      qualifiers: isInScope ? findQualifiers(tokens, { from: denial.from, at, to: found.to, end: to }, rules) : [],
    });
    at = found.to - 1;
  }
  return places;
}

/** "Acute dissection of the thoracic aorta": a finding of the urgent ones, with other words between its own. */
function urgentAt(
  tokens: readonly Token[],
  at: number,
  { facts, lexicon, corrections }: Rules,
): FoundPhrase<string> | undefined {
  const isBetween = (token: Token): boolean =>
    token.kind === 'word' &&
    (token.folded.length > 3 || /^[A-Z]$/.test(token.text)) &&
    !lexicon.scopeEnds.has(token.folded) &&
    !facts.negations.has(token.folded);
  const isFiller = ({ folded }: Token): boolean => corrections.fillers.has(folded) && !facts.negations.has(folded);
  return loosePhraseAt(tokens, at, lexicon.urgent, { max: 3, isBetween, isFiller });
}

/** The end of the words after a finding that specify it: "de aspecto suspeito". */
function qualifiedTo(tokens: readonly Token[], at: number, to: number, { numbers }: Rules): number {
  const { and } = numbers.grammar.decimals;
  let end = at;
  while (end < Math.min(to, at + 4) && !endsClause(tokens, end) && !and.has(elementAt(tokens, end).folded)) end += 1;
  return end;
}

/** Words before or after a finding that specify it. */
const maxQualifiers = 30;

/**
 * Words that say which or where, in the same item of a denial: "axilares" of "não há adenopatias axilares, nem massas".
 */
function findQualifiers(
  tokens: readonly Token[],
  { from, at, to, end }: { from: number; at: number; to: number; end: number },
  { facts, lexicon, numbers }: Rules,
): string[] {
  const { and } = numbers.grammar.decimals;
  const joins = (token: Token): boolean =>
    token.text === ',' || and.has(token.folded) || facts.negations.has(token.folded) || endsClause([token], 0);
  const says = ({ kind, folded }: Token): boolean =>
    kind === 'word' && !lexicon.small.has(folded) && !lexicon.scopeEnds.has(folded) && !lexicon.others.has(folded);
  let [first, last] = [at, to];
  while (first > Math.max(from, at - maxQualifiers) && !joins(elementAt(tokens, first - 1))) first -= 1;
  while (last < Math.min(end, to + maxQualifiers) && !joins(elementAt(tokens, last))) last += 1;
  return [...tokens.slice(first, at), ...tokens.slice(to, last)].filter(says).map(({ folded }) => stem(folded));
}

/** The end of what a denial covers. A verb right after it belongs to it: "não há", "no se observa". */
function scopeEnd(tokens: readonly Token[], at: number, to: number, ends: ReadonlySet<string>): number {
  let end = at;
  while (end < to && (ends.has(elementAt(tokens, end).folded) || elementAt(tokens, end).folded === 'se')) end += 1;
  while (end < to && !ends.has(elementAt(tokens, end).folded) && !/^[;:(]$/.test(elementAt(tokens, end).text)) end += 1;
  return end;
}

/** "pneumotórax não caracterizado": a denial after the finding, in the same clause. */
export function isDeniedAfter(tokens: readonly Token[], at: number, to: number, absences: PhraseIndex<true>): boolean {
  for (let i = at; i < Math.min(to, at + 6); i += 1) {
    if (elementAt(tokens, i).kind === 'mark') return false;
    if (phraseAt(tokens, i, absences)) return true;
  }
  return false;
}
