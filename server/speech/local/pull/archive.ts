/**
 * Unpacks an untrusted `.tar.bz2`: streaming, with constant memory, only the wanted plain files, and only into the
 * given folder.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../../src/contract/errors.ts';
import { readTar } from '../../../../src/node/files/tar.ts';
import { syncHandle } from '../../../../src/node/files/sync-handle.ts';

export interface UnpackOptions {
  /** Content of the archive. */
  readonly source: AsyncIterable<Uint8Array>;
  /** An empty folder. */
  readonly into: string;
  /** The maximum size of a wanted file in bytes; `undefined` if it is not wanted. */
  readonly maxSize: (name: string) => number | undefined;
  /** Limits the whole archive, including files that are not wanted. */
  readonly maxBytes: number;
}

export interface UnpackedFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** Returns name → size and SHA-256 of each file. Rejects with DATA_DAMAGED if the archive is damaged or suspicious. */
export async function unpack({
  source,
  into,
  maxSize,
  maxBytes,
}: UnpackOptions): Promise<ReadonlyMap<string, UnpackedFile>> {
  const files = new Map<string, UnpackedFile>();
  const explain = (error: unknown): unknown => (error instanceof AppError ? error : untrusted('it cannot be unpacked'));
  for await (const { name, type, size, content } of readTar(decompress(source, maxBytes), explain)) {
    const plain = plainName(name);
    const max = type === 'file' ? maxSize(plain) : undefined;
    if (max !== undefined) {
      if (files.has(plain)) throw untrusted(`it holds ${plain} twice`);
      if (size > max) throw untrusted(`${plain} is too large`);
      files.set(plain, await save(join(into, plain), content));
    } else if (type !== 'file' && type !== 'directory') throw untrusted('it contains links or devices');
  }
  return files;
}

/** Returns the base name of a path that stays within its archive. */
function plainName(path: string): string {
  const names = path.split('/');
  if (path.startsWith('/') || /[\\:\0]/.test(path) || names.includes('..')) {
    throw untrusted('it contains paths outside its folder');
  }
  return names.at(-1) ?? '';
}

async function save(path: string, content: AsyncIterable<Uint8Array>): Promise<UnpackedFile> {
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const piece of content) {
      hash.update(piece);
      await file.appendFile(piece);
      bytes += piece.length;
    }
    await syncHandle(file);
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Decompresses bzip2, up to `maxBytes`. */
async function* decompress(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array, void> {
  const { default: createExpansion } = await import('unbzip2-stream');
  const expansion = createExpansion();
  const ready: Buffer[] = [];
  let failure: unknown;
  let bytes = 0;
  // Each `write` decompresses synchronously, so input is written in small pieces.
  expansion.on('data', (piece: Buffer) => void ready.push(piece));
  expansion.on('error', (error: unknown) => void (failure ??= error));
  function* drain(): Generator<Uint8Array, void> {
    if (failure !== undefined) throw untrusted('it is not a complete bzip2 file');
    for (const piece of ready.splice(0)) {
      bytes += piece.length;
      if (bytes > maxBytes) throw untrusted('it unpacks to far more than the model');
      yield piece;
    }
  }
  for await (const piece of source) {
    for (let at = 0; at < piece.length; at += inputBytes) {
      expansion.write(Buffer.from(piece.buffer, piece.byteOffset + at, Math.min(inputBytes, piece.length - at)));
      yield* drain();
    }
  }
  expansion.end();
  yield* drain();
}

/** A smaller block of bzip2 may still expand to many MB. */
const inputBytes = 4096;

const untrusted = (how: string): AppError =>
  new AppError('DATA_DAMAGED', {
    message: `The archive was refused: ${how}.`,
    hint: 'Get the archive from another place with --from ADDRESS|FOLDER|FILE.',
  });
