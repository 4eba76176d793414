import type { FileHandle } from 'node:fs/promises';
import { nodeFileSystem } from '../../server/storage/data-directory/private-files.ts';
import type { FileSystem } from '../../server/storage/data-directory/private-files.ts';

/**
 * Called before every call to the disk (after it for `handle.close`); when it throws, that call fails. A number is how many
 * bytes `handle.write` writes at most. What is looked up at once is a `stat` as well, for which no hook can wait.
 */
export type Hook = (call: string, path: string) => void | number | Promise<void | number>;

/** The real file system with a hook in front. */
export function hookedFileSystem(hook: Hook): FileSystem {
  const hookedHandle = (handle: FileHandle, path: string): FileHandle =>
    new Proxy(handle, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== 'function' || typeof property === 'symbol') return value;
        if (property === 'createReadStream') return value.bind(target);
        return async (...parameters: unknown[]) => {
          // A handle that stayed open would be the test's own fault.
          if (property === 'close') await value.apply(target, parameters);
          const most = await hook(`handle.${property}`, path);
          if (property === 'write' && most !== undefined) parameters[2] = Math.min(most, parameters[2] as number);
          return property === 'close' ? undefined : value.apply(target, parameters);
        };
      },
    });
  const paths = new WeakMap<FileHandle, string>();
  const { statNow, writeData, syncData, ...promises } = nodeFileSystem;
  const hooked = Object.fromEntries(
    Object.entries(promises).map(([call, value]) => [
      call,
      async (path: string, ...parameters: unknown[]) => {
        await hook(call, path);
        const result: unknown = await (value as (...all: unknown[]) => unknown)(path, ...parameters);
        if (call !== 'open') return result;
        const handle = hookedHandle(result as FileHandle, path);
        paths.set(handle, path);
        return handle;
      },
    ]),
  ) as unknown as FileSystem;
  return {
    ...hooked,
    statNow(path) {
      void hook('stat', path);
      return statNow(path);
    },
    async writeData(handle, bytes, from, length, position) {
      const most = await hook('handle.write', paths.get(handle)!);
      return writeData(handle, bytes, from, typeof most === 'number' ? Math.min(most, length) : length, position);
    },
    async syncData(handle) {
      await hook('handle.datasync', paths.get(handle)!);
      return syncData(handle);
    },
  };
}

/** An error as the system throws it. */
export const systemError = (code: string): Error => Object.assign(new Error(`${code}: planted`), { code });
