/** Measures the length of a stored audio in a thread that reads only the bytes that it needs. */
import { buffer } from 'node:stream/consumers';
import { MessageChannel } from 'node:worker_threads';
import type { Blobs } from '../../storage/blobs/blobs.ts';
import type { StoredAudio } from '../../storage/collections.ts';
import type { Workers } from '../../runtime/workers/workers.ts';
import { audioSeconds } from './audio-seconds-task.ts';
import type { WantedBytes } from './audio-seconds-task.ts';

export interface Requester {
  /** The client on whose behalf the thread works. */
  readonly client: string;
  /** Aborted when the length isn't needed any more. */
  readonly signal: AbortSignal;
}

/** Timeout of the measurement in ms of real time. */
const limitMs = 10_000;

/** The length in seconds; `null` if it is unknown or takes too long. Rejects once `signal` is aborted. */
export async function blobSeconds(
  { blobs, workers }: { readonly blobs: Pick<Blobs, 'read'>; readonly workers: Workers },
  { blob, bytes, content_type: type }: Pick<StoredAudio, 'blob' | 'bytes' | 'content_type'>,
  { client, signal }: Requester,
): Promise<number | null> {
  const { port1: ours, port2: theirs } = new MessageChannel();
  ours.on('message', ({ start, end }: WantedBytes) => {
    readBytes(blobs, blob, start, end).then(
      (piece) => ours.postMessage(piece, piece ? [piece.buffer] : []),
      () => ours.postMessage(null),
    );
  });
  try {
    const input = { type, bytes, port: theirs };
    return await workers.run(audioSeconds, input, { client, signal, transfer: [theirs], limitMs });
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  } finally {
    ours.close();
  }
}

async function readBytes(blobs: Pick<Blobs, 'read'>, blob: string, start: number, end: number) {
  const audio = await blobs.read(blob, { range: { start, end: end - 1 } });
  // A copy, because its memory is transferred to the thread.
  return audio ? new Uint8Array(await buffer(audio.stream)) : null;
}
