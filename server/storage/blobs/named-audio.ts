/** The blobs that documents name: audio, and segments of the audit trail. */
import type { StoredDocument } from '../store.ts';
import { isBlobFault } from './blobs.ts';
import type { Blobs } from './blobs.ts';

export interface NamedBlob {
  readonly holds: 'audio' | 'audit';
  /** `undefined`: the document does not state the hash. */
  readonly sha256: string | undefined;
}

/** The id of a blob → the blob. */
export type NamedAudio = Map<string, NamedBlob>;

const audioOf = (sha256: string | undefined): NamedBlob => ({ holds: 'audio', sha256 });

/** Adds the blobs of a document to `audio`. */
export function noteAudio(audio: NamedAudio, { collection, document }: StoredDocument): void {
  if (collection === 'records' && document.audio_blob !== null) {
    audio.set(document.audio_blob, audioOf(document.source.sha256));
  } else if (collection === 'jobs' && document.audio !== null) {
    audio.set(document.audio.blob, audioOf(document.audio.sha256));
  } else if (collection === 'sounds' && document.content === undefined) {
    audio.set(document.id, audioOf(document.sha256));
  } else if (collection === 'audit_segments' && document.blob !== null) {
    audio.set(document.blob, { holds: 'audit', sha256: document.sha256 ?? undefined });
  } else if (collection === 'trash') {
    for (const each of document.documents) noteAudio(audio, each as StoredDocument);
  }
}

/**
 * The whole blob, or why only this blob cannot be had. Rejects if the store has failed: an archive would leave out what the store
 * has. A disk that fails reads as one with damaged files, so the store has to list its blobs then.
 */
export async function readNamed(
  blobs: Pick<Blobs, 'read' | 'list'>,
  blob: string,
  { sha256 }: Pick<NamedBlob, 'sha256'>,
): Promise<NonNullable<Awaited<ReturnType<Blobs['read']>>> | 'missing' | 'damaged'> {
  try {
    return (await blobs.read(blob, { sha256 })) ?? 'missing';
  } catch (error) {
    if (!isBlobFault(error)) throw error;
    await blobs.list();
    return 'damaged';
  }
}
