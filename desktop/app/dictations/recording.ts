/** The sound of one dictation and what was done to it, on disk: `sound.pcm` and `edits.log`, which only grow. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { lengthOf, placeAfter, segmentsOf, takesOf, withTake } from '../../../src/domain/dictation/timeline.ts';
import type { Edit, Segment, Take, TakeMode } from '../../../src/domain/dictation/timeline.ts';
import type { OpenFile } from '../../../src/node/durable-file.ts';
import { openLineLog } from '../../../src/node/line-log.ts';
import type { Sealing } from '../../../src/node/sealing.ts';
import { bytesPerSample } from '../../bridge/sound.ts';
import { openSoundFile } from './sealed-sound.ts';
import type { SoundFile, SoundReader } from './sealed-sound.ts';

/** A part of a take, begun: a take that was cut off and goes on has several. `offset`: its samples before this part. */
type Part = Pick<Take, 'id' | 'mode' | 'at' | 'from'> & { readonly offset?: number };

/**
 * How long a part is stands in what follows it, so that a block costs one write: `end` and `undo` are the samples in the
 * file at that time.
 */
type Entry = { readonly take: Part } | { readonly end: number } | { readonly undo: number };

/** Sound that will follow. All in samples. */
export interface TakeOrder {
  readonly id: string;
  readonly mode: TakeMode;
  /** Where in the dictation; `null`: at its end. */
  readonly at: number | null;
  /** Of the take, the first sample that can still come. */
  readonly from: number;
}

export interface Recording {
  /** The take that is being recorded. */
  readonly current: string | undefined;
  readonly canUndo: boolean;
  /** Samples in the file, those that are not heard any more included. */
  readonly recorded: number;
  /** When the last block was on disk, ms since 1970. */
  readonly savedAt: number | undefined;
  /** Another after each change of what is heard. */
  readonly revision: number;
  segments(): readonly Segment[];
  reader(): Promise<SoundReader>;
  /** Samples of the take that have come here; `undefined`: none was announced. */
  stored(take: string): number | undefined;
  /** Where the take that was begun last ends, in samples of what is heard. */
  endOfLast(): number;
  /**
   * Begins a take, or goes on with one that was cut off; another one that is open ends. What goes on does so after its
   * last sample; where something else was done meanwhile it is inserted there, so that it covers nothing.
   */
  take(order: TakeOrder): Promise<{ readonly at: number; readonly stored: number }>;
  /**
   * Whole samples of a take, of which `from` is the first; those that are here already are left out. It may be one that
   * has ended. Gives the samples of the take that are here then.
   */
  block(take: string, from: number, bytes: Uint8Array, now: number): Promise<number>;
  /** The take is over; without a name, every one. */
  end(take?: string): Promise<void>;
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
  const { edited, interrupted } = replay(entries as readonly Entry[], sound.size / bytesPerSample);
  const savedAt = sound.size > 0 ? (await stat(path)).mtimeMs : undefined;
  const recording = recordingOf({ sound, log, edited, savedAt });
  if (interrupted) await log.append({ end: sound.size / bytesPerSample } satisfies Entry).catch(() => undefined);
  return { recording, interrupted, damaged };
}

/** A take that has no part just now. */
interface KnownTake {
  readonly mode: TakeMode;
  readonly at: number;
  /** Samples of it that have come. */
  readonly stored: number;
  /** The last of them in the file. */
  readonly last: number | undefined;
  /** Edits up to its last part. */
  readonly edits: number;
}

/** What was done until now, but for the part that is being recorded. */
interface Edited {
  readonly edits: Edit[];
  readonly takes: Map<string, KnownTake>;
}

/** A part in which nothing was recorded changes nothing. */
const countOf = (edits: readonly Edit[]): number => edits.filter((edit) => edit === 'undo' || edit.length > 0).length;

function addPart({ edits, takes }: Edited, { offset = 0, ...part }: Part, length: number): void {
  edits.push({ ...part, length });
  // A take in which nothing was recorded yet comes after what was put at its place meanwhile.
  for (const [id, take] of takes) {
    if (id !== part.id && take.last === undefined && part.mode !== 'overwrite' && part.at <= take.at)
      takes.set(id, { ...take, at: take.at + length });
  }
  if (part.id === undefined) return;
  const before = takes.get(part.id);
  takes.set(part.id, {
    mode: before?.mode ?? part.mode,
    at: before?.at ?? part.at,
    stored: offset + length,
    last: length > 0 ? part.from + length - 1 : before?.last,
    edits: countOf(edits),
  });
}

