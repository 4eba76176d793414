/**
 * Unpacks a `.tar.bz2` that nobody here made: as a stream, in flat memory, only plain files that are wanted, and never outside
 * of the folder given.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../../src/contract/errors.ts';
import { readTar } from '../../../../src/node/files/tar.ts';

export interface Unpacking {
  /** Bytes of the archive. */
  readonly source: AsyncIterable<Uint8Array>;
  /** An empty folder. */
  readonly into: string;
  /** The largest size of a wanted file of this name, in bytes; `undefined`: it is not wanted. */
  readonly most: (name: string) => number | undefined;
  /** Of all that the archive holds, wanted or not. */
  readonly mostBytes: number;
}

export interface Unpacked {
  readonly bytes: number;
  readonly sha256: string;
}

/** Name → size and SHA-256 of each file. Rejects with DATA_DAMAGED for an archive that is damaged or not to be trusted. */
export async function unpack({ source, into, most, mostBytes }: Unpacking): Promise<ReadonlyMap<string, Unpacked>> {
  const files = new Map<string, Unpacked>();
  const explain = (error: unknown): unknown => (error instanceof AppError ? error : untrusted('it cannot be unpacked'));
  for await (const { name, type, size, content } of readTar(expanded(source, mostBytes), explain)) {
    const plain = plainName(name);
    if (type === 'file' && most(plain) !== undefined) {
      if (files.has(plain)) throw untrusted(`it holds ${plain} twice`);
      if (size > most(plain)!) throw untrusted(`${plain} is larger in it than it may be`);
      files.set(plain, await save(join(into, plain), content));
    } else if (type !== 'file' && type !== 'directory') throw untrusted('it holds links or devices');
  }
  return files;
}

/** The last name of a path, which has to stay within its archive. */
function plainName(path: string): string {
  const names = path.split('/');
  if (path.startsWith('/') || /[\\:\0]/.test(path) || names.includes('..')) {
    throw untrusted('it holds files for other folders');
  }
  return names.at(-1) ?? '';
}

async function save(path: string, content: AsyncIterable<Uint8Array>): Promise<Unpacked> {
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const piece of content) {
      hash.update(piece);
      await file.appendFile(piece);
      bytes += piece.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** What a bzip2 stream expands to, of at most `mostBytes`. */
async function* expanded(source: AsyncIterable<Uint8Array>, mostBytes: number): AsyncGenerator<Uint8Array, void> {
  const { default: createExpansion } = await import('unbzip2-stream');
  const expansion = createExpansion();
  const ready: Buffer[] = [];
  let failure: unknown;
  let bytes = 0;
  // It works within each call of `write`, whoever listens; so it is fed no faster than what it gives is taken.
  expansion.on('data', (piece: Buffer) => void ready.push(piece));
  expansion.on('error', (error: unknown) => void (failure ??= error));
  function* taken(): Generator<Uint8Array, void> {
    if (failure !== undefined) throw untrusted('it is no whole bzip2 file');
    for (const piece of ready.splice(0)) {
      bytes += piece.length;
      if (bytes > mostBytes) throw untrusted('it unpacks to far more than its model');
      yield piece;
    }
  }
  for await (const piece of source) {
    for (let at = 0; at < piece.length; at += fedBytes) {
      expansion.write(Buffer.from(piece.buffer, piece.byteOffset + at, Math.min(fedBytes, piece.length - at)));
      yield* taken();
    }
  }
  expansion.end();
  yield* taken();
}

/** A block of bzip2 may be much smaller than this, and expand to many MB. */
const fedBytes = 4096;

const untrusted = (how: string): AppError =>
  new AppError('DATA_DAMAGED', {
    message: `The archive is not taken: ${how}.`,
    hint: 'Take the archive from elsewhere with --from ADDRESS|FOLDER|FILE.',
  });
