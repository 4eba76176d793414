/** Explains errors of the system about files: the file, the failed action, and a remedy. */
import { basename } from 'node:path';

/** The key is the name of the call in Node. */
const verbs: Readonly<Record<string, string>> = {
  open: 'opened',
  read: 'read',
  write: 'written',
  fsync: 'written to disk',
  fdatasync: 'written to disk',
  ftruncate: 'cut to its length',
  stat: 'found',
  fstat: 'found',
  lstat: 'found',
  access: 'opened',
  scandir: 'listed',
  opendir: 'listed',
  mkdir: 'made',
  rename: 'given its name',
  link: 'given its name',
  unlink: 'removed',
  chmod: 'made private',
  fchmod: 'made private',
};

const advice: Readonly<Record<string, string>> = {
  EIO: 'The disk reports an error: look at the log of the system, and have a backup at hand.',
  ENOSPC: 'Make room on its disk.',
  EDQUOT: 'Make room on its disk, or have the quota raised.',
  EMFILE: 'Too many files are open: raise the limit (ulimit -n), or end the programs that hold them.',
  ENFILE: 'Too many files are open: raise the limit of the system, or end the programs that hold them.',
  EACCES: 'Its owner has to be the user that runs this.',
  EPERM: 'Its owner has to be the user that runs this.',
  EROFS: 'Its disk may only be read.',
  EFBIG: 'Raise the limit to the size of files (ulimit -f).',
};

export interface SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  /** Path of the file; errors of an open file lack it. */
  path?: string;
  /** Target of a rename or a link. */
  readonly dest?: string;
}

/** Codes of connections, which programs read and write like files. */
const ofConnections = /^(?:ECONN|ENOTCONN|EPIPE|ETIMEDOUT)/;

export const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error &&
  'code' in error &&
  !ofConnections.test(String(error.code)) &&
  'syscall' in error &&
  Object.hasOwn(verbs, String(error.syscall));

const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether the disk had no room for a write. */
export const isFullDisk = (error: unknown): boolean => fullDisk.has(String((Object(error) as { code?: unknown }).code));

/** Adds the file's path to the error and returns the error. */
export function ofFile(path: string, error: unknown): unknown {
  if (isSystemError(error)) error.path ??= path;
  return error;
}

/** An unfinished file's name has a prefix and a suffix. */
const plainName = (path: string): string =>
  basename(path)
    .replace(/^\.(?=.*\.tmp$)/, '')
    .replace(/\.(?:[0-9a-f]{16}|[0-9a-f]{8}-\d+-[0-9a-f-]{36})\.tmp$/, '');

/** A sentence with only the last name of the path, and a hint for the next step. */
export function explain({ code, syscall, path, dest }: SystemError): {
  readonly message: string;
  readonly hint: string;
} {
  const where = dest ?? path;
  const what = where === undefined ? 'A file' : plainName(where);
  return { message: `${what} cannot be ${verbs[syscall]} (${code}).`, hint: advice[code] ?? 'Check the disk.' };
}
