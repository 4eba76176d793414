/** Fills in the fields that autotexts left open: "preencher medida com 5", "fill side with left", "lado direito". */
import { kindAt } from '../words/token-kinds.ts';
import { fieldsIn, wordsOf } from '../vocabulary/macros.ts';
import type { Field } from '../vocabulary/macros.ts';
import { figure } from '../numbers/figures.ts';
import { integerAt } from '../numbers/numeral.ts';
import { phraseAt } from '../words/phrases.ts';
import { withCapital } from '../render.ts';
import type { Rules } from '../rules.ts';
import { textOf, tokenise } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { Problem } from './operations.ts';
import type { InstructionOperation } from './operations.ts';
import type { Page } from './places.ts';
import { withText } from '../versions/with-text.ts';
import type { OperationResult } from './sections.ts';
import type { Range } from './scopes.ts';
import type { Section } from '../../contract/document.ts';
import { elementAt, valueAt } from '../../domain/elements.ts';

/** A field of a section, as it is written there. */
interface Open extends Field {
  readonly section: string;
  readonly written: string;
}

const openIn = (pages: readonly Page[]): Open[] =>
  pages.flatMap(({ key, text }) =>
    fieldsIn(text).map((field) => ({ ...field, section: key, written: text.slice(field.start, field.end) })),
  );

/** The parts of an instruction about a field. */
export interface Filling {
  readonly tokens: readonly Token[];
  /** The name of the field; `undefined`: none was said. */
  readonly name: Range | undefined;
  /** The value, as a report writes it. */
  readonly value: readonly Token[];
  /** Whether the instruction mentions fields, so that "side" and "size" can identify one without a name. */
  readonly isCommand: boolean;
}

/** The meant field and its value; `undefined` if no field is meant. */
export function fillIn(
  { tokens, name, value, isCommand }: Filling,
  pages: readonly Page[],
  rules: Rules,
): InstructionOperation | Problem | undefined {
  const open = openIn(pages);
  const meant = name ? namedBy(tokens, name, open, rules, isCommand) : open;
  const fitting = meant.flatMap((field) => {
    const text = valueFor(field, value, rules);
    return text === undefined ? [] : [{ field, text }];
  });
  const [only] = fitting;
  if (!only) return meant.length > 0 ? new Problem('not_found', textOf(value)) : undefined;
  if (fitting.length > 1)
    return new Problem('several', name ? textOf(tokens.slice(name.from, name.to)) : textOf(value), fitting.length);
  return { kind: 'fill', section: only.field.section, field: only.field.written, text: only.text };
}

/** Most words of the name of a field, so that work stays bounded. */
const maxWords = 12;

/** "lado direito": the name of a field, followed by one of its choices. */
export function fillWithChoice(
  tokens: readonly Token[],
  { from, to }: Range,
  pages: readonly Page[],
  rules: Rules,
): InstructionOperation | Problem | undefined {
  const open = openIn(pages);
  if (open.length === 0) return undefined;
  for (let at = from + 1; at < Math.min(to, from + maxWords); at += 1) {
    const named = namedBy(tokens, { from, to: at }, open, rules, true).filter(({ choices }) => choices.length > 0);
    const value = tokens.slice(at, to);
    if (named.some((field) => valueFor(field, value, rules) !== undefined))
      return fillIn({ tokens, name: { from, to: at }, value, isCommand: true }, pages, rules);
  }
  return undefined;
}

/**
 * The fields of that name; if there are none, and the instruction mentions fields, those that "side" or "size"
 * identify.
 */
function namedBy(
  tokens: readonly Token[],
  range: Range,
  open: readonly Open[],
  { instructions, facts }: Rules,
  isCommand: boolean,
): Open[] {
  const { words, articles } = instructions;
  let { from } = range;
  const isLoose = (at: number): number | undefined =>
    phraseAt(tokens, at, valueAt(words, 'field'))?.to ?? (articles.has(tokens[at]?.folded ?? '') ? at + 1 : undefined);
  for (let next = isLoose(from); next !== undefined && next <= range.to; next = isLoose(from)) from = next;
  const said = wordsOf(tokens.slice(from, range.to));
  if (said === '') return [...open];
  const named = open.filter(({ name }) => name !== null && wordsOf(tokenise(name)) === said);
  if (named.length > 0 || !isCommand) return named;
  const isAll = (list: string): boolean => phraseAt(tokens, from, valueAt(words, list))?.to === range.to;
  const hasSides = ({ choices }: Field): boolean =>
    choices.some((choice) => tokenise(choice).some(({ folded }) => facts.sides.has(folded)));
  if (isAll('size')) return open.filter(({ name, choices }) => name === null && choices.length === 0);
  return isAll('side') ? open.filter((field) => field.name === null && hasSides(field)) : [];
}

/** The value as the field takes it; `undefined` if the field takes no such value. */
function valueFor({ choices, unit }: Field, value: readonly Token[], rules: Rules): string | undefined {
  if (choices.length > 0) return findChoice(choices, value, rules);
  const text = textOf(value);
  if (unit === null) return text === '' ? undefined : text;
  const like = kindAt(value, 0, rules.corrections.likes);
  if (!like || like.kind !== 'measure' || like.to !== value.length) return undefined;
  if (like.unit !== undefined) return text;
  const { grammar, measures } = rules.numbers;
  const numeral = integerAt(value, 0, grammar.words);
  const number = numeral?.isSpoken && numeral.to === value.length ? figure(numeral.digits, measures.style) : text;
  return unit === '%' ? `${number}%` : `${number} ${unit}`;
}

/** The spoken choice; a side in another gender is the same side. */
function findChoice(
  choices: readonly string[],
  value: readonly Token[],
  { facts, instructions }: Rules,
): string | undefined {
  const said = value.filter(({ folded }) => !instructions.articles.has(folded));
  const same = choices.find((choice) => wordsOf(tokenise(choice)) === wordsOf(said));
  const side = said.length === 1 ? facts.sides.get(elementAt(said, 0).folded) : undefined;
  return (
    same ??
    (side === undefined ? undefined : choices.find((choice) => facts.sides.get(wordsOf(tokenise(choice))) === side))
  );
}

type Fill = Extract<InstructionOperation, { kind: 'fill' }>;

export function performFill({ section: key, field, text }: Fill, sections: readonly Section[]): OperationResult {
  const section = sections.find((each) => each.key === key);
  const at = section === undefined ? -1 : section.text.indexOf(field);
  if (!section || at < 0) return new Problem('not_found', field);
  const before = section.text.slice(0, at);
  const isStart = before.trim() === '' || /[.?!…]\s*$|\n[^\S\n]*$/.test(before);
  const value = isStart ? withCapital(normalForm(text)) : normalForm(text);
  return withText(sections, key, before + value + section.text.slice(at + field.length));
}
