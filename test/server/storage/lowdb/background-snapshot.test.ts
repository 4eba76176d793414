/** When a snapshot is worth its while: by what a start would have to read, whatever the bytes. */
import { describe, expect, test } from 'vitest';
import { createBackgroundSnapshots } from '../../../../server/storage/lowdb/background-snapshot.ts';
import { nodeFileSystem } from '../../../../server/storage/data-directory/private-files.ts';

const MiB = 1024 * 1024;

/** After a snapshot of so many documents. */
function snapshotsAfter(documents: number) {
  const snapshots = createBackgroundSnapshots({
    directory: '/nowhere',
    fs: nodeFileSystem,
    place: { check: () => expect.unreachable() },
    sealing: undefined,
    schema: 1,
    log: () => expect.unreachable(),
    journalLimit: undefined,
  });
  snapshots.made(documents);
  return snapshots;
}

describe('a snapshot', () => {
  test('is not due for documents that came together, however many', () => {
    const snapshots = snapshotsAfter(1000);
    snapshots.grew({ bytes: 900 * MiB, commits: 10_000, documents: 1_000_000 });
    expect(snapshots.isDue(() => 1_001_000)).toBe(false);
  });

  test('is due where they came one by one and are most of what there is', () => {
    const snapshots = snapshotsAfter(1000);
    snapshots.grew({ bytes: 17 * MiB, commits: 20_000, documents: 20_000 });
    expect(snapshots.isDue(() => 21_000)).toBe(true);
  });

  test('is due where documents were written again and again', () => {
    const snapshots = snapshotsAfter(100_000);
    snapshots.grew({ bytes: 17 * MiB, commits: 20_000, documents: 20_000 });
    expect(snapshots.isDue(() => 100_000)).toBe(false);
    snapshots.grew({ bytes: 3 * MiB, commits: 3000, documents: 3000 });
    expect(snapshots.isDue(() => 100_000)).toBe(true);
  });

  test('is due where much was removed, but not for a short journal', () => {
    const snapshots = snapshotsAfter(100_000);
    snapshots.grew({ bytes: 3 * MiB, commits: 100, documents: 90_000 });
    expect(snapshots.isDue(() => 10_000)).toBe(false);
    snapshots.grew({ bytes: 13 * MiB, commits: 1, documents: 1 });
    expect(snapshots.isDue(() => 10_000)).toBe(true);
  });
});
