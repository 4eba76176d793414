/** Checks that the stores are complete: the documents, and all blobs that the documents name. The check changes nothing. */
import { createHash } from 'node:crypto';
import { isStorageFailure } from '../../src/contract/errors.ts';
import type { Sealing } from '../../src/node/files/sealing.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { readArchive } from '../../src/node/files/backup-archive.ts';
import { blobReader, createStream, isBlobFault, openContent, refusing, sealedEnding } from './blobs/blobs.ts';
import type { Blobs } from './blobs/blobs.ts';
import type { CheckReport, CheckedSnapshot, DocumentsReport, Problem } from './condition.ts';
import type { NamedAudio, NamedBlob } from './blobs/named-audio.ts';
import { findSnapshots } from './snapshots.ts';

const advice: Readonly<Record<NamedBlob['holds'], string>> = {
  audio: 'The server starts; only this recording cannot be played. An earlier backup may have it.',
  audit:
    'The server starts; only these entries of the audit trail cannot be read. `laudio server audit verify` names them; an earlier backup may have them.',
};

export interface StoresToCheck {
  /** As in `DocumentCare`. */
  check(): Promise<DocumentsReport>;
  namedAudio(): Promise<NamedAudio>;
  /** `undefined`: the audio is not checked, or ends with its process. */
  readonly blobs: Pick<BlobStore, 'open' | 'list'> | undefined;
  readonly sealing: Sealing | undefined;
}

export async function checkStores({ check, namedAudio, blobs, sealing }: StoresToCheck): Promise<CheckReport> {
  const { audio: namedBefore, ...report } = await check();
  if (!blobs) return { ...report, sound: report.found !== null, audio: null, snapshots: null };
  const { snapshots, problems } = await checkSnapshots(blobs, sealing);
  const all = [...report.problems, ...problems];
  if (!report.found || !namedBefore) return { ...report, sound: false, audio: null, snapshots, problems: all };
  const bad = await checkAudio(blobs, sealing, namedBefore);
  if (bad.size > 0) {
    // A running server may have removed documents with their audio meanwhile.
    const namedNow = await namedAudio();
    for (const blob of bad.keys()) if (!namedNow.has(blob)) bad.delete(blob);
  }
  return {
    ...report,
    sound: bad.size === 0 && problems.length === 0,
    audio: { named: namedBefore.size, bad: bad.size },
    snapshots,
    problems: [...all, ...bad.values()],
  };
}

/** Reads every snapshot that can be loaded: the newest of each name. */
async function checkSnapshots(
  store: Pick<BlobStore, 'open' | 'list'>,
  sealing: Sealing | undefined,
): Promise<{ snapshots: CheckedSnapshot[]; problems: Problem[] }> {
  const snapshots: CheckedSnapshot[] = [];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  // A plain one is no problem: the next start encrypts it.
  for (const [ending, key] of sealing
    ? ([
        [sealedEnding, sealing],
        ['', undefined],
      ] as const)
    : ([['', undefined]] as const)) {
    for (const { blob, name, at } of await findSnapshots(store, ending)) {
      if (seen.has(name)) continue;
      seen.add(name);
      const sound = await isWhole(store, blob, ending, key);
      // A running server has removed it meanwhile.
      if (sound === undefined) continue;
      snapshots.push({ name, created_at: new Date(at).toISOString(), sound });
      if (sound) continue;
      problems.push({
        file: `audio/${blob}${ending}`,
        offset: null,
        harmless: false,
        what: `the saved snapshot ${name} is cut off or was changed`,
        advice: `The server starts; only this snapshot cannot be loaded. Save it again, or remove it: laudio server snapshot rm ${name}`,
      });
    }
  }
  return { snapshots, problems };
}

async function isWhole(
  store: Pick<BlobStore, 'open'>,
  blob: string,
  ending: string,
  sealing: Sealing | undefined,
): Promise<boolean | undefined> {
  try {
    const opened = await refusing(() => store.open(blob + ending));
    if (!opened) return undefined;
    try {
      const { size, read } = await refusing(() => openContent(opened, blob, sealing));
      const archive = createStream(read(0, size - 1), opened.close);
      for await (const { content } of readArchive(archive)) for await (const _chunk of content);
    } finally {
      await opened.close();
    }
    return true;
  } catch (error) {
    if (isStorageFailure(error) && !isBlobFault(error)) throw error;
    return false;
  }
}

/** The problems, by the id of the blob. */
async function checkAudio(
  store: Pick<BlobStore, 'open'>,
  sealing: Sealing | undefined,
  named: NamedAudio,
): Promise<Map<string, Problem>> {
  const readers: Reading[] = [{ ending: sealing ? sealedEnding : '', read: blobReader(store, { sealing }) }];
  // A plain blob is no problem: the next start encrypts it.
  if (sealing) readers.push({ ending: '', read: blobReader(store) });
  const problems = new Map<string, Problem>();
  for (const [blob, { holds, sha256 }] of named) {
    const fault = await findFault(readers, blob, sha256);
    if (fault) {
      const { ending, kind } = fault;
      const file = `audio/${blob}${ending}`;
      problems.set(blob, { file, offset: null, harmless: false, what: whats[holds][kind], advice: advice[holds] });
    }
  }
  return problems;
}

interface Reading {
  /** The ending of the names of its blobs. */
  readonly ending: string;
  readonly read: Blobs['read'];
}

type Fault = 'changed' | 'unreadable' | 'missing';
const whats: Readonly<Record<NamedBlob['holds'], Readonly<Record<Fault, string>>>> = {
  audio: {
    changed: 'the file does not hold the audio that the server wrote',
    unreadable: 'the file, or a part of it, cannot be read',
    missing: 'the audio of a document is missing',
  },
  audit: {
    changed: 'the file does not hold the segment of the audit trail that the server wrote',
    unreadable: 'the file, or a part of it, cannot be read',
    missing: 'a segment of the audit trail is missing',
  },
};

async function findFault(
  readers: readonly Reading[],
  blob: string,
  sha256: string | undefined,
): Promise<{ ending: string; kind: Fault } | undefined> {
  for (const { ending, read } of readers) {
    try {
      const audio = await read(blob);
      if (!audio) continue;
      const hash = createHash('sha256');
      for await (const chunk of audio.stream) hash.update(chunk as Buffer);
      return sha256 === undefined || hash.digest('hex') === sha256 ? undefined : { ending, kind: 'changed' };
    } catch (error) {
      if (!isBlobFault(error)) throw error;
      return { ending, kind: 'unreadable' };
    }
  }
  return { ending: '', kind: 'missing' };
}
