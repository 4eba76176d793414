/** Speech that the recogniser left out or did not hear. */
import type { Section } from '../../contract/document.ts';
import type { Language } from '../../contract/shared.ts';
import { isDoubted } from '../../domain/heard-text.ts';
import type { HeardSound, HeardText } from '../../domain/heard-text.ts';
import { detectLanguage, detectOtherLanguage } from '../words/language.ts';
import type { Provenance } from '../versions/provenance.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { placeAfter, placeOfHeard } from './heard-place.ts';
import { maxPlaces } from './finding.ts';
import type { FoundFinding } from './finding.ts';

/** Texts of the recogniser that nobody seems to have said, at the place that each would have in the report. */
export function checkSuppressed(
  { suppressed = [] }: HeardText,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): FoundFinding[] {
  return suppressed.slice(0, maxPlaces).map((left): FoundFinding => {
    const place = placeAfter(left.at, sections, provenance);
    return {
      kind: 'suppressed',
      ...(left.reason !== 'silence' && { variant: left.reason }),
      // A token of the model replaces no word.
      severity: left.reason === 'noise' ? 'info' : 'question',
      ...place,
      transcript: { start: left.at, end: left.at },
      words: { said: left.text, exam: left.from === undefined ? '' : ` (${formatClock(left.from)})` },
    };
  });
}

/** `1:05` of 65 seconds. */
const formatClock = (seconds: number): string => {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
};

/** Sound without speech, or of which little was understood, and words of another language than the report's. */
export function checkHeard(
  heard: HeardText,
  sections: readonly Section[],
  provenance: Provenance | undefined,
  language: Language,
): FoundFinding[] {
  const [first] = sections;
  if (!first) return [];
  const isEmpty = heard.text.trim() === '' && !isWritten(sections, provenance);
  const kind = differsInLanguage(heard, language) ?? littleUnderstood(heard) ?? (isEmpty && nothingHeard);
  return kind ? [{ ...kind, severity: 'warning', section: first.key, start: 0, end: 0 }] : [];
}

/** Whether people wrote words of the report; text of the template and of the exam alone is no report. */
const isWritten = (sections: readonly Section[], provenance: Provenance | undefined): boolean =>
  provenance
    ? provenance.words.some(({ origin }) => origin !== 'template' && origin !== 'exam')
    : sections.some(({ text }) => text.trim() !== '');

type Kind = Pick<FoundFinding, 'kind' | 'variant' | 'words'>;

/** Unless somebody typed the report instead. */
const nothingHeard: Kind = { kind: 'nothing_heard' };

/** Seconds of voice that cannot be without words; the rate is that of a slow speaker, in words a second. */
const speech = { seconds: 4, words: 1 / 3 };
/** The number of words with a confidence from which on most of them say something about the whole. */
const enoughWords = 6;

function littleUnderstood({ text, words = [], sound }: HeardText): Kind | undefined {
  const count = text.split(/\s+/).filter((word) => word !== '').length;
  const { voiced = 0 } = sound ?? {};
  if (voiced >= speech.seconds && count < voiced * speech.words) {
    return { kind: 'little_understood', words: { said: formatClock(voiced), other: String(count) } };
  }
  const known = words.filter(({ confidence }) => confidence !== undefined);
  const isMostlyDoubted = known.length >= enoughWords && known.filter(isDoubted).length > known.length / 2;
  return isMostlyDoubted ? { kind: 'little_understood', variant: 'unsure' } : undefined;
}

/**
 * Judges by the words, and by what a recogniser detects that may choose; the language that it names where it is held to
 * one counts only if the words do not contradict it.
 */
function differsInLanguage({ text, sound }: HeardText, language: Language): Kind | undefined {
  if (sound?.voiced === undefined) return undefined;
  const named =
    sound.language !== language.slice(0, 2) && detectLanguage(text) !== language ? sound.language : undefined;
  const other = detectOtherLanguage(text, language)?.slice(0, 2) ?? findMainLanguage(sound) ?? named;
  if (other === undefined) return undefined;
  const words = { said: nameLanguage(other, language), written: nameLanguage(language.slice(0, 2), language) };
  return { kind: 'language_differs', words };
}

const nameLanguage = (code: string, language: Language): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code;

const mainShare = 0.75;

/** The other language, if nearly all that is spoken is in it. */
function findMainLanguage({ foreign = [], voiced = 0 }: HeardSound): string | undefined {
  const seconds = foreign.reduce((sum, { from, to }) => sum + to - from, 0);
  return seconds > mainShare * voiced ? foreign[0]?.language : undefined;
}

/** Parts of the sound in another language, each after the last word before it, unless it is that of the whole. */
export function checkForeignParts(
  heard: HeardText,
  sections: readonly Section[],
  provenance: Provenance | undefined,
  language: Language,
): FoundFinding[] {
  const { foreign = [] } = heard.sound ?? {};
  if (sections.length === 0 || foreign.length === 0 || differsInLanguage(heard, language)) return [];
  return foreign.slice(0, maxPlaces).map(({ from, to, language: other }): FoundFinding => ({
    kind: 'language_differs',
    variant: 'part',
    severity: 'warning',
    ...placeInTime(from, heard, sections, provenance),
    words: { said: formatClock(from), other: formatClock(Math.ceil(to)), written: nameLanguage(other, language) },
  }));
}

/** Speech without words from the recogniser, each place after the last word before it. */
export function checkUnheard(
  heard: HeardText,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): FoundFinding[] {
  if (sections.length === 0 || heard.text.trim() === '') return [];
  return (heard.sound?.unheard ?? []).slice(0, maxPlaces).map(({ from, to }): FoundFinding => ({
    kind: 'little_understood',
    variant: 'unheard',
    severity: 'warning',
    ...placeInTime(from, heard, sections, provenance),
    words: { said: formatClock(from), other: formatClock(Math.ceil(to)) },
  }));
}

