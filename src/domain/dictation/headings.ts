/** Finds section names in a dictation and cuts it into sections. */
import { languages } from '../../contract/shared.ts';
import type { Language } from '../../contract/shared.ts';
import { continuations, sectionKinds } from './section-kinds.ts';
import { escapeWord } from './spoken-marks.ts';
import { adjoin, indexPhrases, phraseAt, wordsOf } from './words.ts';
import type { PhraseIndex, Word } from './words.ts';
import { normalForm } from '../normal-form.ts';

/** What was said under one section name. */
export interface Dictated {
  readonly key: string;
  readonly text: string;
}

interface Heading {
  readonly key: string;
  readonly needsColon: boolean;
  readonly continuations: readonly ReadonlySet<string>[];
}

/** Section names: those of the document's own sections first, then every spoken one, in all languages. */
function headingIndex(own: readonly { readonly key: string; readonly title: string }[]): PhraseIndex<Heading> {
  const all = new Map<string, Heading>();
  const add = (phrase: string, key: string, spokenIn: readonly Language[]): void => {
    const name = normalForm(phrase.replace(/:$/, ''));
    const known = all.get(name);
    all.set(name, {
      key: known?.key ?? key,
      needsColon: (known?.needsColon ?? true) && phrase.endsWith(':'),
      continuations: [...(known?.continuations ?? []), ...spokenIn.map((language) => continuations[language])],
    });
  };
  for (const { key, title } of own) add(`${title.toLowerCase()}:`, key, languages);
  for (const kind of sectionKinds) {
    for (const language of languages) for (const phrase of kind.phrases[language]) add(phrase, kind.key, [language]);
  }
  return indexPhrases(all);
}

/** A sentence begins after this. */
const sentenceStart = /[.?!;…]["')\]”»*_]*\s|\n/;
/** What may stand between a section name and its text. */
const afterName = /^[*_]*\s*?(?:(:)|([-–—])(?=\s)|(\.)(?=\s|$)|(,)(?=\s)|(\n)|($))[*_]*\s*/;
/** What may stand before a section name in a text that is written with marks for headings. */
const beforeName = /[*_#•\s]*$/;

interface Cut {
  readonly key: string;
  /** Where the section name begins, and where the text under it does. */
  readonly start: number;
  readonly end: number;
}

interface Place {
  readonly text: string;
  readonly words: readonly Word[];
  readonly at: number;
  readonly count: number;
  readonly previous: Cut | undefined;
}

/** Whether the section name found at this place begins a section, and where the text under it begins. */
function cutAt({ text, words, at, count, previous }: Place, heading: Heading): Cut | undefined {
  const [first, last, before, next] = [words[at], words[at + count - 1], words[at - 1], words[at + count]];
  if (!first || !last) return undefined;
  const gap = text.slice(before?.end ?? 0, first.start);
  const mark = afterName.exec(text.slice(last.end, last.end + 64));
  const hasColon = mark !== null && (mark[1] ?? mark[2] ?? mark[5]) !== undefined;
  const isFirst = before === undefined;
  // "… sem derrame, impressão: normal": a comma is boundary enough where a colon follows.
  if (!isFirst && !sentenceStart.test(gap) && !(hasColon && /,\s+$/.test(gap))) return undefined;
  if (heading.needsColon && !hasColon) return undefined;
  const continues = next !== undefined && heading.continuations.some((words_) => words_.has(next.folded));
  const isAlone = mark !== null && (mark[3] ?? mark[6]) !== undefined;
  const start = first.start - (beforeName.exec(gap.slice(-64))?.[0].length ?? 0);
  if (hasColon || isAlone) return { key: heading.key, start, end: last.end + (mark?.[0].length ?? 0) };
  // "Findings are…", "Impressão de…" go on; and right under a section name, "Impressão. Achados …" is its text.
  if (continues || (previous && previous.end >= first.start)) return undefined;
  const space = mark ?? /^\s+/.exec(text.slice(last.end, last.end + 64));
  return space ? { key: heading.key, start, end: last.end + space[0].length } : undefined;
}

/**
 * What was said before the first section name, and under each one, in the order spoken. `own` are the document's own
 * sections, whose titles count as names where a colon follows. The word `literal` before a name makes it text.
 */
export function splitSections(
  text: string,
  own: readonly { readonly key: string; readonly title: string }[],
): { readonly opening: string; readonly dictated: readonly Dictated[] } {
  const words = wordsOf(text);
  const names = headingIndex(own);
  const cuts: (Cut | { readonly escape: Word; readonly end: number })[] = [];
  let previous: Cut | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const [word, next] = [words[at], words[at + 1]];
    if (word?.folded === escapeWord && next && adjoin(text, word, next) && phraseAt(text, words, at + 1, names)) {
      cuts.push({ escape: word, end: next.start });
      at += 1;
      continue;
    }
    const found = phraseAt(text, words, at, names);
    const cut = found && cutAt({ text, words, at, count: found.count, previous }, found.value);
    if (!found || !cut) continue;
    cuts.push(cut);
    previous = cut;
    at += found.count - 1;
  }
  return collect(text, cuts);
}

/** Puts the pieces between the cuts together; an escape word is left out of its piece. */
function collect(
  text: string,
  cuts: readonly (Cut | { readonly escape: Word; readonly end: number })[],
): { opening: string; dictated: Dictated[] } {
  let opening = '';
  const dictated: Dictated[] = [];
  let key: string | undefined;
  let piece = '';
  let from = 0;
  const close = (): void => {
    if (key === undefined) opening = piece;
    else dictated.push({ key, text: piece });
    piece = '';
  };
  for (const cut of cuts) {
    piece += text.slice(from, 'escape' in cut ? cut.escape.start : cut.start);
    from = cut.end;
    if ('escape' in cut) continue;
    close();
    key = cut.key;
  }
  piece += text.slice(from);
  close();
  return { opening, dictated };
}
