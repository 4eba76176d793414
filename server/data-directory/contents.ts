/** What a store keeps in a data directory, as far as whoever cares for the directory as a whole has to know it. */
import type { FileSystem } from './private-files.ts';

export interface DirectoryContents {
  /** The names of its files in the directory. */
  readonly files?: RegExp;
  /** The names of its folders. */
  readonly folders?: readonly string[];
  /** Whether anything of it can be read with a key alone. Rejects as the file system does. */
  holdsSealed(directory: string, fs: FileSystem): Promise<boolean>;
}
