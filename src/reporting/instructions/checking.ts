/**
 * Checks the outcome of an operation: the report differs from the one before as the operation says, and in nothing
 * else.
 */
import type { Section } from '../../contract/document.ts';
import { comparedWords } from '../facts.ts';
import { unitAt } from '../numbers/units.ts';
import { phraseAt } from '../words/phrases.ts';
import type { Rules } from '../rules.ts';
import { sectionNameAt } from '../sections/section-names.ts';
import type { SectionNames } from '../sections/section-names.ts';
import { tokenise } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { Problem } from './operations.ts';
import type { InstructionOperation, SoughtWords } from './operations.ts';
import { readPage } from './places.ts';
import type { Page } from './places.ts';
import { elementAt, valueAt } from '../../domain/elements.ts';

/** The problem of an operation whose outcome says more, or less, than was asked for. */
export function checkOutcome(
  operation: InstructionOperation,
  before: readonly Section[],
  after: readonly Section[],
  { rules, names }: { readonly rules: Rules; readonly names: SectionNames },
): Problem | undefined {
  const pagesOf = (sections: readonly Section[]): Page[] => sections.map((section) => readPage(section, rules));
  const [old, now] = [pagesOf(before), pagesOf(after)];
  return (
    checkWords(operation, rules, names) ??
    checkFacts(operation, old, now, rules) ??
    checkUnits(operation, old, now, rules) ??
    checkJoints(operation, old, now, rules)
  );
}

/** Words that an operation brings into a sentence. */
function broughtInto(operation: InstructionOperation): string | undefined {
  switch (operation.kind) {
    case 'replace':
      return operation.by;
    case 'insert_before':
    case 'insert_after':
      return operation.isSentence ? undefined : operation.text;
    default:
      return undefined;
  }
}

/** Words that steer an instruction do not belong in a report: "mass too", "6 mm, I mean 7 mm", "mass and move it". */
function checkWords(
  operation: InstructionOperation,
  { instructions, corrections }: Rules,
  names: SectionNames,
): Problem | undefined {
  const brought = broughtInto(operation);
  const text = brought ?? ('text' in operation && !('macro' in operation) ? operation.text : undefined);
  if (text === undefined) return undefined;
  const tokens = tokenise(text).filter(({ kind }) => kind !== 'mark');
  const corrects = (at: number): boolean => (phraseAt(tokens, at, corrections.markers)?.value ?? 'weak') !== 'weak';
  const steers = (at: number): boolean => {
    const apart = at > 0 ? phraseAt(tokens, at, corrections.apart) : undefined;
    const joint = phraseAt(tokens, at, instructions.then);
    return (
      (apart !== undefined && !corrections.goesOn.has(tokens[apart.to]?.folded ?? '')) ||
      (joint !== undefined && phraseAt(tokens, joint.to, instructions.otherVerbs) !== undefined) ||
      phraseAt(tokens, at, instructions.courtesies) !== undefined ||
      phraseAt(tokens, at, instructions.steering)?.to === tokens.length
    );
  };
  /**
   * "small effusion and", "nódulo e na impressão": no sentence ends so, but an instruction that was read in part does.
   */
  const endsSteering = (at: number): boolean =>
    [instructions.also, instructions.and].some((index) => {
      const joint = phraseAt(tokens, at, index);
      if (!joint) return false;
      const section = phraseAt(tokens, joint.to, instructions.inSection)?.to ?? joint.to;
      return joint.to === tokens.length || sectionNameAt(tokens, section, names)?.to === tokens.length;
    });
  // In whole sentences the weaker signs are ordinary words.
  const isSteered =
    (brought !== undefined && hasStatement(tokenise(brought), instructions)) ||
    tokens.some((_, at) => corrects(at) || endsSteering(at) || (brought !== undefined && steers(at)));
  return isSteered ? new Problem('unclear', text) : undefined;
}

