import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory of this test's own, gone when the test is over. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'laudio-test-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
