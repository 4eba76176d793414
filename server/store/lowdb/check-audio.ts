/** Reads all audio that documents name, and changes nothing. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Problem } from '../condition.ts';
import type { NamedAudio } from '../named-audio.ts';
import { blobReader } from './blobs.ts';
import type { Surroundings } from './data-files.ts';

type Read = ReturnType<typeof blobReader>;

const advice = 'The server starts; only this recording cannot be played. An earlier backup may have it.';

/** The problems, by blob. */
export async function checkAudio(
  { directory, fs, sealing }: Surroundings,
  named: NamedAudio,
): Promise<Map<string, Problem>> {
  const audio = join(directory, 'audio');
  const readers = [blobReader(audio, { fs, sealing })];
  // What was plain before is encrypted by the next start.
  if (sealing) readers.push(blobReader(audio, { fs }));
  const problems = new Map<string, Problem>();
  for (const [blob, sha256] of named) {
    const what = await faultOf(readers, blob, sha256);
    if (what !== undefined) {
      problems.set(blob, { file: join('audio', blob), offset: null, harmless: false, what, advice });
    }
  }
  return problems;
}

async function faultOf(
  readers: readonly Read[],
  blob: string,
  sha256: string | undefined,
): Promise<string | undefined> {
  for (const read of readers) {
    try {
      const found = await read(blob);
      if (!found) continue;
      const hash = createHash('sha256');
      for await (const chunk of found.stream) hash.update(chunk as Buffer);
      return sha256 === undefined || hash.digest('hex') === sha256 ? undefined : 'it is not the audio that was kept';
    } catch {
      return 'it cannot be read, or not all of it';
    }
  }
  return 'the audio of a document is missing';
}
