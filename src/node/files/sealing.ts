/** The port that encrypts files. server/storage/sealing/sealing.ts implements the port for a data key. */
import { basename, dirname } from 'node:path';

export interface Sealing {
  /** A key for one file, derived from the data key and the file's salt. */
  forFile(salt: Uint8Array): FileSealing;
}

export interface FileSealing {
  /** Bytes by which sealed data is longer than plain data. */
  readonly overhead: number;
  /** Binds the result to `context`, without storing `context` in it. */
  seal(plain: Uint8Array, context: Uint8Array): Buffer;
  /** AppError STORAGE_UNAVAILABLE for changed data, another key or another context. */
  open(sealed: Uint8Array, context: Uint8Array): Buffer;
}

/** The first bytes of a file with sealed data. */
export const sealedMark = Buffer.from('LAUDIOS2');

export const isSealed = (content: Uint8Array): boolean => sealedMark.equals(content.subarray(0, sealedMark.length));

/** The key of a file, derived from its name and that of its directory, so that the directory may be moved. */
export const keyOfFile = (sealing: Sealing, path: string): FileSealing =>
  sealing.forFile(Buffer.from(`${basename(dirname(path))}/${basename(path)}`));

const whole = Buffer.from('whole');

/** A small file, sealed in one piece. */
export const sealWhole = (sealing: Sealing, path: string, content: string | Uint8Array): Buffer =>
  Buffer.concat([sealedMark, keyOfFile(sealing, path).seal(Buffer.from(content), whole)]);

/** Throws as `open` does. */
export const openWhole = (sealing: Sealing, path: string, content: Uint8Array): string =>
  keyOfFile(sealing, path).open(content.subarray(sealedMark.length), whole).toString('utf8');
