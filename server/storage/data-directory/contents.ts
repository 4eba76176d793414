/** The files of a store in a data directory, as far as the care of the whole directory needs to know them. */
import type { FileSystem } from './private-files.ts';

export interface DirectoryContents {
  /** The names of its files in the directory. */
  readonly files?: RegExp;
  /** The names of its folders. */
  readonly folders?: readonly string[];
  /** Whether the store has encrypted files in the directory. Rejects as the file system does. */
  holdsSealed(directory: string, fs: FileSystem): Promise<boolean>;
}
