/** Which audio documents name. */
import type { StoredDocument } from './store.ts';

/** Blob → its SHA-256, where that is known. */
export type NamedAudio = Map<string, string | undefined>;

/** Remembers which audio a document names. */
export function noteAudio(audio: NamedAudio, { collection, document }: StoredDocument): void {
  if (collection === 'records' && document.audio_blob !== null) {
    audio.set(document.audio_blob, document.source.sha256);
  } else if (collection === 'jobs' && document.audio !== null) {
    audio.set(document.audio.blob, document.audio.sha256);
  }
}
