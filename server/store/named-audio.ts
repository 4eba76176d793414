/** The audio that documents name. */
import type { StoredDocument } from './store.ts';

/** The id of a blob → its SHA-256, or `undefined` if the document does not state the hash. */
export type NamedAudio = Map<string, string | undefined>;

/** Adds the audio of a document to `audio`. */
export function noteAudio(audio: NamedAudio, { collection, document }: StoredDocument): void {
  if (collection === 'records' && document.audio_blob !== null) {
    audio.set(document.audio_blob, document.source.sha256);
  } else if (collection === 'jobs' && document.audio !== null) {
    audio.set(document.audio.blob, document.audio.sha256);
  } else if (collection === 'sounds' && document.content === undefined) {
    audio.set(document.id, document.sha256);
  } else if (collection === 'trash') {
    for (const each of document.documents) noteAudio(audio, each as StoredDocument);
  }
}
