/** A dictation as text: from a recogniser, or from a caller who sent the words. */

/** A word about which a recogniser knows more than its letters. */
export interface HeardWord {
  /** The word's place in the text, up to `end` (not included), in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** When the word was spoken, in seconds from the beginning of the sound. */
  readonly from?: number;
  readonly to?: number;
  /** How sure the recogniser is, from 0 to 1. */
  readonly confidence?: number;
}

/** A confidence below this is a doubt. */
const minConfidence = 0.5;

export const isDoubted = ({ confidence }: Pick<HeardWord, 'confidence'>): boolean =>
  confidence !== undefined && confidence < minConfidence;

/** Text of a recogniser that nobody seems to have said: kept with the words, and never in a document. */
export interface SuppressedText {
  readonly text: string;
  /** The place that it would have in the text, in UTF-16 units. */
  readonly at: number;
  /** The time at which it would have been spoken, in seconds from the beginning of the sound. */
  readonly from?: number;
  readonly to?: number;
  /**
   * `silence`: nobody speaks there; `echo`: it repeats the words that the recogniser was given to expect; `noise`: a
   * token of the model, or the name of a sound; `inaudible`: the recogniser understood no word; `loop`: it repeats the
   * words before it more often than people do.
   */
  readonly reason: (typeof suppressions)[number];
}

export const suppressions = ['silence', 'echo', 'noise', 'inaudible', 'loop'] as const;

/** A part of the sound, in seconds. */
export interface SoundSpan {
  readonly from: number;
  readonly to: number;
}

/** Sound in another language than the report's. */
export interface ForeignSpeech extends SoundSpan {
  /** ISO 639-1. */
  readonly language: string;
}

/** Facts about the sound that a recogniser gives in addition to the words. */
export interface HeardSound {
  /** Seconds in which somebody speaks, or something is as loud as a voice. Absent: unknown, as of a streaming model. */
  readonly voiced?: number;
  /** `cut`: the file was once longer; `in_word`: somebody still speaks. Absent: the sound ends as dictations do. */
  readonly ends?: 'cut' | 'in_word';
  /** Where somebody seems to speak and the recogniser gave no words. Absent: nowhere, or it gives no times. */
  readonly unheard?: readonly SoundSpan[];
  /** Where facts were heard only once, since the recogniser failed when it heard again. Absent: nowhere. */
  readonly once?: readonly SoundSpan[];
  /** Where the words are still heard again. Absent: nowhere. */
  readonly unchecked?: readonly SoundSpan[];
  /** Sound in another language, as the recogniser detects it if it may choose. Absent: none, or it cannot detect it. */
  readonly foreign?: readonly ForeignSpeech[];
  /** Where sound is missing, though somebody may have spoken. Absent: nowhere. */
  readonly gaps?: readonly { readonly at: number; readonly seconds: number }[];
  /** The language that the recogniser detected (ISO 639-1). Absent: it does not say. */
  readonly language?: string;
}

/** A part of the text in which the recogniser heard other facts when it listened again. */
export interface OtherReading {
  readonly start: number;
  readonly end: number;
  /** The other words, as a report has them. */
  readonly text: string;
  /** How doubtful the part is, from 0 to 1. */
  readonly doubt: number;
}

/**
 * Words of the text that are neither of its language nor of medicine, that only sound like a medical term, or a side of
 * nothing.
 */
export interface UnknownWords {
  readonly start: number;
  readonly end: number;
  /** The one term that they stand for. */
  readonly term?: string;
  /** Words that are near, if there is no such term. */
  readonly near?: readonly string[];
}

export interface HeardText {
  readonly text: string;
  /** The words in the order of the text. Some may be missing, or all. */
  readonly words?: readonly HeardWord[];
  /** In the order of the text. */
  readonly suppressed?: readonly SuppressedText[];
  /** In the order of the text. Absent: none, or nothing was heard twice. */
  readonly otherReadings?: readonly OtherReading[];
  /** In the order of the text. Absent: none, or nobody looked. */
  readonly unknown?: readonly UnknownWords[];
  /** Absent: unknown, as where words were typed. */
  readonly sound?: HeardSound;
}

/** Results of a recogniser for sound that is still arriving. */
export type LiveHeard =
  /**
   * The words being spoken. They may change: each partial replaces the one before, and a final replaces the last one.
   */
  | { readonly kind: 'partial'; readonly text: string }
  /**
   * The words since the previous final, or none (`text` empty). A final never changes. All sound before `until` has
   * been recognised and is never needed again. Times are in seconds from the beginning of the sound of the call.
   */
  | {
      readonly kind: 'final';
      readonly heard: HeardText;
      readonly until: number;
      /** Whether a check of it follows. */
      readonly isUnchecked?: boolean;
    }
  /** All sound has been heard, and only checks follow. `sound`: what is known about it so far. */
  | { readonly kind: 'complete'; readonly sound: HeardSound }
  /**
   * The finals since the previous check, heard again: their text is the same, and some of it has other readings.
   * `sound`: what is known about all checked sound of the call.
   */
  | { readonly kind: 'checked'; readonly finals: readonly HeardText[]; readonly sound: HeardSound };

/** Words of one stretch of sound. */
export interface HeardStretch {
  readonly heard: HeardText;
  /** Seconds; the times of the words count from the same moment. */
  readonly from: number;
  readonly to: number;
}

