/** Measures how long audio is from its bytes, with bounded effort for any bytes. Runs in a thread. */
import type { AudioType } from '../../../src/contract/document.ts';

export interface AudioSource {
  readonly type: AudioType;
  readonly bytes: number;
  /** The bytes from `start` up to `end`, which is not included. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** Limits of the effort; audio that needs more has an unknown length. */
export interface Effort {
  /** Steps of the reader: a frame or a page takes a few. */
  readonly steps: number;
  /** Bytes that are read from the source. */
  readonly bytes: number;
}

const usualEffort: Effort = { steps: 300_000, bytes: 64 * 1024 * 1024 };

/** Bytes that are read from the source at a time. */
const windowBytes = 128 * 1024;
/** Bytes that one step may read: no table or tag that states a length takes more. */
const maxStepBytes = 4 * 1024 * 1024;

/**
 * The length in seconds; `null` where the bytes don't state it, as in cut or damaged audio, or where it takes too much
 * effort.
 */
export async function secondsOf(source: AudioSource, effort: Effort = usualEffort): Promise<number | null> {
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
    // A recorder that writes to a pipe cannot go back and fill in the length: the header then promises up to 4 GiB.
    const most = type === 'audio/wav' && bitrate ? (bytes * 8) / bitrate : Infinity;
    return Math.round(Math.min(duration, most) * 1000) / 1000;
  } catch {
    return null;
  }
}

/** The part of a Blob that the parser uses: size, type and slices. */
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
