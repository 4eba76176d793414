import { fsync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** Flushes the file to disk. Yarn's Plug'n'Play replaces `node:fs`, and its handles lack `sync`. */
export function syncHandle(handle: Pick<FileHandle, 'fd'> & { sync?(): Promise<void> }): Promise<void> {
  if (handle.sync) return handle.sync();
  return new Promise((resolve, reject) => fsync(handle.fd, (error) => (error ? reject(error) : resolve())));
}
