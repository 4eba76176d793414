/**
 * The encryption of blobs outside of the data directory. A mark among the blobs proves the key: without it, a server with
 * another key, or with none, would take their audio for missing.
 */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { AppError } from '../../../src/contract/errors.ts';
import { oneChunk } from '../../../src/node/files/pieces.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { leaseName } from '../members.ts';
import type { Members } from '../members.ts';
import type { Store } from '../store.ts';
import { createSealing } from './sealing.ts';

/** The name of the mark: a salt, and this text sealed with a key made of that salt. */
const markName = 'sealing';
const markText = Buffer.from('laudio audio');
const saltLength = 16;

export interface SharedSealingOptions {
  /** The same in every process; `undefined`: the key of the data directory. */
  readonly dataKey: Uint8Array | undefined;
  readonly ofDirectory: Sealing | undefined;
  /** Encrypts blobs from now on, if they are plain. */
  readonly encrypt: boolean;
}

export interface SharedSealing {
  /** `undefined`: the blobs are plain, or encrypted by their service. */
  readonly sealing: Sealing | undefined;
  /** Whether plain blobs may be there still, which the caller seals before it calls `mark`. */
  readonly isNew: boolean;
}

/** Finds the key of the blobs. Throws AppError CONFIGURATION if they are encrypted with another key, or with one that is not given. */
export async function findSharedSealing(
  store: Pick<BlobStore, 'open'>,
  { dataKey, ofDirectory, encrypt }: SharedSealingOptions,
): Promise<SharedSealing> {
  const given = dataKey ? createSealing(dataKey) : ofDirectory;
  const mark = await readMark(store);
  if (!mark) {
    if (encrypt && !given) throw refuseKey('The audio of this server is to be encrypted, and there is no key for it.');
    return { sealing: encrypt || ofDirectory ? given : undefined, isNew: true };
  }
  if (!given) throw refuseKey('The audio of this server is encrypted.');
  try {
    const salt = mark.subarray(0, saltLength);
    given.forFile(salt).open(mark.subarray(saltLength), markText);
  } catch {
    throw refuseKey('The audio of this server is encrypted with another key.');
  }
  return { sealing: given, isNew: false };
}

/** The lease of each process that encrypts the audio. */
const sealer = 'sealed audio';

/**
 * Throws AppError CONFIGURATION if another process over the same audio does not encrypt it, or does so while this one does not: each
 * would take the audio of the other one for missing.
 */
export async function requireSameSealing(
  { members, store }: { readonly members: Members; readonly store: Pick<Store, 'probe'> },
  { sealing, isNew }: SharedSealing,
): Promise<void> {
  if (!sealing) {
    if (!(await members.isHeld(leaseName(sealer, '')))) return;
    throw refuseKey('Another process encrypts the audio of this server.');
  }
  await members.claim(leaseName(sealer, members.id), { begin() {}, end() {} }).answered;
  if (!isNew) return;
  // Puts out those that have crashed.
  await store.probe();
  for (const id of await members.present()) {
    if (id === members.id || (await members.isHeld(leaseName(sealer, id)))) continue;
    throw new AppError('CONFIGURATION', {
      message: 'Another process of this server runs without --encrypt, and would find no audio any more.',
      hint: 'Stop all processes, start one with --encrypt and LAUDIO_DATA_KEY, and once it is ready the others in the same way.',
    });
  }
}

/** Says by a mark that every blob is sealed. */
export async function markSealed(store: BlobStore, sealing: Sealing): Promise<void> {
  const salt = randomBytes(saltLength);
  await store.put(markName, oneChunk(Buffer.concat([salt, sealing.forFile(salt).seal(markText, markText)])));
}

async function readMark(store: Pick<BlobStore, 'open'>): Promise<Buffer | undefined> {
  const blob = await store.open(markName);
  if (!blob) return undefined;
  try {
    return await buffer(blob.read(0, blob.size - 1, blob.size));
  } finally {
    await blob.close();
  }
}

const refuseKey = (message: string): AppError =>
  new AppError('CONFIGURATION', {
    message,
    hint: 'Set LAUDIO_DATA_KEY to its 32 bytes in base64, as `openssl rand -base64 32` makes them, the same for every process.',
  });
