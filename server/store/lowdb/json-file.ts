/** Keeps the whole state in one JSON file, replaced at each write. */
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { hasCode, removeTemporaries, replacePrivateFile } from './private-files.ts';
import type { FileSystem } from './private-files.ts';
import { formatState, parseState } from './state.ts';
import type { Persistence } from './state.ts';

const file = 'database.json';

export function createJsonFile(directory: string, fs: FileSystem): Persistence {
  const path = join(directory, file);
  return {
    async load() {
      await removeTemporaries(fs, directory, file);
      try {
        return parseState(await fs.readFile(path, 'utf8'), file);
      } catch (cause) {
        if (hasCode(cause, 'ENOENT')) return null;
        if (cause instanceof AppError) throw cause;
        throw new AppError('CONFIGURATION', {
          message: `The file ${file} in the data directory cannot be read.`,
          cause,
        });
      }
    },
    // The text is made before anything waits: later commits are not in it.
    persist: async (_changes, state) => replacePrivateFile(fs, path, formatState(state)),
    close: async () => {},
  };
}
