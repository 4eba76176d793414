/** Whether stores have what they should: their documents, and all audio that those name. Nothing is changed. */
import { createHash } from 'node:crypto';
import type { Sealing } from '../../src/node/files/sealing.ts';
import type { BlobStore } from './blob-store.ts';
import { blobReader } from './blobs.ts';
import type { Blobs } from './blobs.ts';
import type { CheckReport, DocumentsReport, Problem } from './condition.ts';
import type { NamedAudio } from './named-audio.ts';

const advice = 'The server starts; only this recording cannot be played. An earlier backup may have it.';

export interface Checked {
  /** As `DocumentCare` has them. */
  check(): Promise<DocumentsReport>;
  namedAudio(): Promise<NamedAudio>;
  /** `undefined` where there is nothing to look at. */
  readonly blobs: Pick<BlobStore, 'open'> | undefined;
  readonly sealing: Sealing | undefined;
}

export async function checkStores({ check, namedAudio, blobs, sealing }: Checked): Promise<CheckReport> {
  const { audio: named, ...report } = await check();
  if (!report.found || !named) return { ...report, sound: false, audio: null };
  if (!blobs) return { ...report, sound: true, audio: null };
  const bad = await checkAudio(blobs, sealing, named);
  if (bad.size > 0) {
    // A running server may have removed documents with their audio meanwhile.
    const still = await namedAudio();
    for (const blob of bad.keys()) if (!still.has(blob)) bad.delete(blob);
  }
  return {
    ...report,
    sound: bad.size === 0,
    audio: { named: named.size, bad: bad.size },
    problems: [...report.problems, ...bad.values()],
  };
}

/** The problems, by blob. */
async function checkAudio(
  store: Pick<BlobStore, 'open'>,
  sealing: Sealing | undefined,
  named: NamedAudio,
): Promise<Map<string, Problem>> {
  const readers = [blobReader(store, { sealing })];
  // What was plain before is encrypted by the next start.
  if (sealing) readers.push(blobReader(store));
  const problems = new Map<string, Problem>();
  for (const [blob, sha256] of named) {
    const what = await faultOf(readers, blob, sha256);
    if (what !== undefined) {
      problems.set(blob, { file: `audio/${blob}`, offset: null, harmless: false, what, advice });
    }
  }
  return problems;
}

async function faultOf(
  readers: readonly Blobs['read'][],
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
