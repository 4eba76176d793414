/** Which files were seen to hold what they should, so that the many ranges of a recording are looked at once. */
import type { BigIntStats } from 'node:fs';

/** As long as nobody writes to the file these stay the same. */
type Stamp = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

interface Seen {
  readonly stamp: string;
  readonly sha256: Promise<string>;
}

/** Files remembered; the one seen first goes first. */
const remembered = 1000;

const textOf = ({ dev, ino, size, mtimeNs, ctimeNs }: Stamp): string => [dev, ino, size, mtimeNs, ctimeNs].join();

/** Gives the SHA-256 of what a file holds: what `hash` says, or said before, where nobody has touched the file since. */
export function createInspection(): (name: string, stamp: Stamp, hash: () => Promise<string>) => Promise<string> {
  const seen = new Map<string, Seen>();
  return (name, stamp, hash) => {
    const before = seen.get(name);
    if (before?.stamp === textOf(stamp)) return before.sha256;
    const now = { stamp: textOf(stamp), sha256: hash() };
    seen.delete(name);
    seen.set(name, now);
    if (seen.size > remembered) seen.delete(seen.keys().next().value!);
    // What could not be read may be readable the next time.
    now.sha256.catch(() => seen.get(name) === now && seen.delete(name));
    return now.sha256;
  };
}
