/** Checks that the stores are complete: the documents, and all audio that the documents name. The check changes nothing. */
import { createHash } from 'node:crypto';
import type { Sealing } from '../../src/node/files/sealing.ts';
import type { BlobStore } from './blob-store.ts';
import { blobReader } from './blobs.ts';
import type { Blobs } from './blobs.ts';
import type { CheckReport, DocumentsReport, Problem } from './condition.ts';
import type { NamedAudio } from './named-audio.ts';

const advice = 'The server starts; only this recording cannot be played. An earlier backup may have it.';

export interface Checked {
  /** As in `DocumentCare`. */
  check(): Promise<DocumentsReport>;
  namedAudio(): Promise<NamedAudio>;
  /** `undefined`: the blobs end with their process, so there is no audio to check. */
  readonly blobs: Pick<BlobStore, 'open'> | undefined;
  readonly sealing: Sealing | undefined;
}

export async function checkStores({ check, namedAudio, blobs, sealing }: Checked): Promise<CheckReport> {
  const { audio: namedBefore, ...report } = await check();
  if (!report.found || !namedBefore) return { ...report, sound: false, audio: null };
  if (!blobs) return { ...report, sound: true, audio: null };
  const bad = await checkAudio(blobs, sealing, namedBefore);
  if (bad.size > 0) {
    // A running server may have removed documents with their audio meanwhile.
    const namedNow = await namedAudio();
    for (const blob of bad.keys()) if (!namedNow.has(blob)) bad.delete(blob);
  }
  return {
    ...report,
    sound: bad.size === 0,
    audio: { named: namedBefore.size, bad: bad.size },
    problems: [...report.problems, ...bad.values()],
  };
}

/** The problems, by the id of the blob. */
async function checkAudio(
  store: Pick<BlobStore, 'open'>,
  sealing: Sealing | undefined,
  named: NamedAudio,
): Promise<Map<string, Problem>> {
  const readers = [blobReader(store, { sealing })];
  // A plain blob is no problem: the next start encrypts it.
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
      const audio = await read(blob);
      if (!audio) continue;
      const hash = createHash('sha256');
      for await (const chunk of audio.stream) hash.update(chunk as Buffer);
      return sha256 === undefined || hash.digest('hex') === sha256
        ? undefined
        : 'the file does not hold the audio that the server wrote';
    } catch {
      return 'the file, or a part of it, cannot be read';
    }
  }
  return 'the audio of a document is missing';
}
