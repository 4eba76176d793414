/**
 * The sound of a dictation, from a file that only grows and the list of edits: each take says which part of the file it
 * recorded and where that belongs. All places and lengths are in samples. `leftOut`: parts of the file that are not
 * heard although a take recorded them, such as spoken commands.
 */

export type TakeMode = 'insert' | 'overwrite' | 'append';

export interface Take {
  /** The parts of one interrupted take share it; a take without an id is whole. */
  readonly id?: string;
  readonly mode: TakeMode;
  /** Where in the dictation, as it was before the take; its end at most. An appended take belongs there anyway. */
  readonly at: number;
  /** Where in the file. */
  readonly from: number;
  readonly length: number;
}

/** Removes so many samples from the end of the last take, at most all of it. */
export interface Undo {
  readonly undo: number;
}
/** `redo`: restores what the last undo removed, unless something was recorded since. */
export type Edit = Take | Undo | 'redo';

/** A part of the file. */
export interface Segment {
  readonly from: number;
  readonly length: number;
}

export interface EditedTimeline {
  /** The audible takes, oldest first. A take without sound is left out. */
  readonly takes: readonly Take[];
  /** The takes before each undo that can be taken back, the last one last. */
  readonly undone: readonly (readonly Take[])[];
  /** Where the last undo or redo changed the dictation; `undefined` if a take came after it, or there was none. */
  readonly at: number | undefined;
}

export function editedBy(edits: readonly Edit[], leftOut: readonly Segment[] = []): EditedTimeline {
  let takes: Take[] = [];
  let undone: (readonly Take[])[] = [];
  let at: number | undefined;
  for (const edit of edits) {
    if (edit === 'redo') {
      const before = undone.pop();
      if (!before) continue;
      takes = [...before];
      at = endOfLast(takes, leftOut);
    } else if ('undo' in edit) {
      if (takes.length === 0 || edit.undo <= 0) continue;
      undone.push([...takes]);
      at = shorten(takes, edit.undo, leftOut);
    } else if (edit.length > 0) {
      takes.push(edit);
      undone = [];
      at = undefined;
    }
  }
  return { takes, undone, at };
}

/** Takes samples off the end of the last take, whose parts have the same id. Returns the place where they were heard. */
function shorten(takes: Take[], samples: number, leftOut: readonly Segment[]): number {
  let left = samples;
  let place = 0;
  let part = takes.pop();
  while (part) {
    const length = Math.max(0, part.length - left);
    left -= part.length - length;
    place = findBeginning(part, takes, leftOut) + lengthOf(without([{ from: part.from, length }], leftOut));
    if (length > 0) takes.push({ ...part, length });
    const isNext = left > 0 && part.id !== undefined && takes.at(-1)?.id === part.id;
    part = isNext ? takes.pop() : undefined;
  }
  return place;
}

const findBeginning = ({ mode, at }: Take, before: readonly Take[], leftOut: readonly Segment[]): number => {
  const end = lengthOf(findSegments(before, leftOut));
  return mode === 'append' ? end : Math.min(at, end);
};
const endOfLast = (takes: readonly Take[], leftOut: readonly Segment[]): number => {
  const last = takes.at(-1);
  return last ? findBeginning(last, takes.slice(0, -1), leftOut) + lengthOf(without([last], leftOut)) : 0;
};

/** The parts of the file that the last take recorded, in order; none if nothing is left. */
export function findLastTake(edits: readonly Edit[]): readonly Segment[] {
  const { takes } = editedBy(edits);
  const last = takes.at(-1);
  if (!last) return [];
  const first = takes.findLastIndex(({ id }) => last.id === undefined || id !== last.id) + 1;
  return takes.slice(last.id === undefined ? -1 : first).map(({ from, length }) => ({ from, length }));
}

/** How many samples were removed and can be restored. */
export function takenBack(edits: readonly Edit[]): number {
  const { takes, undone } = editedBy(edits);
  const sum = (all: readonly Take[]): number => all.reduce((length, take) => length + take.length, 0);
  const [before] = undone;
  return before ? sum(before) - sum(takes) : 0;
}

/** The parts of the file in the order of playback, neighbours joined. */
export const listSegments = (edits: readonly Edit[], leftOut: readonly Segment[] = []): readonly Segment[] =>
  findSegments(editedBy(edits).takes, leftOut);

const findSegments = (takes: readonly Take[], leftOut: readonly Segment[]): readonly Segment[] =>
  takes.reduce<readonly Segment[]>((before, take) => withTake(before, take, leftOut), []);

/** The segments after a take is added. */
export function withTake(
  before: readonly Segment[],
  { mode, at, from, length }: Take,
  leftOut: readonly Segment[] = [],
): readonly Segment[] {
  const end = lengthOf(before);
  const place = mode === 'append' ? end : Math.min(at, end);
  const heard = without([{ from, length }], leftOut);
  const replaced = mode === 'overwrite' ? Math.min(lengthOf(heard), end - place) : 0;
  return joined([...slice(before, 0, place), ...heard, ...slice(before, place + replaced, end - place - replaced)]);
}

/** The segments without the samples that are left out. */
export const without = (segments: readonly Segment[], leftOut: readonly Segment[]): readonly Segment[] =>
  leftOut.reduce<readonly Segment[]>(
    (rest, out) =>
      rest.flatMap(({ from, length }) => {
        const [end, outEnd] = [from + length, out.from + out.length];
        const parts = [
          { from, length: Math.min(end, out.from) - from },
          { from: Math.max(from, outEnd), length: end - Math.max(from, outEnd) },
        ];
        return out.from >= end || outEnd <= from ? [{ from, length }] : parts.filter((part) => part.length > 0);
      }),
    segments,
  );

export const lengthOf = (segments: readonly Segment[]): number =>
  segments.reduce((length, segment) => length + segment.length, 0);

/** The place right after a sample of the file; `undefined` if that sample is not heard. */
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
