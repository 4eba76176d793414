/** Changes the sections of a document as an instruction says. */
import type { Section } from '../../contract/document.ts';
import type { SectionChange } from '../../contract/record.ts';
import type { Language } from '../../contract/shared.ts';
import { commandsIn } from './instruction.ts';
import type { Command } from './instruction.ts';
import { sectionKind } from './section-kinds.ts';
import { closed, sentencesOf, tidy, withCapital } from './sentences.ts';
import { applyEdits, fold } from './words.ts';
import { normalForm } from '../normal-form.ts';

type Change = (text: string) => string;

/** Places of `what` in `text`: whole words, whatever their case and accents, and any white space between them. */
function placesOf(text: string, what: string): { start: number; end: number }[] {
  const pattern = fold(normalForm(what))
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\s+/g, '\\s+');
  // A decimal is one word: "5" is not found in "3,5".
  const whole = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}]|\\p{N}[.,])${pattern}(?![\\p{L}\\p{M}\\p{N}]|[.,]\\p{N})`, 'gu');
  return [...fold(text).matchAll(whole)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

const isCapital = (letter: string): boolean => letter !== letter.toLowerCase();

/** `by` with the first letter as large as that of what it replaces; what was said in capitals stays so. */
function withCaseOf(replaced: string, by: string): string {
  return isCapital(replaced.charAt(0)) ? withCapital(by) : by;
}

const replacing =
  (what: string, by: string): Change =>
  (text) =>
    applyEdits(
      text,
      placesOf(text, what).map(({ start, end }) => ({ start, end, out: withCaseOf(text.slice(start, end), by) })),
    );

/** The two sides of something taken out, with neither spaces nor punctuation left over between them. */
function fit(left: string, right: string): [string, string] {
  const before = left.trimEnd();
  const gap = left.slice(before.length).includes('\n') ? '\n' : ' ';
  if (before === '' || gap === '\n' || /[.?!]$/.test(before)) {
    const rest = right.replace(/^[\s.,;:]+/, '');
    return [before, (before === '' || rest === '' ? '' : gap) + withCapital(rest)];
  }
  if (right.trim() === '' || /^\s*[.,;:?!]/.test(right)) {
    return [before.replace(/(?<![,;:])[,;:]+$/, ''), right.trimStart()];
  }
  return [before, /^\s*\n/.test(right) ? right : ` ${right.trimStart()}`];
}

const deleting =
  (what: string): Change =>
  (text) => {
    const places = placesOf(text, what);
    const kept: string[] = [];
    places.forEach((place, i) => {
      const right = text.slice(place.end, places[i + 1]?.start);
      const fitted = fit(i === 0 ? text.slice(0, place.start) : (kept.pop() ?? ''), right);
      kept.push(...fitted.filter((piece) => piece !== ''));
    });
    return places.length === 0 ? text : kept.join('');
  };

const adding =
  (what: string): Change =>
  (text) =>
    text === '' ? closed(tidy(what)) : `${closed(text)}${text.includes('\n') ? '\n' : ' '}${closed(tidy(what))}`;

const takingBack: Change = (text) => {
  const last = sentencesOf(text).at(-1) ?? '';
  return text.slice(0, text.lastIndexOf(last)).trimEnd();
};

const changed = (sections: readonly Section[], change: Change, in_: string | undefined): Section[] =>
  sections.map((section) => {
    if (in_ !== undefined && section.key !== in_) return section;
    const normal = normalForm(section.text);
    const text = change(normal);
    return text === normal ? section : { ...section, text };
  });

/** Adds to a section, which is made at the end if the document has none of that kind. */
function added(sections: readonly Section[], key: string, what: string, language: Language): Section[] {
  if (sections.some((section) => section.key === key)) return changed(sections, adding(what), key);
  return [...sections, { key, title: sectionKind(key)?.titles[language] ?? key, text: adding(what)('') }];
}

function carryOut(command: Command, sections: readonly Section[], language: Language): Section[] {
  switch (command.kind) {
    case 'replace': {
      // Of the ways to read it, the one with most words that are in the document.
      const isThere = (what: string): boolean =>
        sections.some(
          (section) => (command.section ?? section.key) === section.key && placesOf(section.text, what).length > 0,
        );
      const way = command.ways.findLast(({ what }) => isThere(what));
      return way ? changed(sections, replacing(way.what, way.by), command.section) : [...sections];
    }
    case 'delete':
      return changed(sections, deleting(command.what), command.section);
    case 'clear':
      return changed(sections, () => '', command.section);
    case 'add':
      return added(sections, command.section, command.what, language);
    case 'take_back': {
      const last = sections.findLast((section) => section.text.trim() !== '');
      return last ? changed(sections, takingBack, last.key) : [...sections];
    }
  }
}

/**
 * The sections after the instruction, and which of them changed. A replacement or deletion reaches every place in the
 * section named, or in the document where none is. `changes` is empty, and the sections are those given, where the
 * instruction was not understood or nothing of the kind is there.
 */
export function correctSections(
  instruction: string,
  sections: readonly Section[],
  language: Language,
): { sections: Section[]; changes: SectionChange[] } {
  const commands = commandsIn(instruction, sections, language);
  const after = commands.reduce<Section[]>((given, command) => carryOut(command, given, language), [...sections]);
  const changes = after.flatMap((section, at): SectionChange[] => {
    const before = sections[at]?.text ?? null;
    return before === section.text ? [] : [{ section: section.key, before, after: section.text }];
  });
  return changes.length > 0 ? { sections: after, changes } : { sections: [...sections], changes };
}