/** Facts that were heard only once, each place after the last word before it. */
export function checkHeardOnce(
  heard: HeardText,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): FoundFinding[] {
  if (sections.length === 0) return [];
  return (heard.sound?.once ?? []).slice(0, maxPlaces).map(({ from, to }): FoundFinding => ({
    kind: 'heard_differently',
    variant: 'once',
    severity: 'question',
    ...placeInTime(from, heard, sections, provenance),
    words: { said: formatClock(from), other: formatClock(Math.ceil(to)) },
  }));
}

/** Words that are still heard again. */
export function checkUnchecked(
  heard: HeardText,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): FoundFinding[] {
  if (sections.length === 0) return [];
  return (heard.sound?.unchecked ?? []).slice(0, maxPlaces).map(({ from, to }): FoundFinding => {
    const words = (heard.words ?? []).filter((word) => word.from !== undefined && word.from >= from && word.from < to);
    const [first, last] = [words[0], words.at(-1)];
    const transcript = first && last && { start: first.start, end: last.end };
    const place = transcript && placeOfHeard(transcript, provenance);
    return {
      kind: 'unchecked',
      severity: 'warning',
      ...placeInTime(to, heard, sections, provenance),
      ...(place && { section: place.section, start: place.start, end: place.end, transcript }),
      words: { said: formatClock(from), other: formatClock(Math.ceil(to)) },
    };
  });
}

/** Sound that was not recorded, each place after the last word before it. */
export function checkGaps(
  heard: HeardText,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): FoundFinding[] {
  if (sections.length === 0) return [];
  return (heard.sound?.gaps ?? []).slice(0, maxPlaces).map(({ at, seconds }): FoundFinding => ({
    kind: 'sound_cut',
    variant: 'gap',
    severity: 'warning',
    ...placeInTime(at, heard, sections, provenance),
    words: { said: formatClock(at), other: String(Math.max(1, Math.round(seconds))) },
  }));
}

/** After the last word that began before this second; the beginning of the report if words have no times. */
function placeInTime(
  second: number,
  { words = [] }: HeardText,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): Pick<FoundFinding, 'section' | 'start' | 'end' | 'transcript'> {
  const at = words.findLast((word) => word.from !== undefined && word.from < second)?.end ?? 0;
  return { ...placeAfter(at, sections, provenance), transcript: { start: at, end: at } };
}

/** Sound that ends too early, after its last words. */
export function checkEnd(
  { text, sound }: HeardText,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): FoundFinding[] {
  if (!sound?.ends || sections.length === 0) return [];
  return [
    {
      kind: 'sound_cut',
      ...(sound.ends === 'cut' ? { severity: 'warning', variant: 'file' } : { severity: 'question' }),
      ...placeAfter(text.length, sections, provenance),
      transcript: { start: text.length, end: text.length },
    },
  ];
}

/** Other facts that the recogniser heard in the same sound, at the words of the report. */
export function checkOtherReadings(
  { otherReadings = [] }: HeardText,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): FoundFinding[] {
  return otherReadings.slice(0, maxPlaces).flatMap(({ text: other, start, end }): FoundFinding[] => {
    const place = placeOfHeard({ start, end }, provenance);
    const section = sections.find(({ key }) => key === place?.section);
    if (!place || !section) return [];
    const written = section.text.slice(place.start, place.end);
    return [
      {
        kind: 'heard_differently',
        severity: 'question',
        section: place.section,
        start: place.start,
        end: place.end,
        transcript: { start, end },
        words: { written, other },
        ...(place.isExact && { readings: [written, other] }),
      },
    ];
  });
}

/** Words of no language, if the report still has them. Those that stand for one term were corrected. */
export function checkUnknownWords(
  { unknown = [], text: heard }: HeardText,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): FoundFinding[] {
  return unknown.slice(0, maxPlaces).flatMap(({ start, end, term, near = [] }): FoundFinding[] => {
    const place = term === undefined ? placeOfHeard({ start, end }, provenance) : undefined;
    const text = sections.find(({ key }) => key === place?.section)?.text;
    const written = place && text?.slice(place.start, place.end);
    if (!place || written?.toLowerCase() !== normalForm(heard).slice(start, end).toLowerCase()) return [];
    return [
      {
        kind: 'unknown_word',
        severity: 'question',
        section: place.section,
        start: place.start,
        end: place.end,
        transcript: { start, end },
        words: { written },
        ...(near.length > 0 && { readings: [written, ...near] }),
      },
    ];
  });
}

/** Kinds of doubt about what was said, the most telling first. */
const doubtKinds: readonly FoundFinding['kind'][] = ['heard_differently', 'unknown_word', 'unclear', 'low_confidence'];

/** A doubt that offers words is more telling than one of its kind that does not. */
const rankDoubt = ({ kind, readings }: FoundFinding): number => doubtKinds.indexOf(kind) * 2 + (readings ? 0 : 1);

/** Keeps one doubt for each place: the most telling one. */
export function mergeDoubts(found: readonly FoundFinding[]): FoundFinding[] {
  const doubts = found.filter(({ kind }) => doubtKinds.includes(kind));
  return found.filter((finding) => {
    if (!doubtKinds.includes(finding.kind)) return true;
    return !doubts.some(
      (other) =>
        rankDoubt(other) < rankDoubt(finding) &&
        other.section === finding.section &&
        other.start < finding.end &&
        finding.start < other.end,
    );
  });
}
