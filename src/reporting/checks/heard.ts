/** What a recogniser left out, or did not hear at all. */
import type { Section } from '../../contract/document.ts';
import type { Language } from '../../contract/shared.ts';
import { isDoubted } from '../../domain/heard.ts';
import type { Heard, Suppressed } from '../../domain/heard.ts';
import { languageOf, otherLanguageOf } from '../words/language.ts';
import { isLinear } from '../versions/provenance.ts';
import type { Provenance, Run } from '../versions/provenance.ts';
import type { Found } from './finding.ts';

/** Nobody listens to more places of one dictation. */
const mostPlaces = 50;

/** Texts that the recogniser gave and nobody seems to have said, at the place where each would stand in the document. */
export function checkSuppressed(
  { suppressed = [] }: Heard,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): Found[] {
  return suppressed.slice(0, mostPlaces).map((left): Found => {
    const place = placeOf(left, sections, provenance);
    return {
      kind: 'suppressed',
      ...(left.reason !== 'silence' && { variant: left.reason }),
      // A sign of the model takes no word away.
      severity: left.reason === 'noise' ? 'info' : 'question',
      ...place,
      transcript: { start: left.at, end: left.at },
      words: { said: left.text, exam: left.from === undefined ? '' : ` (${clockOf(left.from)})` },
    };
  });
}

/** `1:05` of 65 seconds. */
const clockOf = (seconds: number): string => {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
};

/** Behind the last words before it that stand in the document; else where the document begins. */
function placeOf(
  { at }: Pick<Suppressed, 'at'>,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): Pick<Found, 'section' | 'start' | 'end'> {
  let last: Run | undefined;
  for (const run of provenance?.words ?? []) {
    if (run.heard && run.heard.start < at && run.heard.start > (last?.heard?.start ?? -1)) last = run;
  }
  const section = sections.find(({ key }) => key === last?.section);
  if (!last || !section) return { section: sections[0]?.key ?? '', start: 0, end: 0 };
  const isInside = isLinear(last) && at < last.heard!.end;
  const end = Math.min(isInside ? last.start + at - last.heard!.start : last.end, section.text.length);
  return { section: section.key, start: end, end };
}

/** Sound in which nobody spoke or of which little was understood, and words that are no words of the document's language. */
export function checkHeard(
  heard: Heard,
  sections: readonly Section[],
  provenance: Provenance | undefined,
  language: Language,
): Found[] {
  const [first] = sections;
  if (!first) return [];
  const isEmpty = heard.text.trim() === '' && !isWritten(sections, provenance);
  const kind = differsInLanguage(heard, language) ?? littleUnderstood(heard) ?? (isEmpty && nothingHeard);
  return kind ? [{ ...kind, severity: 'warning', section: first.key, start: 0, end: 0 }] : [];
}

/** Whether somebody wrote words of the document; what the template and the exam give alone is no report. */
const isWritten = (sections: readonly Section[], provenance: Provenance | undefined): boolean =>
  provenance
    ? provenance.words.some(({ origin }) => origin !== 'template' && origin !== 'exam')
    : sections.some(({ text }) => text.trim() !== '');

type Kind = Pick<Found, 'kind' | 'variant' | 'words'>;

/** As long as nobody wrote the document instead. */
const nothingHeard: Kind = { kind: 'nothing_heard' };

/** Seconds of voice from which on there are words, and words that a slow speaker says in a second of it. */
const speech = { seconds: 4, words: 1 / 3 };
/** Words that a recogniser told how sure of, from which on most of them say something about the whole. */
const enoughWords = 6;

function littleUnderstood({ text, words = [], sound }: Heard): Kind | undefined {
  const count = text.split(/\s+/).filter((word) => word !== '').length;
  const { voiced = 0 } = sound ?? {};
  if (voiced >= speech.seconds && count < voiced * speech.words) {
    return { kind: 'little_understood', words: { said: clockOf(voiced), other: String(count) } };
  }
  const known = words.filter(({ confidence }) => confidence !== undefined);
  const isMostlyDoubted = known.length >= enoughWords && known.filter(isDoubted).length > known.length / 2;
  return isMostlyDoubted ? { kind: 'little_understood', variant: 'unsure' } : undefined;
}

/** By the words themselves; what the recogniser says of the language counts only where the words do not contradict. */
function differsInLanguage({ text, sound }: Heard, language: Language): Kind | undefined {
  if (sound?.voiced === undefined) return undefined;
  const told = sound.language !== language.slice(0, 2) && languageOf(text) !== language ? sound.language : undefined;
  const other = otherLanguageOf(text, language)?.slice(0, 2) ?? told;
  if (other === undefined) return undefined;
  const nameOf = (code: string): string => new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code;
  return { kind: 'language_differs', words: { said: nameOf(other), written: nameOf(language.slice(0, 2)) } };
}

/** Speech of which the recogniser gave no words, each behind the last word that was said before. */
export function checkUnheard(heard: Heard, sections: readonly Section[], provenance: Provenance | undefined): Found[] {
  if (sections.length === 0 || heard.text.trim() === '') return [];
  return (heard.sound?.unheard ?? []).slice(0, mostPlaces).map(({ from, to }): Found => ({
    kind: 'little_understood',
    variant: 'unheard',
    severity: 'warning',
    ...placeInTime(from, heard, sections, provenance),
    words: { said: clockOf(from), other: clockOf(Math.ceil(to)) },
  }));
}

/** Sound that was not recorded, each behind the last word that was said before. */
export function checkGaps(heard: Heard, sections: readonly Section[], provenance: Provenance | undefined): Found[] {
  if (sections.length === 0) return [];
  return (heard.sound?.gaps ?? []).slice(0, mostPlaces).map(({ at, seconds }): Found => ({
    kind: 'sound_cut',
    variant: 'gap',
    severity: 'warning',
    ...placeInTime(at, heard, sections, provenance),
    words: { said: clockOf(at), other: String(Math.max(1, Math.round(seconds))) },
  }));
}

/** Behind the last word that began before this second; where words have no times, where the document begins. */
function placeInTime(
  second: number,
  { words = [] }: Heard,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): Pick<Found, 'section' | 'start' | 'end' | 'transcript'> {
  const at = words.findLast((word) => word.from !== undefined && word.from < second)?.end ?? 0;
  return { ...placeOf({ at }, sections, provenance), transcript: { start: at, end: at } };
}

/** Sound that ends too early, behind the last words that it has. */
export function checkEnd(
  { text, sound }: Heard,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): Found[] {
  if (!sound?.ends || sections.length === 0) return [];
  return [
    {
      kind: 'sound_cut',
      ...(sound.ends === 'cut' ? { severity: 'warning', variant: 'file' } : { severity: 'question' }),
      ...placeOf({ at: text.length }, sections, provenance),
      transcript: { start: text.length, end: text.length },
    },
  ];
}
