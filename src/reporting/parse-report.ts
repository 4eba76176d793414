/** Parses a finished report into the sections that it names. */
import type { Section } from '../contract/document.ts';
import type { Language } from '../contract/shared.ts';
import { normalForm } from '../domain/normal-form.ts';
import { openingKey, sectionFor } from './input.ts';
import type { ReportSection } from './input.ts';
import { findRules } from './rules.ts';
import { withTemplate } from './sections/section-names.ts';
import { findSections } from './steps/sections.ts';
import { sectionBegunBy, tokenise } from './words/token.ts';
import type { Span } from './words/token.ts';
import { elementAt } from '../domain/elements.ts';

/** A part of the text that belongs to a section. */
interface Piece extends Span {
  /** The offset at which it begins in the section. */
  readonly at: number;
}

export interface WrittenReport {
  /** Their words are exactly those of the text. */
  readonly sections: readonly Section[];
  /** The place in the text (NFC) of a place of a section; `undefined` if no word of the section is there. */
  placeOf(section: string, place: number): number | undefined;
}

/** Text without a section name goes where a dictation would put it. */
export function readReport(
  given: string,
  {
    language,
    template,
    isTyped = false,
  }: {
    readonly language: Language;
    readonly template: readonly ReportSection[];
    /** Whether only a typed heading counts as the name of a section. */
    readonly isTyped?: boolean;
  },
): WrittenReport {
  const text = normalForm(given);
  const tokens = tokenise(text);
  const rules = findRules(language);
  const opening = openingKey({ sections: template });
  const headings = findSections(tokens, {
    names: withTemplate(rules.sections, template),
    order: template.map(({ key }) => key),
    current: opening,
    pausesAfter: isTyped ? null : () => false,
  });
  const parts = [
    { key: opening, from: 0 },
    ...headings.flatMap(({ out, to }) =>
      out.flatMap((token) => sectionBegunBy(token) ?? []).map((key) => ({ key, from: to })),
    ),
  ];
  const texts = new Map<string, { text: string; pieces: Piece[] }>();
  parts.forEach(({ key, from }, number) => {
    const until = headings[number]?.from ?? tokens.length;
    const words = tokens.slice(from, until).filter(({ kind }) => kind !== 'break');
    const [first, last] = [words[0], words.at(-1)];
    const name = sectionFor(key, template);
    const known = texts.get(name) ?? { text: '', pieces: [] };
    texts.set(name, known);
    if (!first || !last) return;
    if (known.text !== '') known.text += '\n';
    known.pieces.push({ at: known.text.length, start: first.start, end: last.end });
    known.text += text.slice(first.start, last.end);
  });
  if (
    texts.get(sectionFor(opening, template))?.text === '' &&
    headings.every(({ out }) => elementAt(out, 0).section !== opening)
  )
    texts.delete(sectionFor(opening, template));
  return {
    sections: [...texts].map(([key, { text: words }]) => ({
      key,
      title: template.find((section) => section.key === key)?.title ?? rules.titles[key] ?? key,
      text: words,
    })),
    placeOf(section, place) {
      const piece = texts.get(section)?.pieces.findLast(({ at }) => at <= place);
      return piece && Math.min(piece.start + place - piece.at, piece.end);
    },
  };
}
