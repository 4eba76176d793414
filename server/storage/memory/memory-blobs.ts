/** A blob store in memory: its blobs end with the process. */
import type { BlobStore, OpenBlob } from '../blobs/blob-store.ts';

export function createMemoryBlobs(): BlobStore {
  const blobs = new Map<string, OpenBlob>();
  let versions = 0;
  const taken = async (content: AsyncIterable<Uint8Array>): Promise<OpenBlob> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    return openBlob(Buffer.concat(chunks), `${++versions}`);
  };
  return {
    name: 'memory',
    async put(name, content) {
      blobs.set(name, await taken(content));
    },
    open: async (name) => blobs.get(name),
    async remove(name) {
      blobs.delete(name);
    },
    async *list(prefix) {
      for (const name of blobs.keys()) if (name.startsWith(prefix)) yield name;
    },
    stage: taken,
    probe: async () => {},
    async usage() {
      let bytes = 0;
      for (const { size } of blobs.values()) bytes += size;
      return { files: blobs.size, bytes };
    },
    async close() {
      blobs.clear();
    },
  };
}

const openBlob = (content: Buffer, version: string): OpenBlob => ({
  size: content.length,
  version,
  async *read(start, end, step) {
    for (let at = start; at <= end; at += step) yield content.subarray(at, Math.min(at + step, end + 1));
  },
  close: async () => {},
});
