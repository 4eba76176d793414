/** The sound of one dictation and what was done to it, on disk: `sound.pcm` and `edits.log`, which only grow. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { segmentsOf, takesOf, withTake } from '../../../src/domain/dictation/timeline.ts';
import type { Edit, Segment, Take, TakeMode } from '../../../src/domain/dictation/timeline.ts';
import type { OpenFile } from '../../../src/node/durable-file.ts';
import { openLineLog } from '../../../src/node/line-log.ts';
import type { Sealing } from '../../../src/node/sealing.ts';
import { bytesPerSample } from '../../bridge.ts';
import { openSoundFile } from './sealed-sound.ts';
import type { SoundFile, SoundReader } from './sealed-sound.ts';

/**
 * How long a take is stands in what follows it, so that a block costs one write: `end` and `undo` are the samples in the
 * file at that time.
 */
type Entry =
  | { readonly take: Pick<Take, 'mode' | 'at' | 'from'> }
  | { readonly end: number }
  | { readonly undo: number };

export interface Recording {
  /** Whether a take is being recorded. */
  readonly isOpen: boolean;
  readonly canUndo: boolean;
  /** Samples in the file, those that are not heard any more included. */
  readonly recorded: number;
  /** When the last block was on disk, ms since 1970. */
  readonly savedAt: number | undefined;
  /** Another after each change of what is heard. */
  readonly revision: number;
  segments(): readonly Segment[];
  reader(): Promise<SoundReader>;
  /** Begins a take; one that is open ends. */
  take(mode: TakeMode, at: number): Promise<void>;
  /** Block number `sequence` of the take, whole samples. `false` where it is here already. */
  block(sequence: number, bytes: Uint8Array, now: number): Promise<boolean>;
  end(): Promise<void>;
  undo(): Promise<void>;
  close(): Promise<void>;
}

export const soundName = 'sound.pcm';
const editsName = 'edits.log';

export interface OpenedRecording {
  readonly recording: Recording;
  /** A take was being recorded when the process died; it ends with what is there of it. */
  readonly interrupted: boolean;
  readonly damaged: boolean;
}

/** Opens what is in the directory, or creates it. Half a sample at the end, which a crash leaves, is cut off. */
export async function openRecording(
  directory: string,
  { open, sealing }: { open: OpenFile | undefined; sealing: Sealing | undefined },
): Promise<OpenedRecording> {
  const path = join(directory, soundName);
  const wholeSamples = (length: number): number => length - (length % bytesPerSample);
  const sound = await openSoundFile(path, { open, sealing, whole: wholeSamples });
  const { log, entries, damaged } = await openLineLog(join(directory, editsName), {
    sealing,
    ...(open && { open }),
  });
  const { edits, interrupted } = replay(entries as readonly Entry[], sound.size / bytesPerSample);
  const savedAt = sound.size > 0 ? (await stat(path)).mtimeMs : undefined;
  const recording = recordingOf({ sound, log, edits, savedAt });
  if (interrupted) await log.append({ end: sound.size / bytesPerSample } satisfies Entry).catch(() => undefined);
  return { recording, interrupted, damaged };
}

/** A take without an end goes up to the end of the file. */
function replay(entries: readonly Entry[], recorded: number): { edits: Edit[]; interrupted: boolean } {
  const edits: Edit[] = [];
  let begun: Pick<Take, 'mode' | 'at' | 'from'> | undefined;
  const end = (to: number): void => {
    if (begun) edits.push({ ...begun, length: Math.max(0, Math.min(to, recorded) - begun.from) });
    begun = undefined;
  };
  for (const entry of entries) {
    if ('take' in entry) {
      end(entry.take.from);
      begun = entry.take;
    } else if ('end' in entry) end(entry.end);
    else {
      end(entry.undo);
      edits.push('undo');
    }
  }
  const interrupted = begun !== undefined;
  end(recorded);
  return { edits, interrupted };
}

interface Parts {
  readonly sound: SoundFile;
  readonly log: Awaited<ReturnType<typeof openLineLog>>['log'];
  readonly edits: Edit[];
  savedAt: number | undefined;
}

function recordingOf({ sound, log, edits, savedAt: known }: Parts): Recording {
  let savedAt = known;
  let revision = 0;
  /** What is heard without the take that is being recorded. */
  let before = segmentsOf(edits);
  let open: Pick<Take, 'mode' | 'at' | 'from'> | undefined;
  /** Of the last take: the number of its next block. */
  let next = 0;

  const recorded = (): number => sound.size / bytesPerSample;
  const openTake = (): Take | undefined => open && { ...open, length: recorded() - open.from };

  async function end(): Promise<void> {
    const take = openTake();
    if (!take) return;
    // On a full disk the take ends all the same: what follows it says how long it is.
    await log.append({ end: take.from + take.length } satisfies Entry).catch(() => undefined);
    edits.push(take);
    open = undefined;
    before = segmentsOf(edits);
    revision++;
  }

  return {
    reader: () => sound.reader(),
    get isOpen() {
      return open !== undefined;
    },
    get canUndo() {
      return open === undefined && takesOf(edits).length > 0;
    },
    get recorded() {
      return recorded();
    },
    get savedAt() {
      return savedAt;
    },
    get revision() {
      return revision;
    },
    segments() {
      const take = openTake();
      return take && take.length > 0 ? withTake(before, take) : before;
    },
    async take(mode, at) {
      await end();
      const begun = { mode, at, from: recorded() };
      await log.append({ take: begun } satisfies Entry);
      open = begun;
      next = 0;
    },
    async block(sequence, bytes, now) {
      if (sequence < next) return false;
      if (!open) {
        throw new AppError('INVALID_TRANSITION', {
          message: 'Nothing is being recorded.',
          hint: 'Begin a take first.',
        });
      }
      if (sequence > next) {
        throw validationFailed(
          [{ field: 'sequence', message: `block ${next} has to come first`, code: 'INVALID_VALUE' }],
          `Block ${next} of this take is missing.`,
        );
      }
      await sound.append(bytes);
      next++;
      savedAt = now;
      revision++;
      return true;
    },
    end,
    async undo() {
      await log.append({ undo: recorded() } satisfies Entry);
      edits.push('undo');
      before = segmentsOf(edits);
      revision++;
    },
    async close() {
      await sound.close();
      await log.close();
    },
  };
}
