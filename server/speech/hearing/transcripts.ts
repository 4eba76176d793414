/** The transcript of a stretch of sound: what was said, and what the model added. */
import { valueAt } from '../../../src/domain/elements.ts';
import { findSuppressionReason, splitEcho } from './hallucinations.ts';
import type { SentSound } from './hallucinations.ts';
import type { Transcript } from './join-pieces.ts';
import type { Segment, Word, WordData } from './words.ts';

/** Times after the end of the sound are cut off: models work in windows of a fixed length. */
export function toTranscript(segments: readonly Segment[], sent: SentSound): Transcript {
  const words: Transcript['words'][number][] = [];
  const suppressed: Transcript['suppressed'][number][] = [];
  const within = cutTimes(sent.seconds);
  for (const segment of segments) {
    const suppress = (
      left: readonly Word[],
      reason: Transcript['suppressed'][number]['reason'],
      { from, to }: WordData,
    ): void => {
      if (left.length === 0) return;
      const times = from !== undefined && to !== undefined && { from, to };
      suppressed.push({ text: left.map(({ text }) => text).join(' '), reason, after: words.length, ...times });
    };
    const reason = findSuppressionReason(segment, sent);
    if (reason) {
      suppress(segment.words, reason, within(segment));
      continue;
    }
    const { echoes, said } = splitEcho(segment.words, sent.terms);
    suppress(echoes.before, 'echo', measureSpan(echoes.before, within));
    words.push(...said.map(({ text, data }) => ({ text, ...(data && { data: within(data) }) })));
    suppress(echoes.behind, 'echo', measureSpan(echoes.behind, within));
  }
  return { words, suppressed };
}

/** The times of the first and the last word, if they are known. */
function measureSpan(words: readonly Word[], within: (data: WordData) => WordData): WordData {
  const [from, to] = [words[0]?.data?.from, words.at(-1)?.data?.to];
  return from === undefined || to === undefined ? {} : within({ from, to });
}

/** Words that share one object with their segment's times still share it afterwards. */
function cutTimes(seconds: number): (data: WordData) => WordData {
  const known = new Map<WordData, WordData>();
  return (data) => {
    if (!known.has(data)) {
      const { from, to, confidence } = data;
      known.set(data, {
        ...(from !== undefined && to !== undefined && { from: Math.min(from, seconds), to: Math.min(to, seconds) }),
        ...(confidence !== undefined && { confidence }),
      });
    }
    return valueAt(known, data);
  };
}

/** The same transcript with its times moved. */
export function moveTimes({ words, suppressed }: Transcript, move: (at: number) => number): Transcript {
  const known = new Map<WordData, WordData>();
  const moved = <T extends WordData>(data: T): T => ({
    ...data,
    ...(data.from !== undefined && data.to !== undefined && { from: move(data.from), to: move(data.to) }),
  });
  return {
    words: words.map((word) => {
      const { data } = word;
      if (!data) return word;
      if (!known.has(data)) known.set(data, moved(data));
      return { ...word, data: valueAt(known, data) };
    }),
    suppressed: suppressed.map(moved),
  };
}
