/** Documents in a journal and snapshots, in the data directory of one process. */
import { object } from '../../../src/contract/schema.ts';
import { nodeFileSystem } from '../data-directory/private-files.ts';
import type { FileSystem } from '../data-directory/private-files.ts';
import { documentStoreKind, requireDirectory } from '../kinds.ts';

const name = 'lowdb';

/** The file system of Node, which measures each sync of data, in ms. */
const measuringSyncs = (measure: (ms: number) => void): FileSystem => ({
  ...nodeFileSystem,
  async syncData(handle) {
    const begun = performance.now();
    await nodeFileSystem.syncData(handle);
    measure(performance.now() - begun);
  },
});

export const lowdbDocumentStore = documentStoreKind({
  options: object({}),
  blobs: 'files',
  contents: {
    files:
      /^(?:(?:journal|snapshot)-[0-9a-f]{16}\.(?:laudio|header)|acknowledged|database\.json(?:\.imported(?:\.\d+)?)?)$/,
    folders: ['quarantine', 'before-upgrade'],
    async holdsSealed(directory, fs) {
      const { holdsSealed } = await import('./data-files.ts');
      return holdsSealed(directory, fs);
    },
  },
  async open(_options, deps) {
    const directory = requireDirectory(deps, name);
    const [{ openLowdbStore }, { measureUsage: usageOf }] = await Promise.all([
      import('./lowdb-store.ts'),
      import('./data-files.ts'),
    ]);
    const { clock, log, memory, measureSync } = deps;
    const fs = measureSync && measuringSyncs(measureSync);
    const store = await openLowdbStore({ directory, clock, log, memory, ...(fs && { fs }) });
    return { store, usage: () => usageOf(directory.path), scrub: store.scrub };
  },
  care: {
    async check(_options, deps) {
      const { checkDocuments } = await import('./check.ts');
      const { path, sealing } = requireDirectory(deps, name);
      return checkDocuments(path, { sealing });
    },
    async namedAudio(_options, deps) {
      const { audioNamedIn } = await import('./check.ts');
      const { path, sealing } = requireDirectory(deps, name);
      return audioNamedIn(path, { sealing });
    },
    async repair(_options, deps) {
      const { repairDocuments } = await import('./repair.ts');
      return repairDocuments(requireDirectory(deps, name));
    },
  },
});
