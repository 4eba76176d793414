/**
 * The sound of one transcription: pieces, each a blob and a document. Many small pieces become one, so that an hour takes
 * hundreds of files and not tens of thousands. The last seconds are in memory too, for whoever listens live.
 */
import { createOrder } from '../../src/domain/in-order.ts';
import { maxAudioBytes } from '../../src/contract/record.ts';
import type { Services } from '../services.ts';
import type { Documents } from '../store/collections.ts';
import { AppError } from '../../src/contract/errors.ts';
import { removeBlob } from '../uploads/remove-blob.ts';
import type { Sound } from './transcriptions.ts';

/** As many small pieces at the end become one. */
const mostSmall = 64;
/** Bytes up to which a piece is small. */
const small = 128 * 1024;
/** Bytes of the newest sound that stay in memory. */
const remembered = 256 * 1024;

type Deps = Pick<Services, 'store' | 'blobs' | 'ids' | 'log'>;
type StoredPiece = Documents['sounds'];

interface Piece extends StoredPiece {
  /** The sound itself, where it is remembered. */
  readonly content?: Buffer;
}

/** Opens the sound of the transcription with that id, as it is stored. */
export async function openSound(deps: Deps, transcription: string): Promise<Sound> {
  const stored = await deps.store.find('sounds', { is: { transcription } });
  const pieces: Piece[] = stored.toSorted((a, b) => a.at - b.at);
  return soundOf(deps, transcription, pieces);
}

const endOf = ({ at, bytes }: StoredPiece): number => at + bytes;

function soundOf(deps: Deps, transcription: string, pieces: Piece[]): Sound {
  const { store, blobs, ids } = deps;
  const merging = createOrder();
  let size = pieces.length === 0 ? 0 : endOf(pieces.at(-1)!);
  let inMemory = 0;
  /** Pieces before this one are not remembered. */
  let firstRemembered = pieces.length;

  function forgetOldest(limit: number): void {
    while (inMemory > limit && firstRemembered < pieces.length) {
      const { content, ...piece } = pieces[firstRemembered]!;
      inMemory -= content?.length ?? 0;
      pieces[firstRemembered++] = piece;
    }
  }

  /** Writes the blob and the document of a piece in place of `former` pieces. */
  async function write(at: number, content: AsyncIterable<Uint8Array>, former: readonly Piece[]): Promise<Piece> {
    const id = ids('blb');
    const { bytes, sha256 } = await blobs.write(id, content, maxAudioBytes);
    const piece: StoredPiece = { id, transcription_id: transcription, at, bytes, sha256 };
    try {
      await store.transact(async (tx) => {
        if (!(await tx.get('transcriptions', transcription))) throw new AppError('NOT_FOUND');
        for (const each of former) tx.remove('sounds', each.id);
        tx.put('sounds', piece);
      });
    } catch (error) {
      await removeBlob(deps, id);
      throw error;
    }
    return piece;
  }

  async function merge(): Promise<void> {
    let first = pieces.length;
    while (first > 0 && pieces[first - 1]!.bytes <= small) first--;
    const former = pieces.slice(first);
    if (former.length < mostSmall) return;
    const from = former[0]!.at;
    const merged = await write(from, read(from, endOf(former.at(-1)!)), former);
    pieces.splice(first, former.length, merged);
    inMemory = pieces.slice(first).reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
    firstRemembered = first + 1;
    for (const { id } of former) await removeBlob(deps, id);
  }

  async function* read(from: number, to: number): AsyncGenerator<Buffer, void> {
    for (let at = from; at < to;) {
      const piece = pieces[indexOf(pieces, at)];
      if (!piece || piece.at > at) throw missing();
      const [start, end] = [at - piece.at, Math.min(to, endOf(piece)) - piece.at];
      if (piece.content) {
        yield piece.content.subarray(start, end);
        at = piece.at + end;
        continue;
      }
      const blob = await blobs.read(piece.id, { range: { start, end: end - 1 }, sha256: piece.sha256 });
      if (!blob) {
        // It has become a part of a larger piece meanwhile.
        if (pieces.includes(piece)) throw missing();
        continue;
      }
      for await (const bytes of blob.stream) {
        yield bytes as Buffer;
        at += (bytes as Buffer).length;
      }
    }
  }

  return {
    get size() {
      return size;
    },
    async append(bytes) {
      const piece = await write(
        size,
        (async function* () {
          yield bytes;
        })(),
        [],
      );
      pieces.push({ ...piece, content: bytes });
      size += bytes.length;
      inMemory += bytes.length;
      forgetOldest(remembered);
      // Pieces that could not be made one now are made one later.
      void merging(merge).catch(() => undefined);
    },
    read,
    idle: () => merging(async () => {}),
    forget: () => forgetOldest(0),
  };
}

/** The index of the last piece that begins at `at` or before. */
function indexOf(pieces: readonly Piece[], at: number): number {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pieces[middle]!.at > at) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

const missing = (): AppError => new AppError('INTERNAL_ERROR', { message: 'A part of the sound is missing.' });
