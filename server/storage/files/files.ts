/** Blobs as files in `audio/`, in the data directory of one process. */
import { join } from 'node:path';
import { object } from '../../../src/contract/schema.ts';
import { hasCode } from '../data-directory/private-files.ts';
import { sealedEnding } from '../blobs/blobs.ts';
import { blobStoreKind, requireDirectory } from '../kinds.ts';

const name = 'files';
const folder = 'audio';

export const fileBlobStore = blobStoreKind({
  options: object({}),
  contents: {
    folders: [folder],
    async holdsSealed(directory, fs) {
      const names = await fs.readdir(join(directory, folder)).catch((error: unknown) => {
        if (hasCode(error, 'ENOENT')) return [];
        throw error;
      });
      return names.some((each) => each.endsWith(sealedEnding));
    },
  },
  async open(_options, deps) {
    const { openFileBlobs } = await import('./file-blobs.ts');
    return openFileBlobs(join(requireDirectory(deps, name).path, folder));
  },
  async look(_options, deps) {
    const { lookIntoFiles } = await import('./file-blobs.ts');
    return lookIntoFiles(join(requireDirectory(deps, name).path, folder));
  },
});
