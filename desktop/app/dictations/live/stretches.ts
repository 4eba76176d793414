/** Maps parts of live transcriptions to positions in a dictation. Pure data and functions. */
import type { SpokenPiece } from '../../../../src/contract/spoken-piece.ts';
import type { Segment } from '../../../../src/domain/dictation/timeline.ts';

/** A part of the audio file that one live transcription covers. In samples; `to` is exclusive. */
export interface Stretch {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** A part of a stretch, in samples from its start. */
export interface StretchPiece<S extends Stretch = Stretch> {
  readonly stretch: S;
  readonly start: number;
  readonly end: number;
}

/** The segments as pieces of the stretches, in the same order. `null`: no stretch covers that part. */
export function mapToPieces<S extends Stretch>(
  segments: readonly Segment[],
  stretches: readonly S[],
): readonly (StretchPiece<S> | null)[] {
  const pieces: (StretchPiece<S> | null)[] = [];
  for (const { from, length } of segments) {
    const end = from + length;
    for (let at = from; at < end;) {
      const stretch = stretches.find((each) => each.from <= at && at < each.to);
      if (!stretch) {
        const next = Math.min(end, ...stretches.flatMap((each) => (each.from > at ? [each.from] : [])));
        pieces.push(null);
        at = next;
        continue;
      }
      const to = Math.min(end, stretch.to);
      pieces.push({ stretch, start: at - stretch.from, end: to - stretch.from });
      at = to;
    }
  }
  return pieces;
}

/**
 * The pieces in the form of the service's API. `undefined` if some of the audio was never sent to a live transcription.
 */
export function spokenPieces(
  pieces: readonly (StretchPiece | null)[],
  rate: number,
): readonly SpokenPiece[] | undefined {
  if (pieces.length === 0 || pieces.includes(null)) return undefined;
  return (pieces as readonly StretchPiece[]).map(({ stretch: { id, from, to }, start, end }) => ({
    id,
    ...(start > 0 && { start: start / rate }),
    ...(end < to - from && { end: end / rate }),
  }));
}