/** Joins the stretches, each moved by its seconds. */
export function joinHeard(parts: readonly { readonly heard: HeardText; readonly by: number }[]): HeardText {
  let text = '';
  const words: HeardWord[] = [];
  const suppressed: SuppressedText[] = [];
  const otherReadings: OtherReading[] = [];
  for (const { heard, by } of parts) {
    const said = heard.text.trim();
    const gap = text !== '' && said !== '' ? ' ' : '';
    const moved = text.length + gap.length - heard.text.indexOf(said);
    for (const word of heard.words ?? [])
      words.push(timed({ ...word, start: word.start + moved, end: word.end + moved }, by));
    for (const each of heard.suppressed ?? [])
      suppressed.push(timed({ ...each, at: Math.max(0, each.at + moved) }, by));
    for (const each of heard.otherReadings ?? [])
      otherReadings.push({ ...each, start: each.start + moved, end: each.end + moved });
    text += gap + said;
  }
  return {
    text,
    ...(words.length > 0 && { words }),
    ...(suppressed.length > 0 && { suppressed }),
    ...(otherReadings.length > 0 && { otherReadings }),
  };
}

function timed<T extends { readonly from?: number; readonly to?: number }>(each: T, by: number): T {
  const { from, to } = each;
  return {
    ...each,
    ...(from !== undefined && { from: moment(from + by) }),
    ...(to !== undefined && { to: moment(to + by) }),
  };
}

/** Whole milliseconds: recognisers are no more precise. */
const moment = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/**
 * The part of a stretch between two moments: a word belongs to the part that holds its middle. `undefined` if the part
 * is not the whole and the words have no times.
 */
export function cutHeard({ heard, from, to }: HeardStretch, start: number, end: number): HeardText | undefined {
  const isElsewhere = from >= end || (to <= start && from < start);
  if (heard.text === '' || isElsewhere) return { text: '' };
  if (from >= start && to <= end) return heard;
  const { text, words = [], suppressed = [], otherReadings = [] } = heard;
  if (words.length === 0 || words.some((word) => word.from === undefined)) return undefined;
  const isWithin = ({ from: spoken, to: until = spoken }: Pick<HeardWord, 'from' | 'to'>): boolean => {
    if (spoken === undefined || until === undefined) return false;
    const middle = (spoken + until) / 2;
    return middle >= start && middle < end;
  };
  // Another reading is one of all its words.
  const readings = otherReadings.filter((reading) =>
    words.every((word) => word.end <= reading.start || word.start >= reading.end || isWithin(word)),
  );
  const parts = words.flatMap((word, at) => {
    if (!isWithin(word)) return [];
    // The marks after a word go with the word.
    const first = at === 0 ? 0 : word.start;
    const last = words[at + 1]?.start ?? text.length;
    const move = <T extends Pick<HeardWord, 'start' | 'end'>>(each: T): T => ({
      ...each,
      start: each.start - first,
      end: each.end - first,
    });
    const own = readings.filter(({ start: place }) => place >= first && place < last).map(move);
    return [{ heard: { text: text.slice(first, last), words: [move(word)], otherReadings: own }, by: 0 }];
  });
  const kept = suppressed.filter(isWithin).map((each) => ({ ...each, at: 0 }));
  return joinHeard([...parts, { heard: { text: '', suppressed: kept }, by: 0 }]);
}

/** Joins the facts about parts of a sound, each moved by its seconds. */
export function joinSounds(parts: readonly { readonly sound: HeardSound; readonly by: number }[]): HeardSound {
  const collect = <T extends SoundSpan>(pick: (sound: HeardSound) => readonly T[] | undefined): T[] =>
    parts.flatMap(({ sound, by }) => (pick(sound) ?? []).map((span) => timed(span, by)));
  const [unheard, once] = [collect((sound) => sound.unheard), collect((sound) => sound.once)];
  const foreign = collect((sound) => sound.foreign);
  const voiced = parts.flatMap(({ sound }) => sound.voiced ?? []);
  const ends = parts.at(-1)?.sound.ends;
  const { language } =
    parts.map(({ sound }) => sound).toSorted((a, b) => (b.voiced ?? 0) - (a.voiced ?? 0))[0] ?? ({} as HeardSound);
  return {
    ...(voiced.length > 0 && { voiced: moment(voiced.reduce((sum, seconds) => sum + seconds, 0)) }),
    ...(ends && { ends }),
    ...(unheard.length > 0 && { unheard }),
    ...(once.length > 0 && { once }),
    ...(foreign.length > 0 && { foreign }),
    ...(language !== undefined && { language }),
  };
}

/**
 * The facts about a part of a sound of so many seconds: a span belongs to the part that holds its middle. The seconds
 * with a voice are estimated.
 */
export function cutSound(sound: HeardSound, { from, to }: SoundSpan, seconds: number): HeardSound {
  if (from <= 0 && to >= seconds) return sound;
  const { voiced, ends, unheard, once, foreign, ...rest } = sound;
  const cut = <T extends SoundSpan>(spans: readonly T[] = []): T[] =>
    spans
      .filter((span) => (span.from + span.to) / 2 >= from && (span.from + span.to) / 2 < to)
      .map((span) => ({ ...span, from: Math.max(from, span.from), to: Math.min(to, span.to) }));
  return {
    ...rest,
    ...(voiced !== undefined && seconds > 0 && { voiced: (voiced * (to - from)) / seconds }),
    ...(ends && to >= seconds && { ends }),
    unheard: cut(unheard),
    once: cut(once),
    foreign: cut(foreign),
  };
}
