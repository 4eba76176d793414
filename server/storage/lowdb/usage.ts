/** Measures the disk use of the documents in a data directory. */
import { join } from 'node:path';
import { nodeFileSystem } from '../data-directory/private-files.ts';
import { readStats } from '../data-directory/stats.ts';
import type { DocumentUsage } from '../kinds.ts';
import { listDataFiles } from './data-files.ts';

/** Leaves out files that are removed meanwhile. */
export async function measureUsage(directory: string): Promise<DocumentUsage> {
  const { snapshots, journals } = await listDataFiles(nodeFileSystem, directory);
  const stats = await readStats([...snapshots, ...journals].map(({ name }) => join(directory, name)));
  const newest = snapshots.at(-1);
  const [last] = newest ? await readStats([join(directory, newest.name)]) : [];
  return {
    bytes: stats.reduce((sum, { size }) => sum + size, 0),
    last_snapshot_at: last ? last.mtime.toISOString() : null,
  };
}
