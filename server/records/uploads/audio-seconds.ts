/** Measures the length of audio from its bytes, with bounded effort for any input. Runs in a thread. */
import type { AudioType } from '../../../src/contract/document.ts';

export interface AudioSource {
  readonly type: AudioType;
  readonly bytes: number;
  /** The bytes from `start` to `end` (exclusive). */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** Limits; audio that needs more has an unknown length. */
export interface Effort {
  /** Steps of the parser: a few per frame or page. */
  readonly steps: number;
  /** Bytes read from the source. */
  readonly bytes: number;
}

const defaultEffort: Effort = { steps: 300_000, bytes: 64 * 1024 * 1024 };

/** Bytes per read. */
const windowBytes = 128 * 1024;
/** Limit per step: no table or tag with a length is larger. */
const maxStepBytes = 4 * 1024 * 1024;

/**
 * The length in seconds; `null` if the bytes don't state it, as in truncated or damaged audio, or if it takes too much
 * effort.
 */
export async function measureSeconds(source: AudioSource, effort: Effort = defaultEffort): Promise<number | null> {
  const { type, bytes } = source;
  try {
    const { parseBlob } = await import('music-metadata');
    const { format } = await parseBlob(boundedBlob(source, effort), {
      duration: true,
      skipCovers: true,
      skipPostHeaders: true,
    });
    const { duration, bitrate } = format;
    if (duration === undefined || !Number.isFinite(duration)) return null;
    // A recorder that writes to a pipe cannot fill in the length: the header then claims up to 4 GiB.
    const max = type === 'audio/wav' && bitrate ? (bytes * 8) / bitrate : Infinity;
    return Math.round(Math.min(duration, max) * 1000) / 1000;
  } catch {
    return null;
  }
}

/** The parts of a Blob that the parser uses. */
function boundedBlob(source: AudioSource, effort: Effort): Blob {
  const { type, bytes: size } = source;
  let steps = 0;
  let taken = 0;
  let window = new Uint8Array();
  let from = 0;

  async function piece(start: number, end: number): Promise<ArrayBuffer> {
    if (++steps > effort.steps) throw new Error('This takes too many steps.');
    if (end - start > maxStepBytes) throw new Error('This is too much for one step.');
    if (start < from || end > from + window.length) {
      const until = Math.min(size, Math.max(end, start + windowBytes));
      taken += until - start;
      if (taken > effort.bytes) throw new Error('This takes too many bytes.');
      window = new Uint8Array(await source.read(start, until));
      from = start;
    }
    return window.slice(start - from, end - from).buffer;
  }

  const blob = { size, type, slice: (start: number, end: number) => ({ arrayBuffer: () => piece(start, end) }) };
  return blob as unknown as Blob;
}
