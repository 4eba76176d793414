/**
 * The sections of a report that arrived as one text, by its headings: known titles in any of our languages, and lines
 * in capitals.
 */
import type { PriorSection } from '../../contract/prior.ts';
import { fold, phraseList } from '../../domain/fold.ts';
import { sections as english } from '../languages/en-US/sections.ts';
import { sections as spanish } from '../languages/es-ES/sections.ts';
import { sections as portuguese } from '../languages/pt-BR/sections.ts';
import { lastElement } from '../../domain/elements.ts';

interface Name {
  readonly key: string;
  /** A common word too: a heading only with a colon after it. */
  readonly needsColon: boolean;
}

const names: ReadonlyMap<string, Name> = new Map(
  [spanish, english, portuguese].flatMap(({ names: ofLanguage, titles }) => [
    ...Object.entries(titles).map(([key, title]): [string, Name] => [fold(title), { key, needsColon: true }]),
    ...Object.entries(ofLanguage).flatMap(([key, phrases]) =>
      phraseList(phrases).map((name): [string, Name] => [
        fold(name.replace(/:$/, '')),
        { key, needsColon: name.endsWith(':') },
      ]),
    ),
  ]),
);

/** Longer lines are no headings. */
const maxLetters = 60;

/** The kind of section with that title; `null` if it is unknown. */
export const keyOfTitle = (title: string): string | null =>
  names.get(fold(title.normalize('NFC').trim().replace(/:$/, '')))?.key ?? null;

interface Heading {
  readonly title: string;
  readonly key: string | null;
  /** The rest of its line. */
  readonly rest: string;
}

function headingIn(line: string): Heading | undefined {
  const bare = line.replace(/^[\s*#=_-]+|(?<![\s*=_-])[\s*=_-]+$/g, '');
  const colon = bare.indexOf(':');
  const hasColon = colon !== -1;
  const title = (hasColon ? bare.slice(0, colon) : bare).replace(/(?<![\s*=_])[\s*=_]+$/, '');
  if (title.length < 2 || title.length > maxLetters) return undefined;
  const rest = hasColon ? bare.slice(colon + 1).replace(/^[\s*]+/, '') : '';
  const known = names.get(fold(title));
  if (known && (hasColon || !known.needsColon)) return { title, key: known.key, rest };
  const isInCapitals = /\p{Lu}{2}/u.test(title) && title === title.toUpperCase();
  return hasColon && rest === '' && isInCapitals ? { title, key: null, rest } : undefined;
}

/** At least one section, unless the text is blank; every word of the text is in one of them, or is a title. */
export function sectionsOfText(text: string): PriorSection[] {
  const sections: { key: string | null; title: string | null; lines: string[] }[] = [];
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const heading = headingIn(line);
    if (heading) sections.push({ key: heading.key, title: heading.title, lines: heading.rest ? [heading.rest] : [] });
    else if (sections.length > 0) lastElement(sections).lines.push(line);
    else sections.push({ key: null, title: null, lines: [line] });
  }
  return sections
    .map(({ key, title, lines }) => ({
      key,
      title,
      text: lines
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
    }))
    .filter(({ title, text: words }) => title !== null || words !== '');
}
