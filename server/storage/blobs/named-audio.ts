/** The blobs that documents name: audio, and segments of the audit trail. */
import type { StoredDocument } from '../store.ts';

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
