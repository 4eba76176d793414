/**
 * Hears sound with facts again, cut elsewhere and without a prompt: where a recogniser is wrong about a number, a side
 * or a denial, it often hears something else the second time. A lost denial is no fact any more, so all sentences of a
 * piece with facts or findings are heard.
 */
import type { Language } from '../../../src/contract/shared.ts';
import type { ForeignSpeech, SoundSpan } from '../../../src/domain/heard-text.ts';
import { compareReadings, findSentencesToCompare, findSharedWords } from '../../../src/reporting/compare-readings.ts';
import type { SoundPiece } from '../sound/pieces.ts';
import { soundRate } from '../sound/samples.ts';
import { hearSpan } from './hear-again.ts';
import type { Stretch } from './hear-again.ts';
import type { Transcript } from './join-pieces.ts';
import type { CheckedTranscript } from './language-check.ts';
import type { OtherWords, Word } from './words.ts';

export interface SecondHearing {
  readonly language: Language;
  /** A place is doubted if its doubt is at least this. */
  readonly doubt: number;
  readonly hear: HearStretchAgain;
  /** Hears once more where two hearings differ. */
  readonly hearThird: HearStretchAgain;
}

/** `undefined`: the engine failed. */
type HearStretchAgain = (stretch: Stretch) => Promise<CheckedTranscript | undefined>;

/** A transcript with the words that were heard otherwise. */
interface ComparedTranscript extends Transcript {
  /** Sound that the engine failed to hear again. */
  readonly once: readonly SoundSpan[];
  /** Sound that is in another language. */
  readonly foreign: readonly ForeignSpeech[];
}

/** Seconds of a stretch at most; sentences are joined up to this. */
const maxSeconds = 14;
/** The share of the piece that a stretch has at most, unless a sentence is longer: another cut is another hearing. */
const maxShare = 0.5;
/** The share of three hearings that disagree with the first, if the third agrees with the first, the second, or none. */
const shares = { first: 1 / 3, second: 2 / 3, none: 0.8 } as const;
/** Two hearings that differ. */
const twoDiffer = 0.5;
/** The part of a word's doubt that is left where the second hearing has the same word. */
const leftDoubt = 2 / 3;
/** Seconds that the third hearing has more on both sides. */
const wider = 0.9;

interface Range {
  readonly from: number;
  readonly to: number;
}

export async function hearFactsAgain(
  piece: SoundPiece,
  { words, suppressed }: Transcript,
  hearing: SecondHearing,
): Promise<ComparedTranscript> {
  const stretches = findStretches(words, hearing.language, piece.samples.length / soundRate);
  const compared: ComparedStretch[] = [];
  // One after the other: first hearings find a place meanwhile.
  for (const range of stretches) compared.push(await compareStretch(piece, words, range, hearing));
  const confirmed = new Set(compared.flatMap((stretch) => stretch.confirmed ?? []));
  const marked = words.map((word, at) => (confirmed.has(at) ? confirm(word) : word));
  for (const { at, other } of compared.flatMap(({ readings }) => readings)) {
    const word = marked[at];
    if (word) marked[at] = { ...word, other };
  }
  return {
    words: marked,
    suppressed,
    once: compared.flatMap(({ once = [] }) => once),
    foreign: compared.flatMap(({ foreign = [] }) => foreign),
  };
}

/** With more confidence. */
const confirm = ({ data, ...word }: Word): Word => {
  const confidence = data?.confidence === undefined ? undefined : 1 - leftDoubt * (1 - data.confidence);
  return { ...word, ...(data && { data: { ...data, ...(confidence !== undefined && { confidence }) } }) };
};

interface ComparedStretch {
  /** Words that the second hearing has as well. */
  readonly confirmed?: readonly number[];
  readonly readings: readonly { readonly at: number; readonly other: OtherWords }[];
  readonly once?: SoundSpan;
  readonly foreign?: ForeignSpeech;
}

async function compareStretch(
  piece: SoundPiece,
  words: readonly Word[],
  range: Range,
  hearing: SecondHearing,
): Promise<ComparedStretch> {
  const span = findSpan(piece, words, range);
  const own = words.slice(range.from, range.to);
  const second = await hearSpanAgain(piece, span, hearing.hear);
  if (!second) return { readings: [], once: span };
  const foreign = second.foreign && {
    from: Math.max(span.from, span.to - second.foreign.seconds),
    to: span.to,
    language: second.foreign.language,
  };
  const differences = compareWith(own, second, hearing.language);
  const isUnsure = differences.length > 0 && hearing.doubt > shares.first;
  const third = isUnsure ? await hearWider(piece, span, hearing) : undefined;
  const readings = differences.flatMap((difference) => {
    const doubt = measureDoubt(own, difference, third, hearing.language);
    if (doubt < hearing.doubt) return [];
    const other = { text: difference.text, words: difference.to - difference.from, doubt };
    return [{ at: range.from + difference.from, other }];
  });
  return {
    confirmed: findConfirmed(words, range, second, differences, hearing.language),
    readings,
    ...(foreign && { foreign }),
  };
}

