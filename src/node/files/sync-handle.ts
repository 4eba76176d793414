/** Flushes files to the disk. Yarn's Plug'n'Play replaces `node:fs`, and its handles can't: there their descriptors are flushed. */
import { fdatasync, fsync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

const isPlugAndPlay = process.versions['pnp'] !== undefined;

/** Flushes content and properties. */
export const syncHandle = (handle: Pick<FileHandle, 'fd' | 'sync'>): Promise<void> =>
  isPlugAndPlay ? flush(fsync, handle.fd) : handle.sync();

/** Flushes the content. */
export const syncHandleData = (handle: Pick<FileHandle, 'fd' | 'datasync'>): Promise<void> =>
  isPlugAndPlay ? flush(fdatasync, handle.fd) : handle.datasync();

const flush = (flushNow: typeof fsync, fd: number): Promise<void> =>
  new Promise((resolve, reject) => flushNow(fd, (error) => (error ? reject(error) : resolve())));
