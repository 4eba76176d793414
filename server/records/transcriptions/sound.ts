/**
 * The sound of one transcription: pieces, each a document. What comes while somebody speaks are tenths of a second, ten times a
 * second: they lie in their documents, since a file of its own would cost each of them ten times as much. Many of them become
 * one blob, so that an hour takes hundreds of files. The last seconds are in memory too, for whoever listens live.
 */
import { Readable } from 'node:stream';
import { createOrder } from '../../../src/domain/in-order.ts';
import { maxAudioBytes } from '../../../src/contract/record.ts';
import type { RecordDeps } from '../deps.ts';
import type { Documents } from '../../storage/collections.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { removeBlob } from '../uploads/remove-blob.ts';
import type { Sound } from './transcriptions.ts';
import { lastElement } from '../../../src/domain/elements.ts';

/** As many small pieces at the end become one. */
const mostSmall = 64;
/** Bytes up to which a piece is small. */
const small = 128 * 1024;
/** Bytes up to which a piece lies in its document. */
const inDocument = 16 * 1024;
/** Bytes of the newest sound that stay in memory. */
const remembered = 256 * 1024;

type Deps = Pick<RecordDeps, 'store' | 'blobs' | 'ids' | 'log'>;
type StoredPiece = Documents['sounds'];

interface Piece extends Omit<StoredPiece, 'content'> {
  /** The sound itself, where it lies in the document, or is remembered. */
  readonly sound?: Buffer;
}

const isBlob = ({ sha256 }: Pick<Piece, 'sha256'>): boolean => sha256 !== undefined;

const pieceOf = ({ content, ...piece }: StoredPiece): Piece =>
  content === undefined ? piece : { ...piece, sound: Buffer.from(content, 'base64') };

/** Opens the sound of the transcription with that id, as it is stored. */
export async function openSound(deps: Deps, transcription: string): Promise<Sound> {
  const stored = await deps.store.find('sounds', { is: { transcription } });
  const pieces = stored.map(pieceOf).toSorted((a, b) => a.at - b.at);
  return soundOf(deps, transcription, pieces);
}

const endOf = ({ at, bytes }: Piece): number => at + bytes;

function soundOf(deps: Deps, transcription: string, pieces: Piece[]): Sound {
  const { store, blobs, ids } = deps;
  const merging = createOrder();
  let size = pieces.length === 0 ? 0 : endOf(lastElement(pieces));
  let inMemory = 0;
  /** Pieces before this one are not remembered. */
  let firstRemembered = pieces.length;

  function forgetOldest(limit: number): void {
    while (inMemory > limit && firstRemembered < pieces.length) {
      const { sound, ...piece } = pieces[firstRemembered]!;
      if (isBlob(piece)) {
        inMemory -= sound?.length ?? 0;
        pieces[firstRemembered] = piece;
      }
      firstRemembered++;
    }
  }

  /** Stores a piece in place of `former` pieces. */
  async function put(piece: StoredPiece, former: readonly Piece[] = []): Promise<Piece> {
    await store.transact(async (tx) => {
      if (!(await tx.get('transcriptions', transcription))) throw new AppError('NOT_FOUND');
      for (const each of former) tx.remove('sounds', each.id);
      tx.put('sounds', piece);
    });
    return pieceOf(piece);
  }

  /** Stores a piece whose sound is a blob. */
  async function write(at: number, sound: AsyncIterable<Uint8Array>, former: readonly Piece[] = []): Promise<Piece> {
    const id = ids('blb');
    const { bytes, sha256 } = await blobs.write(id, sound, maxAudioBytes);
    try {
      return await put({ id, transcription_id: transcription, at, bytes, sha256 }, former);
    } catch (error) {
      await removeBlob(deps, id);
      throw error;
    }
  }

  /** Stores the sound at the end. */
  function writeNext(sound: Buffer): Promise<Piece> {
    const { length: bytes } = sound;
    if (bytes > inDocument) return write(size, Readable.from([sound]));
    return put({ id: ids('blb'), transcription_id: transcription, at: size, bytes, content: sound.toString('base64') });
  }

  async function merge(): Promise<void> {
    let first = pieces.length;
    while (first > 0 && pieces[first - 1]!.bytes <= small) first--;
    const former = pieces.slice(first);
    if (former.length < mostSmall) return;
    const from = former[0]!.at;
    const merged = await write(from, read(from, endOf(lastElement(former))), former);
    pieces.splice(first, former.length, merged);
    inMemory = pieces.slice(first).reduce((sum, { sound }) => sum + (sound?.length ?? 0), 0);
    firstRemembered = first + 1;
    for (const piece of former) if (isBlob(piece)) await removeBlob(deps, piece.id);
  }

  async function* read(from: number, to: number): AsyncGenerator<Buffer, void> {
    for (let at = from; at < to;) {
      const piece = pieces[indexOf(pieces, at)];
      if (!piece || piece.at > at) throw missing();
      const [start, end] = [at - piece.at, Math.min(to, endOf(piece)) - piece.at];
      if (piece.sound) {
        yield piece.sound.subarray(start, end);
        at = piece.at + end;
        continue;
      }
      const blob = await blobs.read(piece.id, { range: { start, end: end - 1 }, sha256: piece.sha256! });
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
      pieces.push({ ...(await writeNext(bytes)), sound: bytes });
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
