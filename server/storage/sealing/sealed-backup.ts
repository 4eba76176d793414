/** Encrypts a backup with a passphrase. The file has a line with the wrapped key, then the archive in sealed blocks. */
import { randomBytes } from 'node:crypto';
import { conforms } from '../../../src/client/conforms.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { sealedBackupMark } from '../../../src/node/files/backup-archive.ts';
import { PassphraseWrapped, unwrapWithPassphrase, wrapWithPassphrase } from './passphrase.ts';
import { openStream, sealStream } from './sealed-stream.ts';
import { createSealing, dataKeyLength } from './sealing.ts';

/** The name to which the blocks are bound. */
const content = 'backup';
/** Bytes. */
const maxHead = 4096;

/** Ends the archive with itself. AppError CONFIGURATION where the passphrase is too short to protect anything. */
export async function* sealBackup(
  archive: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Uint8Array, void> {
  const source = archive[Symbol.asyncIterator]();
  try {
    const key = randomBytes(dataKeyLength);
    const wrapped = JSON.stringify(await wrapWithPassphrase(key, passphrase));
    yield Buffer.from(`${sealedBackupMark}${wrapped}\n`);
    yield* sealStream(createSealing(key), content, { [Symbol.asyncIterator]: () => source });
  } finally {
    await source.return?.();
  }
}

/** The reverse. AppError CONFIGURATION for a wrong passphrase, VALIDATION_FAILED where anything was changed or cut off. */
export async function* openBackup(
  sealed: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Uint8Array, void> {
  const source = sealed[Symbol.asyncIterator]();
  try {
    const { wrapped, rest } = await readHead(source);
    const key = await unwrapWithPassphrase(wrapped, passphrase);
    const blocks = (async function* () {
      yield rest;
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
    })();
    yield* openStream(createSealing(key), content, blocks);
  } catch (error) {
    // The file of a person is damaged, not the server's storage.
    throw error instanceof AppError && error.code === 'STORAGE_UNAVAILABLE' ? damaged(error) : error;
  } finally {
    await source.return?.();
  }
}

async function readHead(source: AsyncIterator<Uint8Array>): Promise<{ wrapped: PassphraseWrapped; rest: Uint8Array }> {
  let head = Buffer.alloc(0);
  while (!head.includes(10) && head.length < maxHead) {
    const next = await source.next();
    if (next.done) throw damaged();
    head = Buffer.concat([head, next.value]);
  }
  const end = head.indexOf(10);
  let wrapped: unknown;
  try {
    wrapped = JSON.parse(head.subarray(sealedBackupMark.length, end).toString('utf8'));
  } catch (cause) {
    throw damaged(cause);
  }
  if (!conforms(PassphraseWrapped, wrapped)) throw damaged();
  return { wrapped: wrapped as PassphraseWrapped, rest: head.subarray(end + 1) };
}

const damaged = (cause?: unknown): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: 'This encrypted backup is damaged.',
    hint: 'Nothing was changed. Take another backup.',
    cause,
  });