/** A take without an end goes up to the end of the file. */
function replay(entries: readonly Entry[], recorded: number): { edited: Edited; interrupted: boolean } {
  const edited: Edited = { edits: [], takes: new Map() };
  let begun: Part | undefined;
  const end = (to: number): void => {
    if (begun) addPart(edited, begun, Math.max(0, Math.min(to, recorded) - begun.from));
    begun = undefined;
  };
  for (const entry of entries) {
    if ('take' in entry) {
      end(entry.take.from);
      begun = entry.take;
    } else if ('end' in entry) end(entry.end);
    else {
      end(entry.undo);
      edited.edits.push('undo');
    }
  }
  const interrupted = begun !== undefined;
  end(recorded);
  return { edited, interrupted };
}

interface Parts {
  readonly sound: SoundFile;
  readonly log: Awaited<ReturnType<typeof openLineLog>>['log'];
  readonly edited: Edited;
  savedAt: number | undefined;
}

function recordingOf({ sound, log, edited, savedAt: known }: Parts): Recording {
  const { edits, takes } = edited;
  let savedAt = known;
  let revision = 0;
  /** What is heard without the part that is being recorded. */
  let before = segmentsOf(edits);
  let open: Part | undefined;
  let current: string | undefined;

  const recorded = (): number => sound.size / bytesPerSample;
  const lengthOfOpen = ({ from }: Part): number => recorded() - from;
  const segments = (): readonly Segment[] =>
    open && lengthOfOpen(open) > 0 ? withTake(before, { ...open, length: lengthOfOpen(open) }) : before;
  const stored = (take: string): number | undefined =>
    open?.id === take ? (open.offset ?? 0) + lengthOfOpen(open) : takes.get(take)?.stored;

  function closePart(): void {
    if (!open) return;
    addPart(edited, open, lengthOfOpen(open));
    open = undefined;
    before = segmentsOf(edits);
    revision++;
  }
  /** The part before it ends where this one begins: that needs no entry of its own. */
  async function begin(part: Pick<Part, 'id' | 'offset'>, place: () => Pick<Part, 'mode' | 'at'>): Promise<void> {
    closePart();
    const begun = { ...part, ...place(), from: recorded() };
    await log.append({ take: begun } satisfies Entry);
    open = begun;
  }
  /** How a take that has no part just now goes on. */
  function placeOf(take: KnownTake): Pick<Part, 'mode' | 'at'> {
    const end = lengthOf(before);
    const at = take.last === undefined ? Math.min(take.at, end) : (placeAfter(before, take.last) ?? end);
    return { mode: countOf(edits) === take.edits ? take.mode : 'insert', at };
  }
  async function end(take?: string): Promise<void> {
    if (take === undefined || take === current) current = undefined;
    if (!open || (take !== undefined && open.id !== take)) return;
    // On a full disk the take ends all the same: what follows it says how long it is.
    await log.append({ end: recorded() } satisfies Entry).catch(() => undefined);
    closePart();
  }

  return {
    reader: () => sound.reader(),
    get current() {
      return current;
    },
    get canUndo() {
      return current === undefined && (takesOf(edits).length > 0 || (open !== undefined && lengthOfOpen(open) > 0));
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
    segments,
    stored,
    endOfLast: () => placeAfter(segments(), recorded() - 1) ?? lengthOf(segments()),
    async take({ id, mode, at, from }) {
      const here = stored(id) ?? 0;
      // What lies between was said to be here and is not.
      if (here < from) await end(id);
      if (open?.id !== id) {
        await begin({ id, offset: Math.max(here, from) }, () => {
          const known = takes.get(id);
          if (known) return placeOf(known);
          return at === null ? { mode: 'append', at: lengthOf(before) } : { mode, at };
        });
      }
      current = id;
      return { at: open!.at, stored: stored(id)! };
    },
    async block(take, from, bytes, now) {
      const here = stored(take);
      if (here === undefined) {
        throw new AppError('INVALID_TRANSITION', { message: 'This take is not known.', hint: 'Begin it first.' });
      }
      if (from > here) {
        throw validationFailed(
          [{ field: 'from', message: `sample ${here} has to come first`, code: 'INVALID_VALUE' }],
          `Sample ${here} of this take is missing.`,
        );
      }
      const fresh = bytes.subarray((here - from) * bytesPerSample);
      if (fresh.length === 0) return here;
      if (open?.id !== take) await begin({ id: take, offset: here }, () => placeOf(takes.get(take)!));
      await sound.append(fresh);
      savedAt = now;
      revision++;
      return stored(take)!;
    },
    end,
    async undo() {
      await log.append({ undo: recorded() } satisfies Entry);
      closePart();
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
