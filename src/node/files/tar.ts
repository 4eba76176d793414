/** What tar-stream leaves to its users. */
import { once } from 'node:events';
import type { Extract } from 'tar-stream';

export type Entry = Extract extends AsyncIterable<infer E> ? E : never;
/** Its content, which the types of the package tell nothing of. */
export const bytesOf = (entry: Entry): AsyncIterable<Uint8Array> => entry as unknown as AsyncIterable<Uint8Array>;

/** Gives the archive to its reader, as fast as that takes it. */
export async function feed(source: AsyncIterable<Uint8Array>, extract: Extract): Promise<void> {
  const gone = new AbortController();
  extract.once('close', () => gone.abort());
  try {
    for await (const chunk of source) {
      if (gone.signal.aborted) return;
      if (!extract.write(chunk)) await once(extract, 'drain', { signal: gone.signal });
    }
    extract.end(undefined);
  } catch (error) {
    // The reader has stopped, and reports the reason.
    if (!gone.signal.aborted) throw error;
  }
}
