/**
 * Reads every file of the documents from its first byte to its last during other work, and compares it with its checksums, so
 * that a disk that forgets is noticed while memory still holds everything.
 */
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { pause } from '../../../src/domain/pause.ts';
import { hasCode } from '../data-directory/private-files.ts';
import { createBreaks, unhurried } from '../../runtime/breaks.ts';
import type { ScrubFault, ScrubReport } from '../kinds.ts';
import { listDataFiles, openDataFile, unfinished } from './data-files.ts';
import type { DataFile, OpenDataFile, Surroundings } from './data-files.ts';
import { mendHeader } from './header-copies.ts';
import { lacking } from './recovery.ts';

export interface ScrubOptions extends Surroundings {
  /** Times the pauses. */
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The last durable commit. Later ones may be under way. */
  readonly lastCommit: () => number;
}

/** Bytes between two pauses, and ms of each pause: about 10 MB in a second. */
const stretch = { bytes: 1024 * 1024, pause: 100 };

/** Rejects with AppError INTERRUPTED once the signal is aborted. */
export async function scrubFiles(options: ScrubOptions): Promise<ScrubReport> {
  const { fs, directory } = options;
  const last = options.lastCommit();
  const { snapshots, journals } = await listDataFiles(fs, directory);
  const faults: ScrubFault[] = [];
  let bytes = 0;
  // The newest journal may just be made, where it has no commit yet.
  const begun = journals.filter(({ sequence }) => sequence < last);
  for (const file of [...snapshots, ...begun]) {
    const next = journals.find(({ sequence }) => sequence > file.sequence)?.sequence;
    try {
      const found = await scrubFile(options, file, Math.min(next ?? last, last));
      // A new snapshot may have made it superfluous meanwhile.
      if (found.faults.length > 0) await fs.stat(join(directory, file.name));
      bytes += found.bytes;
      faults.push(...found.faults);
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
  return { bytes, faults };
}

/** `until`: the last commit of a journal. */
async function scrubFile(options: ScrubOptions, file: DataFile, until: number): Promise<ScrubReport> {
  const { fs, directory } = options;
  const faultAt = (offset: number | null, what: string): ScrubFault => ({ file: file.name, offset, what });
  let opened: OpenDataFile | typeof unfinished;
  try {
    opened = await openDataFile(options, file);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { bytes: 0, faults: [faultAt(0, 'its header cannot be read')] };
  }
  if (opened === unfinished) return { bytes: 0, faults: [] };
  const faults: ScrubFault[] = [];
  try {
    if (opened.lostCopies.length > 0) {
      // A file is removed before the copy next to it: then it is superfluous, and nothing is lost.
      await fs.stat(join(directory, file.name));
      faults.push(faultAt(0, 'a copy of its header was damaged'));
      await fs.stat(join(directory, file.name));
      // If that fails, the next scrub reports it and tries again.
      await mendHeader(fs, directory, file.name, opened).catch(() => undefined);
    }
    const fault = await scrubFrames(opened, options, until);
    if (fault) faults.push(faultAt(fault.offset, fault.what));
    return { bytes: opened.size, faults };
  } finally {
    await opened.close();
  }
}

async function scrubFrames(
  opened: OpenDataFile,
  { clock, signal }: ScrubOptions,
  until: number,
): Promise<{ offset: number; what: string } | undefined> {
  const isJournal = opened.file.kind === 'journal';
  const breathe = createBreaks(unhurried);
  let last = isJournal ? opened.file.sequence : 0;
  let paused = 0;
  let isWhole = isJournal && last >= until;
  for await (const frame of opened.frames({ search: false })) {
    if (isJournal && last >= until) break;
    if (!frame.payload) {
      return {
        offset: frame.offset,
        what: frame.unreadable ? 'the disk does not read what is there' : 'it was changed',
      };
    }
    if (frame.sequence !== last + 1) return { offset: frame.offset, what: lacking(last + 1, frame.sequence - 1) };
    last = frame.sequence;
    isWhole = isJournal ? last >= until : frame.end === opened.size && opened.content(frame).total !== undefined;
    if (frame.end - paused >= stretch.bytes) {
      paused = frame.end;
      await pause(clock, stretch.pause, signal);
    }
    const turn = breathe();
    if (turn) await turn;
  }
  return isWhole ? undefined : { offset: opened.size, what: 'its end is missing' };
}
