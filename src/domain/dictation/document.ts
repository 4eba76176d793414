/** Makes a dictation into a document: punctuation written, text under its sections, nothing lost and nothing made up. */
import type { Section } from '../../contract/document.ts';
import type { Language } from '../../contract/shared.ts';
import type { Template } from '../../contract/template.ts';
import { splitSections } from './headings.ts';
import type { Dictated } from './headings.ts';
import { languageOf } from './language-vote.ts';
import { sortOpening } from './opening.ts';
import { punctuate } from './punctuation.ts';
import { sectionKind, sectionKinds } from './section-kinds.ts';
import { closed, sentencesOf, tidy } from './sentences.ts';
import { normalForm } from '../normal-form.ts';

/** The section of the template that takes what was said under `key`; else the key itself, for a section of its own. */
function sectionFor(key: string, template: Template): string {
  const has = (wanted: string | undefined): boolean => template.sections.some((section) => section.key === wanted);
  const instead = sectionKind(key)?.instead;
  return !has(key) && instead !== undefined && has(instead) ? instead : key;
}

/** Keys in the order of a document: as in the template, with what it does not have put where such sections stand. */
function inOrder(keys: ReadonlySet<string>, template: Template): string[] {
  const rank = (key: string): number => sectionKinds.findIndex((kind) => kind.key === key);
  const order = template.sections.map((section) => section.key);
  for (const key of [...keys].filter((each) => !order.includes(each)).toSorted((a, b) => rank(a) - rank(b))) {
    const before = order.findIndex((other) => rank(other) > rank(key));
    order.splice(before < 0 ? order.length : before, 0, key);
  }
  return order.filter((key) => keys.has(key));
}

/** Where findings stand in this template. */
const mainSection = (template: Template): string => {
  const main = sectionFor('findings', template);
  return template.sections.some((section) => section.key === main) ? main : (template.sections[0]?.key ?? 'findings');
};

/**
 * The sections of a document for what was dictated. Every word is in one of them, but for section names, spoken
 * punctuation and `literal`; numbers before a spoken decimal sign or "per cent" become digits. `filled` are texts for
 * sections that were not dictated (the technique, known from the exam). Sections that every document of the template is
 * expected to have stand empty where nothing was said of them; the others are left out.
 */
export function arrange(
  text: string,
  to: { readonly template: Template; readonly language: Language; readonly filled: Readonly<Record<string, string>> },
): Section[] {
  const { template, language, filled } = to;
  const whole = normalForm(text).replace(/\r\n?/g, '\n');
  const written = punctuate(whole, languageOf(whole) ?? language);
  const { opening, dictated } = splitSections(written, template.sections);
  const texts = new Map<string, string[]>();
  const put = (key: string, piece: string): void => {
    const section = sectionFor(key, template);
    const pieces = texts.get(section) ?? [];
    pieces.push(piece);
    texts.set(section, pieces);
  };
  for (const [key, piece] of openingPieces(opening, mainSection(template))) put(key, piece);
  for (const { key, text: piece } of dictated) put(key, closed(tidy(piece)));
  for (const { key } of template.sections) {
    const isSaid = texts.get(key)?.some((piece) => piece !== '') === true;
    if (!isSaid && filled[key] !== undefined) texts.set(key, [filled[key]]);
    else if (!isSaid && sectionKind(key)?.isExpected) texts.set(key, []);
  }
  return inOrder(new Set(texts.keys()), template).map((key) => ({
    key,
    title: template.sections.find((section) => section.key === key)?.title ?? sectionKind(key)?.titles[language] ?? key,
    text: (texts.get(key) ?? []).filter((piece) => piece !== '').join('\n'),
  }));
}

/** The opening by sections; sentences that follow each other in one section stay one paragraph unless a line parted them. */
function openingPieces(opening: string, main: string): [key: string, text: string][] {
  const pieces: { key: string; lines: string[][] }[] = [];
  let isSeen = false;
  for (const line of opening.split('\n')) {
    const sorted: readonly Dictated[] = isSeen
      ? [{ key: main, text: line.trim() }]
      : sortOpening(sentencesOf(line), main);
    isSeen ||= sorted.some(({ key }) => key === main);
    let isNewLine = true;
    for (const { key, text } of sorted) {
      const found = pieces.find((piece) => piece.key === key);
      if (!found) pieces.push({ key, lines: [[text]] });
      else if (isNewLine) found.lines.push([text]);
      else found.lines.at(-1)?.push(text);
      isNewLine = false;
    }
  }
  return pieces.map(({ key, lines }) => [key, closed(tidy(lines.map((line) => line.join(' ')).join('\n')))]);
}