/** "… and the cyst is small", "…, the cyst is small": how another thing is, which is no part of the words before it. */
function hasStatement(tokens: readonly Token[], { then, words }: Rules['instructions']): boolean {
  const last = tokens.findLastIndex((_, at) => phraseAt(tokens, at, valueAt(words, 'is')) !== undefined);
  return tokens.some((token, at) => {
    const from = phraseAt(tokens, at, then)?.to ?? (token.text === ',' ? at + 1 : undefined);
    // "…, que mede 5 mm" goes on with them.
    return from !== undefined && from < last && !phraseAt(tokens, from, valueAt(words, 'that'));
  });
}

/** Facts by name → how often they occur. */
type Facts = ReadonlyMap<string, number>;

function countFacts(tokens: readonly Token[], { facts }: Rules): Facts {
  const counts = new Map<string, number>();
  for (const { fact, value } of comparedWords(tokens, facts)) {
    if (fact === undefined) continue;
    const name = `${fact} ${value}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** The facts that occur more often in `a` than in `b`. */
const surplus = (a: Facts, b: Facts): string[] =>
  [...a.keys()].filter((name) => (a.get(name) ?? 0) > (b.get(name) ?? 0));

/** The facts that a text names, in any context: "mm" is a unit without its number too. */
function factsNamed(text: string, rules: Rules): ReadonlySet<string> {
  const { tokens } = readPage({ key: '', title: '', text }, rules);
  const units = tokens.flatMap((_, at) => unitAt(tokens, at, rules.numbers.grammar.units)?.symbol ?? []);
  return new Set([...countFacts(tokens, rules).keys(), ...units.map((symbol) => `unit ${symbol}`)]);
}

/** No number, unit, side or denial may appear or disappear in a sentence that the operation does not name. */
function checkFacts(
  operation: InstructionOperation,
  old: readonly Page[],
  now: readonly Page[],
  rules: Rules,
): Problem | undefined {
  const named = expectedFacts(operation, rules);
  if (!named) return undefined;
  const factsOf = (pages: readonly Page[]): Facts =>
    countFacts(
      pages.flatMap(({ tokens }) => tokens),
      rules,
    );
  const [was, is] = [factsOf(old), factsOf(now)];
  const isNamed = (fact: string, names: Names): boolean =>
    names.facts.has(fact) || names.kinds.some((kind) => fact.startsWith(`${kind} `));
  const lost = surplus(was, is).find((fact) => !isNamed(fact, named.gone));
  const gained = surplus(is, was).find((fact) => !isNamed(fact, named.come));
  return lost === undefined && gained === undefined ? undefined : new Problem('unclear', namedWords(operation));
}

interface Names {
  readonly facts: ReadonlySet<string>;
  /** Kinds whose facts may all appear or disappear. */
  readonly kinds: readonly string[];
}

const none: Names = { facts: new Set(), kinds: [] };

/** The facts that may disappear, and those that may appear; `undefined` if whole sentences change. */
function expectedFacts(
  operation: InstructionOperation,
  rules: Rules,
): { readonly gone: Names; readonly come: Names } | undefined {
  const of = (text: string, ...kinds: string[]): Names => ({ facts: factsNamed(text, rules), kinds });
  switch (operation.kind) {
    case 'replace': {
      const { what, by } = operation;
      const come = of(by, 'unit', ...sideKind(by, rules));
      // A date, or a unit that was left out, goes with its number.
      const isNumber = [...come.facts].some((fact) => fact.startsWith('number '));
      const kinds = [...(isNumber ? ['unit', 'number'] : []), ...sideKind(what.said, rules)];
      return { gone: of(wantedText(what), ...kinds), come };
    }
    case 'delete':
      return { gone: of(wantedText(operation.what), ...sideKind(operation.what.said, rules)), come: none };
    case 'insert_before':
    case 'insert_after':
    case 'append':
    case 'prepend':
      return { gone: none, come: of(operation.text) };
    case 'fill':
      return { gone: of(operation.field, 'number', 'side', 'place', 'negation'), come: of(operation.text, 'unit') };
    case 'change_word':
      return { gone: of('', 'side', 'place'), come: of(operation.word, 'side', 'place') };
    case 'change_value':
      return { gone: of('', 'number', 'unit', 'level'), come: of(operation.value, 'unit', 'level') };
    case 'change_category':
      return { gone: of('', 'number'), come: of('', 'number') };
    default:
      return undefined;
  }
}

const wantedText = ({ said, words }: SoughtWords): string => `${said} ${words.join(' ')}`;

/** A side is found, and written, in any gender and number. */
const sideKind = (text: string, { facts }: Rules): string[] =>
  tokenise(text).some(({ folded }) => facts.sides.has(folded)) ? ['side'] : [];

const namedWords = (operation: InstructionOperation): string => {
  if ('what' in operation && operation.what) return operation.what.said;
  return 'text' in operation ? operation.text : '';
};

/** A number keeps a unit, and a unit its number, unless whole sentences change. */
function checkUnits(
  operation: InstructionOperation,
  old: readonly Page[],
  now: readonly Page[],
  rules: Rules,
): Problem | undefined {
  if (!/^(?:replace|delete|change_value)$/.test(operation.kind)) return undefined;
  const [was, is] = [looseUnits(old, rules), looseUnits(now, rules)];
  return is.bare > was.bare && is.measured < was.measured
    ? new Problem('unit', namedWords(operation))
    : is.alone > was.alone
      ? new Problem('unit', namedWords(operation))
      : undefined;
}

/** How many numbers have a unit, how many have none, and how many units have no number. */
function looseUnits(pages: readonly Page[], { numbers }: Rules): { measured: number; bare: number; alone: number } {
  const { units } = numbers.grammar;
  const counts = { measured: 0, bare: 0, alone: 0 };
  for (const { tokens } of pages) {
    for (let at = 0; at < tokens.length; at += 1) {
      const unit = unitAt(tokens, at, units);
      if (elementAt(tokens, at).kind === 'figure')
        counts[unitAt(tokens, at + 1, units)?.symbol ? 'measured' : 'bare'] += 1;
      else if (
        unit?.symbol !== null &&
        unit?.symbol === elementAt(tokens, at).text &&
        tokens[at - 1]?.kind !== 'figure'
      )
        counts.alone += 1;
    }
  }
  return counts;
}

/**
 * The joints of new and old words: no word twice, and no small word before one that cannot follow it ("a the", "in
 * on").
 */
function checkJoints(
  operation: InstructionOperation,
  old: readonly Page[],
  now: readonly Page[],
  rules: Rules,
): Problem | undefined {
  const brought = broughtInto(operation);
  if (brought === undefined && operation.kind !== 'delete') return undefined;
  const own = readPage({ key: '', title: '', text: brought ?? '' }, rules);
  const joints = (pages: readonly Page[]): Map<string, number> => {
    const found = new Map<string, number>();
    for (const { tokens } of pages)
      for (let at = 1; at < tokens.length; at += 1) {
        if (!isBadJoint(elementAt(tokens, at - 1), elementAt(tokens, at), rules)) continue;
        const joint = `${elementAt(tokens, at - 1).folded} ${elementAt(tokens, at).folded}`;
        found.set(joint, (found.get(joint) ?? 0) + 1);
      }
    return found;
  };
  return surplus(joints(now), joints([...old, own])).length > 0
    ? new Problem('unclear', namedWords(operation))
    : undefined;
}

function isBadJoint(first: Token, second: Token, { instructions, corrections, facts }: Rules): boolean {
  if (first.kind !== 'word' || second.kind !== 'word') return false;
  if (first.folded === second.folded) return true;
  if (facts.sides.has(first.folded) && facts.sides.has(second.folded)) return true;
  const isArticle = ({ text }: Token): boolean => instructions.articles.has(text.toLowerCase());
  const prepositions = [first, second].map(({ folded }) => corrections.prepositions.get(folded));
  return (
    (isArticle(first) && (isArticle(second) || prepositions[1] !== undefined)) ||
    (prepositions[0] !== undefined && prepositions[1] !== undefined && first.folded !== 'from')
  );
}
