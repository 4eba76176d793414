/** How much a data directory holds. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoreUsage } from '../condition.ts';
import { listDataFiles } from './data-files.ts';
import { nodeFileSystem } from '../../data-directory/private-files.ts';

/** Files looked at at a time. */
const atOnce = 32;

/** Files that go while it counts are not counted. */
export async function usageOf(directory: string): Promise<StoreUsage> {
  const { snapshots, journals } = await listDataFiles(nodeFileSystem, directory);
  const documents = await statsOf([...snapshots, ...journals].map(({ name }) => join(directory, name)));
  const folder = join(directory, 'audio');
  const audio = await statsOf(
    (await readdir(folder)).filter((name) => name.startsWith('blb_')).map((name) => join(folder, name)),
  );
  const newest = snapshots.at(-1);
  const last = newest && (await statsOf([join(directory, newest.name)]))[0];
  return {
    documents_bytes: sum(documents),
    audio_files: audio.length,
    audio_bytes: sum(audio),
    last_snapshot_at: last ? last.mtime.toISOString() : null,
  };
}

interface Stats {
  readonly size: number;
  readonly mtime: Date;
}

const sum = (stats: readonly Stats[]): number => stats.reduce((total, { size }) => total + size, 0);

async function statsOf(paths: readonly string[]): Promise<Stats[]> {
  const found: Stats[] = [];
  for (let from = 0; from < paths.length; from += atOnce) {
    const some = await Promise.all(paths.slice(from, from + atOnce).map((path) => stat(path).catch(() => undefined)));
    found.push(...some.filter((stats) => stats !== undefined));
  }
  return found;
}
