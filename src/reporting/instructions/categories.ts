/** Categories that an instruction changes: "o BI-RADS", "the grade", "the category". */
import { phraseAt } from '../words/phrases.ts';
import { textOf } from '../words/token.ts';
import type { Binding } from './matching.ts';
import { Problem } from './operations.ts';
import type { InstructionOperation } from './operations.ts';
import { findPlaces, readKeys } from './places.ts';
import type { Range } from './scopes.ts';
import { convertWords, inline } from './sought-words.ts';
import type { ParsedInstruction } from './sought-words.ts';

/** The category of the only reporting system that the meant sections name. */
function findOnlyCategory(
  sections: readonly string[],
  { from, to }: Range,
  { tokens, pages, reading }: ParsedInstruction,
): InstructionOperation | undefined {
  const meant = pages.filter(({ key }) => sections.length === 0 || sections.includes(key));
  const names = meant.flatMap((page) =>
    page.tokens.flatMap((_, at) => {
      const name = phraseAt(page.tokens, at, reading.rules.numbers.classes.rads);
      return name ? [page.tokens.slice(at, name.to)] : [];
    }),
  );
  const [name] = names;
  if (!name || new Set(names.map(textOf)).size > 1) return undefined;
  const words = readKeys(name, reading.rules).map(({ key }) => key);
  const value = textOf(tokens.slice(from, to));
  return { kind: 'change_category', sections, name: { words, said: textOf(name) }, value };
}

/** "o BI-RADS", "o grau", "BI-RADS 3": the name of a class in the report, and its value. */
export function readCategory(
  sections: readonly string[],
  binding: Binding,
  parsed: ParsedInstruction,
): InstructionOperation | Problem | undefined {
  if (!binding.category) return undefined;
  const { tokens, reading } = parsed;
  const { classes } = reading.rules.numbers;
  const isLoose = (at: number): boolean =>
    reading.rules.instructions.articles.has(tokens[at]?.folded ?? '') || classes.category.has(tokens[at]?.folded ?? '');
  // "a categoria para BI-RADS 4": the name comes with its value.
  if (binding.text && phraseAt(tokens, binding.text.from, classes.rads)) {
    const name = phraseAt(tokens, binding.category.from, classes.rads);
    if (!name) return readCategory(sections, { category: binding.text }, parsed);
  }
  let { from, to } = binding.category;
  const nameAt = (at: number): number | undefined =>
    (phraseAt(tokens, at, classes.rads) ?? phraseAt(tokens, at, classes.classes))?.to;
  while (from < to && nameAt(from) === undefined && isLoose(from)) from += 1;
  const end = nameAt(from);
  if (end === undefined || end > to) return undefined;
  if (binding.text) while (to > end && isLoose(to - 1)) to -= 1;
  const value = binding.text ?? { from: end, to };
  if ((binding.text && end !== to) || value.to <= value.from || value.to - value.from > 6) return undefined;
  const said = inline(parsed, { from, to: end });
  const words = readKeys(convertWords(parsed, { from, to: end }), reading.rules).map(({ key }) => key);
  const isThere = findPlaces(words, parsed.pages, reading.rules).length > 0;
  // "The category is three": the only one that the report has.
  const isGeneric = tokens.slice(from, end).every(({ folded }) => classes.category.has(folded));
  if (!isThere && isGeneric) return findOnlyCategory(sections, value, parsed) ?? new Problem('not_found', said);
  return isThere
    ? { kind: 'change_category', sections, name: { words, said }, value: textOf(tokens.slice(value.from, value.to)) }
    : new Problem('not_found', said);
}
