/**
 * Changes of files that their writers report once they are on disk, for whoever keeps a copy of a directory elsewhere. The system's own
 * watchers come late, and don't say which bytes are whole.
 */
import { resolve, sep } from 'node:path';

export type FileChange =
  /** The file has another content. */
  | { readonly kind: 'replaced'; readonly path: string }
  /** The file is `size` bytes long, and begins as before: it has grown, or lost what was being written at its end. */
  | { readonly kind: 'resized'; readonly path: string; readonly size: number }
  /** The file is gone, or the directory with everything in it. */
  | { readonly kind: 'removed'; readonly path: string }
  /** The directory and everything in it. */
  | { readonly kind: 'moved'; readonly path: string; readonly to: string };

type Listener = (change: FileChange) => void;

const followed = new Map<string, Listener>();

/** Calls `listener` with each change below the directory, until the returned function is called. */
export function followFiles(directory: string, listener: Listener): () => void {
  const beginning = `${resolve(directory)}${sep}`;
  followed.set(beginning, listener);
  return () => void followed.delete(beginning);
}

/** Reports a change that is on disk. */
export function noteChange(change: FileChange): void {
  if (followed.size === 0) return;
  const path = resolve(change.path);
  for (const [beginning, listener] of followed) if (path.startsWith(beginning)) listener({ ...change, path });
}
