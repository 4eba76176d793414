/** Writes whole sentences: at the ends of sections, next to passages, and in their place. */
import type { Section } from '../../contract/document.ts';
import type { Rules } from '../rules.ts';
import { sectionKinds } from '../sections/section-kinds.ts';
import { withText } from '../versions/with-text.ts';
import { appendSentences, asSentence, cutAt, insertSentence, prepended, replaceAt } from './editing.ts';
import { isNumberedList, itemsIn, listOf } from './numbered-list.ts';
import { Problem } from './operations.ts';
import type { InstructionOperation } from './operations.ts';
import { findPassage } from './passages.ts';
import type { Page, Place } from './places.ts';
import type { OperationResult } from './sections.ts';
import { findElement } from '../../domain/elements.ts';

type Of<K extends InstructionOperation['kind']> = Extract<InstructionOperation, { kind: K }>;

/** Adds to a section, or rewrites it; a missing one is created at its usual place. */
export function writeSection(
  { kind, section: key, text }: Of<'append' | 'prepend' | 'rewrite'>,
  sections: readonly Section[],
  { titles }: Pick<Rules, 'titles'>,
): OperationResult {
  const known = sections.find((section) => section.key === key);
  if (!known) {
    const made = { key, title: titles[key] ?? key, text };
    const rank = (of: string): number => sectionKinds.findIndex((each) => each.key === of);
    const before = sections.findIndex((section) => rank(section.key) > rank(key));
    return before < 0 ? [...sections, made] : [...sections.slice(0, before), made, ...sections.slice(before)];
  }
  if (kind === 'rewrite') return withText(sections, key, text);
  return withText(sections, key, kind === 'append' ? appendSentences(known.text, text) : prepended(known.text, text));
}

/** The sections without the words of the place. */
export function cutPlace(sections: readonly Section[], { page, from, to }: Place): Section[] {
  const { text } = findElement(sections, ({ key }) => key === page.key);
  return withText(sections, page.key, cutAt(text, page.spanOf(from, to)));
}

/** Deletes, replaces, moves or copies a passage, or puts a sentence next to it. */
export function changePassage(
  operation: Of<'delete_passage' | 'replace_passage' | 'move_passage' | 'copy_passage' | 'insert_passage'>,
  sections: readonly Section[],
  all: readonly Page[],
  rules: Rules,
): OperationResult {
  const target = 'target' in operation ? operation.target : undefined;
  const isSource = ({ key }: Page): boolean => 'about' in operation.which || key !== target;
  const place = findPassage(operation.which, all.filter(isSource), rules);
  if (place instanceof Problem) return place;
  const { page } = place;
  const span = page.spanOf(place.from, place.to);
  switch (operation.kind) {
    case 'delete_passage':
      return cutPlace(sections, place);
    case 'replace_passage':
      return withText(sections, page.key, replaceAt(page.text, span, operation.text));
    case 'insert_passage': {
      const at = operation.side === 'before' ? page.spanOf(lineStart(place), place.to).start : span.end;
      return withText(
        sections,
        page.key,
        insertSentence(page.text, at, asSentence(operation.text), isNumberedList(page.text) ? '\n' : ' '),
      );
    }
    default: {
      const { kind, target: section = page.key, isFirst } = operation;
      // Items of a list have numbers, and their own instructions.
      if (page.key === operation.target || (page.key === section && isNumberedList(page.text)))
        return new Problem('nothing');
      const text = asSentence(page.text.slice(span.start, span.end));
      const rest = kind === 'move_passage' ? cutPlace(sections, place) : sections;
      return writeSection({ kind: isFirst ? 'prepend' : 'append', section, text }, rest, rules);
    }
  }
}

/** The beginning of the item's line if the passage begins an item, so that nothing is put behind its number. */
function lineStart({ page, from }: Place): number {
  const isNumber = isNumberedList(page.text) && /^\d/.test(page.tokens[from - 2]?.text ?? '');
  return isNumber ? from - 2 : from;
}

type ListChange = Of<'insert_item' | 'move_item' | 'swap_items' | 'delete_items'>;

/** Changes the only numbered list of the sections. */
export function changeList(operation: ListChange, sections: readonly Section[], all: readonly Page[]): OperationResult {
  const [list, ...others] = all.filter(({ text }) => isNumberedList(text));
  const named = 'numbers' in operation ? operation.numbers.join(', ') : String(operation.number);
  if (others.length > 0) return new Problem('several', named, others.length + 1);
  const items = list ? changeItems(operation, itemsIn(list.text)) : undefined;
  return list && items ? withText(sections, list.key, listOf(items)) : new Problem('not_found', named);
}

/** The items after the operation; `undefined` if there is none of its number. */
function changeItems(operation: ListChange, items: readonly string[]): string[] | undefined {
  const placeOf = (number: number): number => (number > 0 ? number - 1 : items.length + number);
  switch (operation.kind) {
    case 'insert_item': {
      const { number, text } = operation;
      return number <= items.length + 1 ? items.toSpliced(number - 1, 0, asSentence(text)) : undefined;
    }
    case 'move_item': {
      const moved = items[placeOf(operation.number)];
      return moved === undefined ? undefined : [moved, ...items.toSpliced(placeOf(operation.number), 1)];
    }
    default: {
      const [one, other] = operation.numbers.map(placeOf);
      const [first, second] = [items[one ?? -1], items[other ?? -1]];
      if (first === undefined || second === undefined) return undefined;
      return operation.kind === 'delete_items'
        ? items.filter((_, at) => at !== one && at !== other)
        : items.map((item, at) => (at === one ? second : at === other ? first : item));
    }
  }
}
