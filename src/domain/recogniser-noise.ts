/** Separates speech from what speech models add: tokens, times, sounds, prefaces, and endless repetitions. */
import type { HeardText, HeardWord, LiveHeard, SuppressedText } from './heard-text.ts';
import { elementAt } from './elements.ts';
import { fold } from './fold.ts';

/** Sounds that models name when somebody makes them, or when nobody speaks. */
const sounds = `
  applause|audio|background noise|beep|beeping|blank audio|breath|breathing|breathes|chuckles?|clears throat|clicks?|clicking|
  coughs?|coughing|crosstalk|door closes|exhales|footsteps|inhales|keyboard clicking|laughs?|laughing|
  laughter|music|music playing|no audio|no speech|noise|pause|phone ringing|ringing|sighs?|sighing|silence|sneezes?|sniffs?|
  static|throat clearing|typing|
  aplausos|audio em branco|bocejo|m[uú]sica|pausa|respira[cç][aã]o|ris[ao]s?|ru[ií]do|ru[ií]do de fundo|sil[eê]ncio|
  sem [aá]udio|som de teclado|suspiros?|suspira|tosse|tossindo|
  aclara la garganta|m[uú]sica de fondo|respiraci[oó]n|ruido|ruido de fondo|silencio|sin audio|tos|tose`
  .split('\n')
  .map((line) => line.trim())
  .join('');
