/**
 * What a dictation sounds like, out of a file that only grows and the list of what was done: each take says which part of
 * the file it recorded and where that belongs. All places and lengths are in samples.
 */

export type TakeMode = 'insert' | 'overwrite' | 'append';

export interface Take {
  /** The parts of a take that was cut off and went on have the same; one that was kept without a name is whole. */
  readonly id?: string;
  readonly mode: TakeMode;
  /** Where in the dictation, as it was before the take; its end at most. An appended take belongs there anyway. */
  readonly at: number;
  /** Where in the file. */
  readonly from: number;
  readonly length: number;
}

export type Edit = Take | 'undo';

/** A part of the file. */
export interface Segment {
  readonly from: number;
  readonly length: number;
}

/**
 * The takes that have not been taken back, oldest first. One in which nothing was recorded is none; the parts of one that
 * was cut off are taken back together.
 */
export function takesOf(edits: readonly Edit[]): readonly Take[] {
  const takes: Take[] = [];
  for (const edit of edits) {
    if (edit !== 'undo') {
      if (edit.length > 0) takes.push(edit);
      continue;
    }
    const last = takes.pop();
    while (last?.id !== undefined && takes.at(-1)?.id === last.id) takes.pop();
  }
  return takes;
}

/** The parts of the file in the order in which they are heard; neighbours are one. */
export const segmentsOf = (edits: readonly Edit[]): readonly Segment[] =>
  takesOf(edits).reduce<readonly Segment[]>((before, take) => withTake(before, take), []);

/** The segments once a take has come to them. */
export function withTake(before: readonly Segment[], { mode, at, from, length }: Take): readonly Segment[] {
  const end = lengthOf(before);
  const place = mode === 'append' ? end : Math.min(at, end);
  const replaced = mode === 'overwrite' ? Math.min(length, end - place) : 0;
  return joined([
    ...slice(before, 0, place),
    { from, length },
    ...slice(before, place + replaced, end - place - replaced),
  ]);
}

export const lengthOf = (segments: readonly Segment[]): number =>
  segments.reduce((length, segment) => length + segment.length, 0);

/** The place right after a sample of the file; `undefined` where that sample is not heard. */
export function placeAfter(segments: readonly Segment[], sample: number): number | undefined {
  let at = 0;
  for (const { from, length } of segments) {
    if (sample >= from && sample < from + length) return at + sample - from + 1;
    at += length;
  }
  return undefined;
}

/** The part of them that begins after `start` samples, at most `length` long. */
export function slice(segments: readonly Segment[], start: number, length: number): readonly Segment[] {
  const end = start + length;
  const parts: Segment[] = [];
  let at = 0;
  for (const segment of segments) {
    const first = Math.max(start, at);
    const last = Math.min(end, at + segment.length);
    if (first < last) parts.push({ from: segment.from + first - at, length: last - first });
    at += segment.length;
  }
  return parts;
}

function joined(segments: readonly Segment[]): readonly Segment[] {
  const whole: Segment[] = [];
  for (const segment of segments) {
    const before = whole.at(-1);
    if (before && before.from + before.length === segment.from) {
      whole[whole.length - 1] = { from: before.from, length: before.length + segment.length };
    } else if (segment.length > 0) whole.push(segment);
  }
  return whole;
}
