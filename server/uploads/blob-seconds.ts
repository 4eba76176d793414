/** How long audio in the blob store is, found out in a thread that reads no more of it than it has to. */
import { buffer } from 'node:stream/consumers';
import { MessageChannel } from 'node:worker_threads';
import type { Blobs } from '../store/blobs.ts';
import type { StoredAudio } from '../store/collections.ts';
import type { WantedBytes } from '../workers/tasks.ts';
import type { Workers } from '../workers/workers.ts';

export interface Asked {
  /** On whose account. */
  readonly client: string;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/** For all of it, in ms of real time. */
const limitMs = 10_000;

/** In seconds; `null` where that is not known, or takes too long. Rejects where nobody waits for it any more. */
export async function blobSeconds(
  { blobs, workers }: { readonly blobs: Pick<Blobs, 'read'>; readonly workers: Workers },
  { blob, bytes, content_type: type }: Pick<StoredAudio, 'blob' | 'bytes' | 'content_type'>,
  { client, signal }: Asked,
): Promise<number | null> {
  const { port1: ours, port2: theirs } = new MessageChannel();
  ours.on('message', ({ start, end }: WantedBytes) => {
    bytesOf(blobs, blob, start, end).then(
      (found) => ours.postMessage(found, found ? [found.buffer] : []),
      () => ours.postMessage(null),
    );
  });
  try {
    const given = { type, bytes, port: theirs };
    return await workers.run('audioSeconds', given, { client, signal, transfer: [theirs], limitMs });
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  } finally {
    ours.close();
  }
}

async function bytesOf(blobs: Pick<Blobs, 'read'>, blob: string, start: number, end: number) {
  const found = await blobs.read(blob, { range: { start, end: end - 1 } });
  // Its own memory, so that it can go to the thread.
  return found ? new Uint8Array(await buffer(found.stream)) : null;
}
