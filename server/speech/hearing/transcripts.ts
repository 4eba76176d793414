/** The transcript of a stretch of sound: what was said, and what the model added. */
import { valueAt } from '../../../src/domain/elements.ts';
import { findSuppressionReason } from './hallucinations.ts';
import type { SentSound } from './hallucinations.ts';
import type { Transcript } from './join-pieces.ts';
import type { Segment, WordData } from './words.ts';

/** Times after the end of the sound are cut off: models work in windows of a fixed length. */
export function toTranscript(segments: readonly Segment[], sent: SentSound): Transcript {
  const words: Transcript['words'][number][] = [];
  const suppressed: Transcript['suppressed'][number][] = [];
  const within = cutTimes(sent.seconds);
  for (const segment of segments) {
    const reason = findSuppressionReason(segment, sent);
    if (!reason) {
      words.push(...segment.words.map(({ text, data }) => ({ text, ...(data && { data: within(data) }) })));
      continue;
    }
    const { from, to } = within(segment);
    const text = segment.words.map((word) => word.text).join(' ');
    const times = from !== undefined && to !== undefined && { from, to };
    suppressed.push({ text, reason, after: words.length, ...times });
  }
  return { words, suppressed };
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
