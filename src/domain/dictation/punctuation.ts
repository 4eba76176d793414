/** Writes spoken punctuation as marks, and leaves alone what is a word or was punctuated already. */
import type { Language } from '../../contract/shared.ts';
import { writeNumbers } from './numbers.ts';
import { sectionKinds } from './section-kinds.ts';
import { escapeWord, spokenMarks, wordUses } from './spoken-marks.ts';
import type { SpokenMark, WordUse } from './spoken-marks.ts';
import { adjoin, applyEdits, indexPhrases, phraseAt, wordList, wordsOf } from './words.ts';
import type { Edit, PhraseIndex, Word } from './words.ts';

interface Spoken {
  readonly mark: SpokenMark;
  readonly use: { readonly [K in 'after' | 'before' | 'onlyAfter']: ReadonlySet<string> } | undefined;
  readonly isNoun: boolean;
}

/** A place where spoken punctuation stands: words `from` up to, not including, `to`. */
interface Occurrence {
  readonly spoken: Spoken;
  readonly from: number;
  readonly to: number;
}

const setOf = (words: string | undefined): ReadonlySet<string> => new Set(wordList(words ?? ''));

function ruleOf(mark: SpokenMark, use: WordUse | undefined): Spoken {
  return {
    mark,
    use: use && { after: setOf(use.after), before: setOf(use.before), onlyAfter: setOf(use.onlyAfter) },
    isNoun: use?.isNoun === true,
  };
}

function marksOf(language: Language): PhraseIndex<Spoken> {
  const uses = wordUses[language];
  return indexPhrases(
    spokenMarks.flatMap((mark) =>
      mark.phrases[language].map((phrase) => [phrase, ruleOf(mark, uses[phrase])] as const),
    ),
  );
}

/** Last words of section names: after one of them a "colon" is no organ. */
const lastWordsOfSectionNames = (language: Language): ReadonlySet<string> =>
  new Set(
    sectionKinds.flatMap((kind) =>
      kind.phrases[language].flatMap((phrase) => wordsOf(phrase.replace(/:$/, '')).at(-1)?.folded ?? []),
    ),
  );

const markBefore = /[.,;:?!]\s*$/;
const markAfter = /^[.,;:?!](?=\s|$)/;

/** Whether the phrase is a word here: part of a clinical phrase, of a compound, or a noun with its own mark after it. */
function isWord(text: string, words: readonly Word[], at: Occurrence, sectionNames: ReadonlySet<string>): boolean {
  const { use, isNoun } = at.spoken;
  const [first, last, before, after] = [words[at.from], words[at.to - 1], words[at.from - 1], words[at.to]];
  if (!first || !last) return true;
  const [left, right] = [text.slice(before?.end ?? 0, first.start), text.slice(last.end, after?.start)];
  // "comma-shaped", "(period"
  if (/[^\s.,;:?!]$/.test(left) || /^[^\s.,;:?!)]/.test(right)) return true;
  // ", ponto." as some engines write it: set apart on both sides, it is no word. But "cólon, coma, convulsión" is a list.
  const isSetApart = markBefore.test(left) && (after === undefined || markAfter.test(right));
  if (isSetApart && (!isNoun || at.spoken.mark.out === '.')) return false;
  if (use === undefined) return false;
  const follows = before && /^\s+$/.test(left) ? before.folded : '.';
  if (use.onlyAfter.size > 0 && !sectionNames.has(follows) && !use.onlyAfter.has(follows)) return true;
  if (use.after.has(follows)) return true;
  if (after && /^\s+$/.test(right) && use.before.has(after.folded)) return true;
  return isNoun && use.onlyAfter.size === 0 && markAfter.test(right);
}

const writtenMark = /[.,;:?!](?=\s|$)/g;

/** Whether a text has so many marks of its own that a lone "ponto" or "period" in it will be a word. */
const punctuatesItself = (text: string, spoken: number): boolean =>
  (text.match(writtenMark)?.length ?? 0) > 2 * spoken + 2;

/** As far as marks and spaces beside a spoken one are looked at: enough for any dictation, and quick for any text. */
const reach = 64;

/** What is replaced for one mark: the white space it clings to, and written marks beside it, so that none is doubled. */
function editFor(text: string, words: readonly Word[], at: Occurrence, free: number): Edit {
  const { out, cling } = at.spoken.mark;
  const isStop = /^[.,;:?!]/.test(out);
  let start = words[at.from]?.start ?? 0;
  let end = words[at.to - 1]?.end ?? start;
  if (cling !== 'right') {
    const left = text.slice(Math.max(free, start - reach), start);
    start -= (isStop ? /[\s.,;:?!]*$/ : /\s*$/).exec(left)?.[0].length ?? 0;
  }
  const right = text.slice(end, end + reach);
  if (isStop || out.startsWith('\n')) end += /^[.,;:?!]+(?=\s|$)/.exec(right)?.[0].length ?? 0;
  if (cling !== 'left') end += /^\s*/.exec(text.slice(end, end + reach))?.[0].length ?? 0;
  return { start, end, out };
}

/**
 * The text with its spoken punctuation written, decimals and percentages in digits. `language` is the one that was
 * spoken. The word `literal` before a phrase keeps the phrase as words.
 */
export function punctuate(text: string, language: Language): string {
  const marks = marksOf(language);
  const sectionNames = lastWordsOfSectionNames(language);
  const numbered = writeNumbers(text, language);
  const words = wordsOf(numbered);
  const found: Occurrence[] = [];
  const escapes: { from: number; to: number }[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [word, next] = [words[at], words[at + 1]];
    const escaped =
      word?.folded === escapeWord && next && adjoin(numbered, word, next)
        ? phraseAt(numbered, words, at + 1, marks)
        : undefined;
    const phrase = escaped ? undefined : phraseAt(numbered, words, at, marks);
    if (escaped) {
      escapes.push({ from: at, to: at + 1 + escaped.count });
      at += escaped.count;
    } else if (phrase) {
      found.push({ spoken: phrase.value, from: at, to: at + phrase.count });
      at += phrase.count - 1;
    }
  }
  const spoken = found.filter((at) => !isWord(numbered, words, at, sectionNames));
  const isWritten = punctuatesItself(numbered, spoken.length);
  return applyEdits(numbered, editsFor(numbered, words, { spoken, escapes, isWritten }));
}

function editsFor(
  text: string,
  words: readonly Word[],
  found: { spoken: readonly Occurrence[]; escapes: readonly { from: number; to: number }[]; isWritten: boolean },
): Edit[] {
  const places = [
    ...found.escapes.map(({ from }) => ({ from, occurrence: undefined })),
    ...found.spoken
      .filter((at) => !found.isWritten || at.spoken.use === undefined || endsClause(text, words, at))
      .map((occurrence) => ({ from: occurrence.from, occurrence })),
  ].toSorted((a, b) => a.from - b.from);
  const edits: Edit[] = [];
  for (const { from, occurrence } of places) {
    const free = edits.at(-1)?.end ?? 0;
    if (occurrence) edits.push(editFor(text, words, occurrence, free));
    else edits.push({ start: words[from]?.start ?? 0, end: words[from + 1]?.start ?? 0, out: '' });
  }
  return edits;
}

const endsClause = (text: string, words: readonly Word[], at: Occurrence): boolean =>
  words[at.to] === undefined || markAfter.test(text.slice(words[at.to - 1]?.end ?? 0, words[at.to]?.start));