/** Words that both hearings have, each with its data, and about which nothing differs. */
function findConfirmed(
  words: readonly Word[],
  { from, to }: Range,
  second: Transcript,
  differences: readonly Range[],
  language: Language,
): number[] {
  const { text, starts } = joinWords(words.slice(from, to));
  const shared = new Set(
    findSharedWords(text, joinWords(second.words).text, language).flatMap(({ start, end }) => {
      const [first, last] = [wordAt(starts, start), wordAt(starts, end - 1)];
      return Array.from({ length: last - first + 1 }, (_, at) => first + at);
    }),
  );
  const isOwn = (at: number): boolean => {
    const data = words[at]?.data;
    return data !== undefined && words[at - 1]?.data !== data && words[at + 1]?.data !== data;
  };
  return [...shared]
    .filter((at) => !differences.some((each) => each.from <= at && at < each.to))
    .map((at) => from + at)
    .filter(isOwn);
}

/** `undefined`: the engine failed at a part of it. */
async function hearSpanAgain(
  piece: SoundPiece,
  span: SoundSpan,
  hear: HearStretchAgain,
): Promise<CheckedTranscript | undefined> {
  let hasFailed = false;
  let foreign: CheckedTranscript['foreign'];
  const hearPart = async (stretch: Stretch): Promise<Transcript> => {
    const part = hasFailed ? undefined : await hear(stretch);
    hasFailed ||= part === undefined;
    foreign ??= part?.foreign;
    return part ?? { words: [], suppressed: [] };
  };
  const heard = await hearSpan(piece, span, hearPart);
  return hasFailed ? undefined : { ...heard, ...(foreign && { foreign }) };
}

const hearWider = (
  piece: SoundPiece,
  { from, to }: SoundSpan,
  { hearThird }: SecondHearing,
): Promise<Transcript | undefined> =>
  hearSpanAgain(piece, { from: Math.max(0, from - wider), to: to + wider }, hearThird);

/** Sentences as ranges of words; those in a row are joined, up to a part of the piece. */
function findStretches(words: readonly Word[], language: Language, seconds: number): Range[] {
  const { text, starts } = joinWords(words);
  const limit = Math.min(maxSeconds, maxShare * seconds);
  const stretches: { from: number; to: number }[] = [];
  for (const { start, end } of findSentencesToCompare(text, language)) {
    const [from, to] = [wordAt(starts, start), wordAt(starts, end - 1) + 1];
    const last = stretches.at(-1);
    if (last && last.to >= from && measureSeconds(words, { from: last.from, to }) <= limit)
      last.to = Math.max(last.to, to);
    else stretches.push({ from: Math.max(from, last?.to ?? 0), to });
  }
  return stretches.filter(({ from, to }) => from < to);
}

function measureSeconds(words: readonly Word[], { from, to }: Range): number {
  const timed = words.slice(from, to).flatMap(({ data }) => (data?.from === undefined ? [] : [data]));
  return (timed.at(-1)?.to ?? 0) - (timed[0]?.from ?? 0);
}

/** Words without times may be anywhere in the piece. */
function findSpan({ samples }: SoundPiece, words: readonly Word[], { from, to }: Range): SoundSpan {
  const [first, last] = [words[from]?.data, words[to - 1]?.data];
  return { from: first?.from ?? 0, to: last?.to ?? samples.length / soundRate };
}

interface Difference extends Range {
  readonly text: string;
}

function compareWith(own: readonly Word[], { words }: Transcript, language: Language): Difference[] {
  if (words.length === 0) return [];
  const { text, starts } = joinWords(own);
  return compareReadings(text, joinWords(words).text, language).map(({ start, end, text: other }) => ({
    from: wordAt(starts, start),
    to: wordAt(starts, end - 1) + 1,
    text: other,
  }));
}

/** The doubt about words that two hearings have differently; low confidence adds to it. */
function measureDoubt(
  own: readonly Word[],
  difference: Difference,
  third: Transcript | undefined,
  language: Language,
): number {
  const share = third && third.words.length > 0 ? shares[findAgreement(own, difference, third, language)] : twoDiffer;
  const confidences = own.slice(difference.from, difference.to).flatMap(({ data }) => data?.confidence ?? []);
  return confidences.length === 0 ? share : 1 - (1 - share) * Math.min(...confidences);
}

function findAgreement(
  own: readonly Word[],
  { from, to, text }: Difference,
  third: Transcript,
  language: Language,
): keyof typeof shares {
  const others = compareWith(own, third, language).filter((each) => each.from < to && from < each.to);
  if (others.length === 0) return 'first';
  return others.some((each) => each.text === text) ? 'second' : 'none';
}

function joinWords(words: readonly Word[]): { text: string; starts: readonly number[] } {
  let text = '';
  const starts: number[] = [];
  for (const word of words) {
    if (text !== '') text += ' ';
    starts.push(text.length);
    text += word.text;
  }
  return { text, starts };
}

/** The index of the word at this place of the text. */
const wordAt = (starts: readonly number[], place: number): number =>
  Math.max(
    0,
    starts.findLastIndex((start) => start <= place),
  );
