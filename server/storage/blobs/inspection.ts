/** Remembers the hashes of blobs, so that a player that reads a recording in many ranges has it hashed once. */
import { removeOldest } from '../../../src/domain/oldest.ts';

interface InspectedContent {
  readonly version: string;
  readonly sha256: Promise<string>;
}

/** Blobs remembered at most; the blob inspected longest ago is forgotten first. */
const remembered = 1000;

/** Gives the SHA-256 of a blob's content. Calls `hash` only if the blob is new or has another version than before. */
export function createInspection(): (id: string, version: string, hash: () => Promise<string>) => Promise<string> {
  const inspected = new Map<string, InspectedContent>();
  return (id, version, hash) => {
    const before = inspected.get(id);
    if (before?.version === version) return before.sha256;
    const now = { version, sha256: hash() };
    inspected.delete(id);
    inspected.set(id, now);
    if (inspected.size > remembered) removeOldest(inspected);
    // A blob that could not be read may be readable the next time.
    now.sha256.catch(() => inspected.get(id) === now && inspected.delete(id));
    return now.sha256;
  };
}
