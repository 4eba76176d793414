/** Writes one backup, which counts once it was read back and is whole. */
import { AppError } from '../../../src/contract/errors.ts';
import { documentsPart, parseBlobPart, readArchive } from '../../../src/node/files/backup-archive.ts';
import { noteAudio } from '../../storage/blobs/named-audio.ts';
import type { NamedAudio } from '../../storage/blobs/named-audio.ts';
import { openBackup, sealBackup } from '../../storage/sealing/sealed-backup.ts';
import { backup, noCounts } from '../maintenance/backup.ts';
import type { Care } from '../maintenance/care.ts';
import type { BackupName } from './names.ts';
import type { BackupTarget, CheckStored } from './target.ts';

export interface PlannedBackup {
  readonly name: BackupName;
  readonly passphrase: string | undefined;
  /** Ends the writing and the reading; no backup stays then. */
  readonly signal: AbortSignal;
}

/** Returns how much audio was missing or damaged already. */
export function writeBackup(
  care: Care,
  target: BackupTarget,
  { name, passphrase, signal }: PlannedBackup,
): Promise<number> {
  const archive = passphrase === undefined ? backup(care) : sealBackup(backup(care), passphrase);
  const check: CheckStored<number> = (stored) =>
    readBack(care, passphrase === undefined ? stored : openBackup(stored, passphrase));
  return target.write(name, archive, check, signal);
}

/** Checks what a restore checks: every checksum, each document by its schema, and that each named recording is there, or listed. */
async function readBack({ readLines }: Care, archive: AsyncIterable<Uint8Array>): Promise<number> {
  const named: NamedAudio = new Map();
  const counts = noCounts();
  const parts = readArchive(archive);
  for (;;) {
    const next = await parts.next();
    if (next.done) {
      const { documents, missing_audio, damaged_audio = [] } = next.value;
      const leftOut = new Set([...missing_audio, ...damaged_audio]);
      const isListed = [...named.keys()].every((blob) => leftOut.has(blob));
      const isCounted = Object.entries(counts).every(([name, count]) => documents[name] === count);
      if (!isListed || !isCounted) throw refuseIncomplete();
      return leftOut.size;
    }
    const { name, content, sha256 } = next.value;
    if (name === documentsPart) {
      for await (const stored of readLines(content)) {
        noteAudio(named, stored);
        counts[stored.collection] += 1;
      }
      continue;
    }
    for await (const _chunk of content);
    const blob = parseBlobPart(name) ?? '';
    const expected = named.get(blob);
    if (!named.delete(blob) || (expected?.sha256 ?? sha256()) !== sha256()) throw refuseIncomplete();
  }
}

const refuseIncomplete = (): AppError =>
  new AppError('DATA_DAMAGED', { message: 'The backup does not hold what its documents name.' });