/** Marks that models write when they hear speech and understand nothing. */
const inaudible = 'inaudible|indistinct|unintelligible|inaud[ií]vel|inintelig[ií]vel|ininteligible';
const time = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?`;

/** Words in the ways in which subtitles mark what is no speech. */
const markedAs = (words: string): string =>
  String.raw`\[\s*(?:${words})\s*\]|\(\s*(?:${words})\s*\)|\*{1,2}\s*(?:${words})\s*\*{1,2}`;

/** Text that nobody says: each pattern matches all that goes with it. */
const unspokenPatterns: readonly RegExp[] = [
  // The reasoning of a model before its answer.
  /<(think|thinking|reasoning)>[^]*?(?:<\/\1>|$)/gi,
  // Tokens of the model.
  /<\|[^|<>]{0,40}\|>|<\/?s>|<(?:unk|pad|eos|bos)>|\[(?:pad|unk|cls|sep|eos|bos|[a-z]{2,20}_[a-z]{2,20})\]/gi,
  // Times of a subtitle.
  new RegExp(String.raw`[[(]?${time}\s*-->\s*${time}[\])]?|\[${time}\]`, 'g'),
  new RegExp(`${markedAs(sounds)}|[♪♫🎵🎶]+`, 'giu'),
  // How a language model begins and ends its answer.
  /^\s*(?:(?:sure|certainly|of course|okay|claro|com certeza|por supuesto)(?!\p{L})[^.:\n]{0,40}[,.!]\s*)?(?:here(?:'|’)?s|here is|below is|this is|aqui está|segue|a seguir está|aquí está|aquí tiene|a continuación)(?!\p{L})[^.:\n]{0,60}(?<!\p{L})transcri[^\s.:]{1,10}[^.:\n]{0,60}[:.]\s/giu,
  /^\s*(?:transcript(?:ion)?|transcrição|transcripción)\s*:\s/gi,
  /\b(?:let me know if you (?:need|want|would|have)|is there anything else i can|me avise se (?:precisar|quiser)|avíseme si (?:necesita|desea))\b[^\n]{0,120}$/gi,
];

const notUnderstood = new RegExp(markedAs(inaudible), 'giu');

/**
 * Repetitions in a row that people never reach, by the number of words in the phrase; the last entry is for all longer
 * ones.
 */
const maxRepeats = [9, 4, 4, 3] as const;
const maxPhrase = 24;

interface NoiseCut {
  readonly start: number;
  readonly end: number;
  readonly reason: 'noise' | 'inaudible' | 'loop';
}

interface Token {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

const tokensOf = (text: string): Token[] =>
  [...fold(text).matchAll(/[\p{L}\p{N}][\p{L}\p{N}.,/-]*/gu)].map(({ 0: word, index: start }) => {
    let length = word.length;
    while ('.,/-'.includes(word.charAt(length - 1))) length -= 1;
    const key = word.slice(0, length);
    return { key, start, end: start + word.length };
  });

/**
 * Counts the places from `at` on that fulfil `holds`. To be asked for places in rising order: what was compared is not compared again,
 * however often a phrase repeats.
 */
function countFrom(holds: (at: number) => boolean): (at: number) => number {
  let end = 0;
  return (at) => {
    end = Math.max(end, at);
    while (holds(end)) end += 1;
    return end - at;
  };
}

/** Phrases that repeat more often than people say them; the first occurrence stays. */
function loopsIn(text: string): NoiseCut[] {
  const tokens = tokensOf(text);
  const keys = tokens.map(({ key }) => key);
  const countSame = Array.from({ length: maxPhrase }, (_, index) => {
    const length = index + 1;
    return countFrom((at) => at + length < keys.length && keys[at] === keys[at + length]);
  });
  // Numbers are dictated one after the other, and letters spelt.
  const countSpelt = countFrom((at) => /^[\d.,/-]+$|^.$/u.test(keys[at] ?? ''));
  const cuts: NoiseCut[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    for (const [index, count] of countSame.entries()) {
      const length = index + 1;
      const same = count(at);
      if (same < length * (maxRepeats[index] ?? maxRepeats[3]) || countSpelt(at) >= length) continue;
      const rest = at + length * (1 + Math.floor(same / length));
      cuts.push({
        start: elementAt(tokens, at + length - 1).end,
        end: elementAt(tokens, rest - 1).end,
        reason: 'loop',
      });
      at = rest - 1;
      break;
    }
  }
  return cuts;
}

/** Whether a phrase is repeated more often than people do. */
export const hasLoop = (text: string): boolean => loopsIn(text).length > 0;

function cutsIn(text: string): NoiseCut[] {
  const findMarks = (pattern: RegExp, reason: 'noise' | 'inaudible') =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => {
      const start = index + found.length - found.trimStart().length;
      return { start, end: start + found.trim().length, reason };
    });
  const noise = [
    ...unspokenPatterns.flatMap((pattern) => findMarks(pattern, 'noise')),
    ...findMarks(notUnderstood, 'inaudible'),
  ];
  const cuts: { start: number; end: number; reason: NoiseCut['reason'] }[] = [];
  for (const cut of noise.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = cuts.at(-1);
    // Adjacent marks are one place.
    if (last && text.slice(last.end, cut.start).trim() === '') {
      last.end = Math.max(last.end, cut.end);
      if (cut.reason === 'inaudible') last.reason = cut.reason;
    } else cuts.push(cut);
  }
  return cuts;
}

/** Sentences that models write over silence and behind the last words, learnt from the subtitles of films. */
const madeUp: ReadonlySet<string> = new Set(
  [
    'Thank you',
    'Thank you very much',
    'Thank you for watching',
    'Thank you so much for watching',
    'Thanks for watching',
    'Thanks for watching, see you next time',
    'Thanks for watching, see you in the next video',
    'Thank you for watching! Please subscribe',
    'See you next time',
    'See you in the next video',
    'Please subscribe to my channel',
    'Please subscribe',
    "Don't forget to like and subscribe",
    'Subtitles by the Amara.org community',
    'Subtitles by Amara.org',
    'Transcribed by otter.ai',
    'Transcription by CastingWords',
    'Like and subscribe',
    'You',
    'Bye',
    'Bye bye',
    'Legendas pela comunidade Amara.org',
    'Legendas pela comunidade das Amara.org',
    'Legenda por Sônia Ruberti',
    'Transcrição e Legendas Pedro Negri',
    'Transcrição e Legendas por Pedro Negri',
    'Obrigado por ver o vídeo',
    'Deixe o seu like',
    'Legenda Adriana Zanotto',
    'Obrigado',
    'Obrigada',
    'Muito obrigado',
    'Muito obrigada',
    'Obrigado por assistir',
    'Obrigada por assistir',
    'Obrigado por assistirem',
    'Obrigado pela atenção',
    'Inscreva-se no canal',
    'Se inscreva no canal',
    'Até a próxima',
    'Até o próximo vídeo',
    'Tchau',
    'Tchau, tchau',
    'Subtítulos realizados por la comunidad de Amara.org',
    'Subtítulos por la comunidad de Amara.org',
    'Gracias',
    'Muchas gracias',
    'Gracias por ver el video',
    'Gracias por ver el vídeo',
    'Suscríbete al canal',
    'Suscríbete',
    'No olvides suscribirte',
    'Subtítulos creados por la comunidad de Amara.org',
    'Gracias por ver',
    'Hasta la próxima',
    'Hasta el próximo vídeo',
  ].map(sentenceKey),
);

function sentenceKey(text: string): string {
  return (fold(text.normalize('NFC')).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

/** Whether nobody dictates the sentence. */
export const isMadeUp = (sentence: string): boolean => madeUp.has(sentenceKey(sentence));

/** The longest such sentence, in characters, and the largest number in a row. */
const maxMadeUp = 120;
const maxEnding = 8;

/** A sentence of fewer words may be said: "muito obrigado". */
const sureWords = 3;

/** Whole sentences that nobody dictates, wherever they are. */
const madeUpSentences = (text: string): NoiseCut[] =>
  Array.from(text.matchAll(/[^.!?…\n]+(?:[.!?…](?!\s)[^.!?…\n]*)*[.!?…]*/gu)).flatMap(({ 0: sentence, index }) => {
    if (sentence.length > maxMadeUp) return [];
    const start = index + sentence.length - sentence.trimStart().length;
    const isLong = sentenceKey(sentence).split(' ').length >= sureWords;
    return isLong && isMadeUp(sentence) ? [{ start, end: start + sentence.trim().length, reason: 'noise' }] : [];
  });

/** The longest such sentence, in words. */
const maxEndWords = 10;

/** The same behind the last words of a model that writes no marks: "pulmões limpos obrigado por assistir". */
function madeUpEnd(text: string): NoiseCut[] {
  const words = Array.from(text.slice(-maxMadeUp).matchAll(/\S+/gu)).slice(-maxEndWords);
  const offset = Math.max(0, text.length - maxMadeUp);
  const found = words.slice(0, 1 - sureWords).find(({ index }) => isMadeUp(text.slice(offset + index)));
  return found ? [{ start: offset + found.index, end: text.trimEnd().length, reason: 'noise' }] : [];
}

/** Sentences at the end of the text that nobody dictates, as one place. */
function madeUpEnding(text: string): NoiseCut[] {
  const end = text.trimEnd().length;
  let start = end;
  for (let count = 0; count < maxEnding; count += 1) {
    const tail = text.slice(Math.max(0, start - maxMadeUp), start);
    const [last] = Array.from(
      tail.trimEnd().matchAll(/[.!?…\n,;]\s+/gu),
      ({ 0: mark, index }) => index + mark.length,
    ).slice(-1);
    if (last === undefined && start > maxMadeUp) break;
    const from = start - tail.length + (last ?? 0);
    if (from >= start || !isMadeUp(text.slice(from, start))) break;
    start = from;
  }
  return start < end ? [{ start, end, reason: 'noise' }] : [];
}

/** Characters of removed text that are kept. */
const maxKept = 300;
const shortened = (text: string): string => (text.length > maxKept ? `${text.slice(0, maxKept - 1)}…` : text);

/** Removes what nobody said and keeps it separately (`suppressed`), each with its time if its words have one. */
export function withoutNoise(heard: HeardText): HeardText {
  return [cutsIn, loopsIn, madeUpSentences, madeUpEnding, madeUpEnd].reduce(apply, heard);
}

/** The same for live speech. */
export function withoutLiveNoise(heard: LiveHeard): LiveHeard {
  if (heard.kind === 'final') return { ...heard, heard: withoutNoise(heard.heard) };
  if (heard.kind === 'checked') return { ...heard, finals: heard.finals.map(withoutNoise) };
  if (heard.kind === 'complete') return heard;
  return { ...heard, text: withoutNoise({ text: heard.text }).text };
}

function apply(heard: HeardText, findCuts: (text: string) => readonly NoiseCut[]): HeardText {
  const { text, words = [], suppressed = [], otherReadings = [], ...rest } = heard;
  const cuts = findCuts(text);
  if (cuts.length === 0) return heard;
  let kept = '';
  let from = 0;
  /** Maps places of the text to places of the remaining text. */
  const moves: { readonly from: number; readonly to: number; readonly by: number }[] = [];
  const add = (to: number): void => {
    const piece = text.slice(from, to);
    const said = kept === '' ? piece.trimStart() : kept.endsWith(' ') ? piece.replace(/^[ ]+/, '') : piece;
    const dropped = piece.length - said.length;
    moves.push({ from: from + dropped, to, by: kept.length - from - dropped });
    kept += said;
  };
  for (const { start, end } of cuts) {
    add(start);
    from = end;
  }
  add(text.length);
  kept = kept.trimEnd();
  const placed = (at: number): number => {
    const move = moves.findLast((each) => each.from <= at);
    return move ? Math.min(kept.length, Math.min(at, move.to) + move.by) : 0;
  };
  const isCut = ({ start, end }: Pick<HeardWord, 'start' | 'end'>): boolean =>
    cuts.some((cut) => cut.start <= start && end <= cut.end);
  const left = cuts.map(({ start, end, reason }): SuppressedText => {
    const own = words.filter((word) => word.start < end && word.end > start);
    const [first, last] = [own[0]?.from, own.at(-1)?.to];
    return {
      text: shortened(text.slice(start, end).trim()),
      at: placed(start),
      reason,
      ...(first !== undefined && { from: first }),
      ...(last !== undefined && { to: last }),
    };
  });
  const place = <T extends Pick<HeardWord, 'start' | 'end'>>(each: readonly T[]): T[] =>
    each
      .filter((word) => !isCut(word))
      .map((word) => ({ ...word, start: placed(word.start), end: placed(word.end) }))
      .filter(({ start, end }) => end > start);
  const [stay, readings] = [place(words), place(otherReadings)];
  return {
    ...rest,
    text: kept,
    ...(stay.length > 0 && { words: stay }),
    ...(readings.length > 0 && { otherReadings: readings }),
    suppressed: [...suppressed.map((each) => ({ ...each, at: placed(each.at) })), ...left].toSorted(
      (a, b) => a.at - b.at,
    ),
  };
}
