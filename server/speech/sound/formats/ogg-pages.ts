/** Ogg (RFC 3533): pages, and the packets in them. */
import type { ByteReader } from './byte-reader.ts';
import { nameOf, viewOf } from './byte-reader.ts';
import { unreadable } from './pcm.ts';

export interface OggPage {
  readonly stream: number;
  /** The codec's position at the end of the last packet that ends in this page; -1 if none does. */
  readonly position: number;
  readonly firstOfStream: boolean;
  readonly lastOfStream: boolean;
  /** Parts of packets. All but the last end a packet; if `open`, the last continues in the next page. */
  readonly pieces: readonly Uint8Array[];
  readonly open: boolean;
}

const headBytes = 27;

/** Yields the pages until the stream ends or is cut off. */
export async function* readPages(reader: ByteReader): AsyncGenerator<OggPage> {
  for (;;) {
    const head = await reader.take(headBytes);
    if (!head) return;
    if (nameOf(head.subarray(0, 4)) !== 'OggS') throw unreadable('it is damaged');
    const view = viewOf(head);
    const flags = view.getUint8(5);
    const sizes = await reader.take(view.getUint8(26));
    const content = sizes && (await reader.take(sizes.reduce((sum, size) => sum + size, 0)));
    if (!content) return;
    const pieces: Uint8Array[] = [];
    let start = 0;
    let end = 0;
    for (const size of sizes) {
      end += size;
      if (size === 255) continue;
      pieces.push(content.subarray(start, end));
      start = end;
    }
    const open = sizes.at(-1) === 255;
    if (open) pieces.push(content.subarray(start, end));
    yield {
      stream: view.getUint32(14, true),
      position: Number(view.getBigInt64(6, true)),
      firstOfStream: (flags & 2) !== 0,
      lastOfStream: (flags & 4) !== 0,
      pieces,
      open,
    };
  }
}

const maxPacketBytes = 16 * 1024 * 1024;

/** Yields the packets in order. A truncated packet is dropped. */
export async function* joinPackets(pages: AsyncIterable<OggPage>): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = [];
  let bytes = 0;
  for await (const { pieces, open } of pages) {
    for (const [index, piece] of pieces.entries()) {
      begun.push(piece);
      bytes += piece.length;
      if (bytes > maxPacketBytes) throw unreadable('one of its packets is too large');
      if (open && index === pieces.length - 1) continue;
      const packet = begun.length === 1 ? piece : Buffer.concat(begun);
      begun = [];
      bytes = 0;
      yield packet;
    }
  }
}
