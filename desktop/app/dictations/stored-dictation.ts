/** The data of a dictation except its audio: `meta.json` in its directory. */
import type { Sentence } from '../../../src/contract/messages/message.ts';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpokenPiece } from '../../../src/contract/spoken-piece.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { storageFailure } from '../../../src/node/files/durable-file.ts';
import { readPrivateFile, writePrivateFile } from '../../../src/node/files/private-file.ts';
import { noteChange } from '../../../src/node/files/file-changes.ts';
import { syncDirectory } from '../../../src/node/files/replace-file.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';

/** A file that can be sent. */
export interface SealedFile {
  readonly content_type: 'audio/wav' | 'audio/webm' | 'audio/ogg';
  readonly bytes: number;
  readonly sha256: string;
}

/** A part of the audio file that a live transcription of the service covers, in samples. */
export interface LiveStretch {
  /** Id of the transcription. */
  readonly id: string;
  readonly from: number;
  /** Exclusive; `null`: still growing. */
  readonly to: number | null;
}

export interface StoredDictation {
  readonly format: 1;
  readonly id: string;
  readonly item_id: string;
  readonly created_at: string;
  readonly sample_rate: number;
  readonly language: Language;
  readonly template_id: string | null;
  /**
   * `open`: can be recorded and edited. `queued`: until the service has accepted the dictation. `processing`: until the
   * record exists. `done`: the service has the audio, and the local files can be deleted.
   */
  readonly state: 'open' | 'queued' | 'processing' | 'failed' | 'done';
  readonly recovered: boolean;
  /** When the dictation was last sealed. Dictations are sent in this order. */
  readonly sealed_at: string | null;
  /** Number of previous requests with other content or a permanent failure; part of the Idempotency-Key. */
  readonly attempt: number;
  /** When the current request was first attempted. The service may have accepted it even if it never answered. */
  readonly tried_at: string | null;
  /** The file that the current request sends. */
  readonly sent: SealedFile | null;
  /** The audio as the page compressed it. */
  readonly encoded: SealedFile | null;
  readonly job_id: string | null;
  readonly record_id: string | null;
  /** `reason`: the `details.reason` of the service. */
  /** The live transcriptions of the audio, in the order of the file; absent: none. */
  readonly live?: readonly LiveStretch[];
  /** The pieces of live transcriptions that the current request names instead of a file. */
  readonly spoken?: readonly SpokenPiece[] | null;
  readonly error: { readonly code: string; readonly message: Sentence; readonly reason?: string } | null;
}

const metaName = 'meta.json';

type Beginning = Pick<StoredDictation, 'id' | 'item_id' | 'created_at' | 'sample_rate' | 'language' | 'template_id'>;

export const newDictation = (beginning: Beginning): StoredDictation => ({
  format: 1,
  ...beginning,
  state: 'open',
  recovered: false,
  sealed_at: null,
  attempt: 0,
  tried_at: null,
  sent: null,
  encoded: null,
  job_id: null,
  record_id: null,
  error: null,
});

/** The fields for a new request, needed because the service may have accepted the last one. */
export const renewed = ({ attempt, tried_at }: StoredDictation): Partial<StoredDictation> => ({
  attempt: tried_at === null ? attempt : attempt + 1,
  tried_at: null,
  sent: null,
  spoken: null,
  job_id: null,
  error: null,
});

export const idempotencyKey = ({ id, attempt }: StoredDictation): string => (attempt === 0 ? id : `${id}.${attempt}`);

/** File name for the audio of `dictation.encoded`. */
export const encodedName = (type: SealedFile['content_type']): string => `sound.${type.slice('audio/'.length)}`;

export async function writeStored(
  directory: string,
  stored: StoredDictation,
  sealing: Sealing | undefined,
): Promise<void> {
  try {
    await writePrivateFile(join(directory, metaName), `${JSON.stringify(stored)}\n`, sealing);
  } catch (error) {
    throw storageFailure(error);
  }
}

/**
 * `undefined` if the file is missing: the directory was created, but the call never returned. Throws if the file is
 * damaged.
 */
export async function readStored(
  directory: string,
  sealing: Sealing | undefined,
): Promise<StoredDictation | undefined> {
  const text = await readPrivateFile(join(directory, metaName), sealing);
  if (text === undefined) return undefined;
  const stored = JSON.parse(text) as StoredDictation;
  if (stored.format !== 1) throw new Error('A newer version of Laudio wrote this dictation.');
  return stored;
}

/** Moves a directory, durably. */
export async function moveDirectory(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
    await syncDirectory(join(to, '..'));
    await syncDirectory(join(from, '..'));
  } catch (error) {
    throw storageFailure(error);
  }
  noteChange({ kind: 'moved', path: from, to });
}

export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  noteChange({ kind: 'removed', path: directory });
}
