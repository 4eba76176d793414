/**
 * The audio of one transcription, in pieces. Live audio arrives in tenths of a second; such pieces are stored within
 * their documents, which costs a tenth of a file each. Many of them are merged into one blob, so that an hour takes
 * hundreds of files. The last seconds stay in memory for live transcription.
 */
import { Readable } from 'node:stream';
import { createOrder } from '../../../src/domain/in-order.ts';
import { maxAudioBytes } from '../../../src/contract/record.ts';
import type { RecordDeps } from '../deps.ts';
import type { Documents } from '../../storage/collections.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { removeBlob, removeUnstored } from '../uploads/remove-blob.ts';
import { alreadyEnded } from './stored-transcription.ts';
import type { Sound } from './transcriptions.ts';
import { lastElement } from '../../../src/domain/elements.ts';

/** This many small pieces at the end are merged. */
const mergeCount = 64;
/** Maximum size of a small piece. */
const maxSmallBytes = 128 * 1024;
/** Maximum size of a piece within its document. */
const maxDocumentBytes = 16 * 1024;
/** Bytes of recent audio in memory. */
const maxMemory = 256 * 1024;

type Deps = Pick<RecordDeps, 'store' | 'blobs' | 'ids' | 'log'>;
type StoredPiece = Documents['sounds'];

interface Piece extends Omit<StoredPiece, 'content'> {
  /** The audio, if it is in the document or in memory. */
  readonly sound?: Buffer;
}

const isBlob = ({ sha256 }: Pick<Piece, 'sha256'>): boolean => sha256 !== undefined;

const pieceOf = ({ content, ...piece }: StoredPiece): Piece =>
  content === undefined ? piece : { ...piece, sound: Buffer.from(content, 'base64') };

/** Opens the stored audio of the transcription with that id. */
export async function openSound(deps: Deps, transcription: string): Promise<Sound> {
  const stored = await deps.store.find('sounds', { is: { transcription } });
  const pieces = stored.map(pieceOf).toSorted((a, b) => a.at - b.at);
  return createSound(deps, transcription, pieces);
}

const endOf = ({ at, bytes }: Piece): number => at + bytes;

function createSound(deps: Deps, transcription: string, pieces: Piece[]): Sound {
  const { store, blobs, ids } = deps;
  const merging = createOrder();
  let size = pieces.length === 0 ? 0 : endOf(lastElement(pieces));
  let inMemory = 0;
  /** Pieces before this one are not in memory. */
  let firstRemembered = pieces.length;

  function forgetOldest(limit: number): void {
    for (let next = pieces[firstRemembered]; next && inMemory > limit; next = pieces[++firstRemembered]) {
      if (!isBlob(next)) continue;
      const { sound, ...piece } = next;
      inMemory -= sound?.length ?? 0;
      pieces[firstRemembered] = piece;
    }
  }

  /** Stores a piece that replaces the `replaced` ones. */
  async function put(piece: StoredPiece, replaced: readonly Piece[] = []): Promise<Piece> {
    await store.transact(async (tx) => {
      const present = await tx.get('transcriptions', transcription);
      if (!present) throw new AppError('NOT_FOUND');
      // Another member may have ended it.
      if (present.status !== 'open' && replaced.length === 0) throw alreadyEnded(present.status);
      for (const each of replaced) tx.remove('sounds', each.id);
      tx.put('sounds', piece);
    });
    return pieceOf(piece);
  }

  /** Stores a piece as a blob. */
  async function write(at: number, sound: AsyncIterable<Uint8Array>, replaced: readonly Piece[] = []): Promise<Piece> {
    const id = ids('blb');
    const { bytes, sha256 } = await blobs.write(id, sound, maxAudioBytes);
    try {
      return await put({ id, transcription_id: transcription, at, bytes, sha256 }, replaced);
    } catch (error) {
      await removeUnstored(deps, id, error);
      throw error;
    }
  }

  /** Appends audio. */
  function writeNext(sound: Buffer): Promise<Piece> {
    const { length: bytes } = sound;
    if (bytes > maxDocumentBytes) return write(size, Readable.from([sound]));
    return put({ id: ids('blb'), transcription_id: transcription, at: size, bytes, content: sound.toString('base64') });
  }

  async function merge(): Promise<void> {
    const first = pieces.findLastIndex(({ bytes }) => bytes > maxSmallBytes) + 1;
    const replaced = pieces.slice(first);
    const [oldest, newest] = [replaced.at(0), replaced.at(-1)];
    if (!oldest || !newest || replaced.length < mergeCount) return;
    const merged = await write(oldest.at, read(oldest.at, endOf(newest)), replaced);
    pieces.splice(first, replaced.length, merged);
    inMemory = pieces.slice(first).reduce((sum, { sound }) => sum + (sound?.length ?? 0), 0);
    firstRemembered = first + 1;
    for (const piece of replaced) if (isBlob(piece)) await removeBlob(deps, piece.id);
  }

  async function* read(from: number, to: number): AsyncGenerator<Buffer, void> {
    for (let at = from; at < to;) {
      const piece = pieces.findLast((each) => each.at <= at);
      if (!piece) throw missing();
      const [start, end] = [at - piece.at, Math.min(to, endOf(piece)) - piece.at];
      if (piece.sound) {
        yield piece.sound.subarray(start, end);
        at = piece.at + end;
        continue;
      }
      const blob = await blobs.read(piece.id, { range: { start, end: end - 1 }, sha256: piece.sha256 });
      if (!blob) {
        // The piece may have been merged meanwhile.
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
      forgetOldest(maxMemory);
      // If merging fails, the next append tries again.
      void merging(merge).catch(() => undefined);
    },
    read,
    idle: () => merging(async () => {}),
    forget: () => forgetOldest(0),
  };
}

const missing = (): AppError => new AppError('INTERNAL_ERROR', { message: 'A part of the sound is missing.' });
