/** A worked example of a store of blobs: objects of a service, reached over HTTP. Any number of processes may use it at once. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore, OpenBlob } from '../../../server/storage/blobs/blob-store.ts';
import { blobStoreKind } from '../../../server/storage/kinds.ts';
import { object, string } from '../../../src/contract/schema.ts';

export const objectBlobStore = blobStoreKind({
  options: object({ url: string({ description: 'Where the objects are.' }) }),
  main: 'url',
  open: async ({ url }, { key }) => objectsAt(url, key),
  look: async ({ url }, { key }) => objectsAt(url, key),
});

/** What lies there is of `stage` alone, and nobody lists it. */
const aside = 'aside-';

function objectsAt(url: string, key: string | undefined): BlobStore {
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${url}/${path}`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${key}` },
    });
    if (!response.ok && response.status !== 404) throw new Error(`The service of objects says ${response.status}.`);
    return response;
  }

  async function put(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    async function* watched(): AsyncGenerator<Uint8Array> {
      try {
        yield* content;
      } catch (error) {
        failure = { error };
        throw error;
      }
    }
    const body = Readable.from(watched(), { objectMode: false });
    try {
      await ask(name, { method: 'PUT', body: Readable.toWeb(body), duplex: 'half' } as unknown as RequestInit);
    } catch (error) {
      throw failure ? failure.error : error;
    }
  }

  async function open(name: string, atEnd = async (): Promise<void> => {}): Promise<OpenBlob | undefined> {
    const head = await ask(name, { method: 'HEAD' });
    if (head.status === 404) return undefined;
    const version = head.headers.get('etag')!;
    const end = new AbortController();
    return {
      size: Number(head.headers.get('content-length')),
      version,
      async *read(start, last, step) {
        if (last < start) return;
        const { body, status } = await ask(name, {
          headers: { range: `bytes=${start}-${last}`, 'if-match': version },
          signal: end.signal,
        });
        if (status === 404) throw new Error('The object is gone.');
        let rest = Buffer.alloc(0);
        for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
          rest = Buffer.concat([rest, chunk]);
          for (; rest.length >= step; rest = rest.subarray(step)) yield rest.subarray(0, step);
        }
        if (rest.length > 0) yield rest;
      },
      async close() {
        end.abort();
        await atEnd();
      },
    };
  }

  const remove = async (name: string): Promise<void> => void (await ask(name, { method: 'DELETE' }));
  const listed = async (prefix: string): Promise<{ name: string; bytes: number }[]> => {
    const objects = (await (await ask(`?prefix=${prefix}`)).json()) as { name: string; bytes: number }[];
    return objects.filter(({ name }) => !name.startsWith(aside));
  };

  return {
    name: 'objects',
    put,
    open: (name) => open(name),
    remove,
    async *list(prefix) {
      for (const { name } of await listed(prefix)) yield name;
    },
    async stage(content) {
      const name = aside + randomUUID();
      await put(name, content);
      return (await open(name, () => remove(name)))!;
    },
    probe: async () => void (await ask('?prefix=none')),
    async usage() {
      const objects = await listed('');
      return { files: objects.length, bytes: objects.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
    close: async () => {},
  };
}
