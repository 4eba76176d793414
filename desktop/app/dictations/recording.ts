/** The audio of one dictation and its edits on disk: `sound.pcm` and `edits.log`, which are append-only. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { decodeSamples } from '../../../src/domain/dictation/samples.ts';
import { lastStretch, stretchSeconds } from '../../../src/domain/dictation/stretch.ts';
import {
  editedBy,
  findLastTake,
  lengthOf,
  placeAfter,
  listSegments,
  slice,
  takenBack,
  without,
  withTake,
} from '../../../src/domain/dictation/timeline.ts';
import type { Edit, Segment, Take, TakeMode } from '../../../src/domain/dictation/timeline.ts';
import type { OpenFile } from '../../../src/node/files/durable-file.ts';
import { openLineLog } from '../../../src/node/files/line-log.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import { bytesPerSample } from '../../bridge/sound.ts';
import { openSoundFile } from './sealed-sound.ts';
import type { SoundFile, SoundReader } from './sealed-sound.ts';
import { valueAt } from '../../../src/domain/elements.ts';

/**
 * The start of a part of a take. A take that was interrupted and resumed, or that has gaps, has several parts.
 * `offset`: samples of the take before this part.
 */
type Part = Pick<Take, 'id' | 'mode' | 'at' | 'from'> & {
  readonly offset?: number;
  /** Number of samples lost before this part. */
  readonly missing?: number;
};

/**
 * The entry after a part records its length, so that a block costs one write: `end`, `undo` and `redo` contain the
 * number of samples in the file at that time. `cut`: number of samples that the undo removes; absent: the whole take,
 * as earlier versions wrote it.
 */
type Entry =
  | { readonly take: Part }
  | { readonly end: number }
  | { readonly undo: number; readonly cut?: number }
  | { readonly redo: number }
  | { readonly left_out: Segment };

/** Announces a take. All positions in samples. */
export interface TakeOrder {
  readonly id: string;
  readonly mode: TakeMode;
  /** Position in the dictation; `null`: at the end. */
  readonly at: number | null;
  /** First sample of the take that can still arrive. */
  readonly from: number;
}

export interface SoundBlock {
  readonly from: number;
  readonly bytes: Uint8Array;
  readonly missing?: number | undefined;
}

export interface Recording {
  /** Id of the take being recorded. */
  readonly current: string | undefined;
  readonly canUndo: boolean;
  /** Number of undone samples that can be restored. */
  readonly takenBack: number;
  /** Number of samples in the file, including removed ones. */
  readonly recorded: number;
  /** When the last block was written, ms since 1970. */
  readonly savedAt: number | undefined;
  /** Changes with every change of the audio. */
  readonly revision: number;
  /** Start of the part being recorded in the file, in samples; `undefined`: none. */
  readonly part: number | undefined;
  /** Calls the listener after audio was added, and after a part started or ended or audio was removed (`edited`). */
  watch(listener: (change: 'added' | 'edited') => void): void;
  segments(): readonly Segment[];
  /** Gaps in the edited audio, in order, in samples. */
  gaps(): readonly { readonly at: number; readonly missing: number }[];
  reader(): Promise<SoundReader>;
  /** Number of stored samples of the take; `undefined` if it was never announced. */
  stored(take: string): number | undefined;
  /** End of the last take, in samples of the edited audio. */
  endOfLast(): number;
  /**
   * Starts a take, or resumes an interrupted one; ends any other open take. A resumed take continues after its last
   * sample. If the audio was edited since, the rest is inserted there and overwrites nothing.
   */
  take(order: TakeOrder): Promise<{ readonly at: number; readonly stored: number }>;
  /**
   * Adds whole samples of a take, starting with sample `from`, and skips those already stored. The take may have ended.
   * `missing`: number of samples lost before sample `from`. Returns the number of stored samples of the take.
   */
  block(take: string, block: SoundBlock, now: number): Promise<number>;
  /** Ends the take; without an id, any take. */
  end(take?: string): Promise<void>;
  /** Undoes the last spoken stretch; `rate`: samples per second. Returns its position in samples. */
  undo(rate: number): Promise<number>;
  /** Restores the audio of the last undo. Returns its end in samples. */
  redo(): Promise<number>;
  /** Removes a part of the file from the edited audio, also during recording. */
  leaveOut(part: Segment): Promise<void>;
  close(): Promise<void>;
}

export const soundName = 'sound.pcm';
const editsName = 'edits.log';

export interface OpenedRecording {
  readonly recording: Recording;
  /** Whether a take was being recorded when the process died. It ends with the stored audio. */
  readonly interrupted: boolean;
  readonly damaged: boolean;
}

/** Opens the recording in the directory, or creates it. Removes half a sample that a crash left at the end. */
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
  const recording = createRecording({ sound, log, edited, savedAt });
  if (interrupted) await log.append({ end: sound.size / bytesPerSample } satisfies Entry).catch(() => undefined);
  return { recording, interrupted, damaged };
}

/** A take between two of its parts. */
interface KnownTake {
  readonly mode: TakeMode;
  readonly at: number;
  /** Number of stored samples of the take. */
  readonly stored: number;
  /** Position of the last of them in the file. */
  readonly last: number | undefined;
  /** Number of edits up to its last part. */
  readonly edits: number;
}

/** The edits so far, without the part being recorded. */
interface EditState {
  readonly edits: Edit[];
  /** Gaps before parts, keyed by the part's first sample in the file. */
  readonly gaps: Map<number, number>;
  readonly takes: Map<string, KnownTake>;
  readonly leftOut: Segment[];
}

/** An empty part changes nothing. */
const countOf = (edits: readonly Edit[]): number =>
  edits.filter((edit) => edit === 'redo' || 'undo' in edit || edit.length > 0).length;

function addPart({ edits, takes, gaps }: EditState, { offset = 0, missing, ...part }: Part, length: number): void {
  edits.push({ ...part, length });
  if (missing !== undefined && length > 0) gaps.set(part.from, missing);
  // A resumed take without audio starts after anything inserted at its position since.
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

/** A take without an end entry extends to the end of the file. */
function replay(entries: readonly Entry[], recorded: number): { edited: EditState; interrupted: boolean } {
  const edited: EditState = { edits: [], takes: new Map(), gaps: new Map(), leftOut: [] };
  let begun: Part | undefined;
  const end = (to: number): void => {
    if (begun) addPart(edited, begun, Math.max(0, Math.min(to, recorded) - begun.from));
    begun = undefined;
  };
  for (const entry of entries) {
    if ('take' in entry) {
      end(entry.take.from);
      begun = entry.take;
    } else if ('left_out' in entry) edited.leftOut.push(entry.left_out);
    else if ('end' in entry) end(entry.end);
    else if ('redo' in entry) {
      end(entry.redo);
      edited.edits.push('redo');
    } else {
      end(entry.undo);
      edited.edits.push({ undo: entry.cut ?? Infinity });
    }
  }
  const interrupted = begun !== undefined;
  end(recorded);
  return { edited, interrupted };
}

interface Parts {
  readonly sound: SoundFile;
  readonly log: Awaited<ReturnType<typeof openLineLog>>['log'];
  readonly edited: EditState;
  savedAt: number | undefined;
}

/** The samples of the last stretch spoken in the last take. Must not run during recording. */
async function lastStretchIn(sound: SoundFile, { edits, leftOut }: EditState, rate: number): Promise<number> {
  const parts = findLastTake(edits);
  const heard = without(parts, leftOut);
  const length = lengthOf(heard);
  const end = slice(heard, Math.max(0, length - stretchSeconds * rate), length);
  const reader = await sound.reader();
  const pieces: Buffer[] = [];
  try {
    for (const { from, length } of end)
      for await (const piece of reader.read(from * bytesPerSample, (from + length) * bytesPerSample))
        pieces.push(piece);
  } finally {
    await reader.close();
  }
  const stretch = lastStretch(decodeSamples(Buffer.concat(pieces)), rate);
  // Parts that are left out after its first sample go too.
  const [first] = slice(heard, length - stretch, stretch);
  return first ? lengthOf(parts) - (placeAfter(parts, first.from) ?? 1) + 1 : lengthOf(parts);
}

/** The gaps in the edited audio, with their positions there. */
const gapsIn = (segments: readonly Segment[], gaps: EditState['gaps']): ReturnType<Recording['gaps']> =>
  [...gaps]
    .flatMap(([sample, missing]) => {
      const after = placeAfter(segments, sample);
      return after === undefined ? [] : [{ at: after - 1, missing }];
    })
    .toSorted((a, b) => a.at - b.at);

/** `here`: number of stored samples of the take. */
function checkPlace(here: number | undefined, from: number): asserts here is number {
  if (here === undefined) {
    throw new AppError('INVALID_TRANSITION', { message: 'There is no such take.', hint: 'Begin it first.' });
  }
  if (from > here) {
    throw validationFailed(
      [{ field: 'from', message: `sample ${here} has to come first`, code: 'INVALID_VALUE' }],
      `Sample ${here} of this take is missing.`,
    );
  }
}

type PartPlace = Pick<Part, 'mode' | 'at'>;

/** How to resume a take between two of its parts. */
function resumingPlace(before: readonly Segment[], { edits, leftOut }: EditState, take: KnownTake): PartPlace {
  const end = lengthOf(before);
  const at =
    take.last === undefined ? Math.min(take.at, end) : (placeAfter(before, findHeard(take.last, leftOut)) ?? end);
  return { mode: countOf(edits) === take.edits ? take.mode : 'insert', at };
}

/** Where a take begins, or goes on. */
function placeOfTake(before: readonly Segment[], edited: EditState, { id, mode, at }: TakeOrder): PartPlace {
  const known = edited.takes.get(id);
  if (known) return resumingPlace(before, edited, known);
  return at === null ? { mode: 'append', at: lengthOf(before) } : { mode, at };
}

/** The sample, or the last one before it that is not left out. */
function findHeard(sample: number, leftOut: readonly Segment[]): number {
  const out = leftOut.find(({ from, length }) => sample >= from && sample < from + length);
  return out ? findHeard(out.from - 1, leftOut) : sample;
}

function createRecording({ sound, log, edited, savedAt }: Parts): Recording {
  const { edits, takes, gaps, leftOut } = edited;
  let revision = 0;
  /** The edited audio without the part being recorded. */
  let before = listSegments(edits, leftOut);
  let open: Part | undefined;
  let current: string | undefined;
  let changed: (change: 'added' | 'edited') => void = () => {};

  const recorded = (): number => sound.size / bytesPerSample;
  const lengthOfOpen = ({ from }: Part): number => recorded() - from;
  const segments = (): readonly Segment[] =>
    open && lengthOfOpen(open) > 0 ? withTake(before, { ...open, length: lengthOfOpen(open) }, leftOut) : before;
  const stored = (take: string): number | undefined =>
    open?.id === take ? (open.offset ?? 0) + lengthOfOpen(open) : takes.get(take)?.stored;

  function closePart(): void {
    if (!open) return;
    addPart(edited, open, lengthOfOpen(open));
    open = undefined;
    before = listSegments(edits, leftOut);
    revision++;
  }
  /** The previous part ends where this one starts, and needs no entry. */
  async function begin(part: Pick<Part, 'id' | 'offset' | 'missing'>, place: () => PartPlace): Promise<Part> {
    closePart();
    const begun = { ...part, ...place(), from: recorded() };
    await log.append({ take: begun } satisfies Entry);
    open = begun;
    changed('edited');
    return begun;
  }
  async function end(take?: string): Promise<void> {
    if (take === undefined || take === current) current = undefined;
    if (!open || (take !== undefined && open.id !== take)) return;
    // On a full disk the take ends without an entry: the next entry records its length.
    await log.append({ end: recorded() } satisfies Entry).catch(() => undefined);
    closePart();
    changed('edited');
  }

  function rebuild(): void {
    before = listSegments(edits, leftOut);
    revision++;
    changed('edited');
  }
  function edit(change: Edit): number {
    closePart();
    edits.push(change);
    rebuild();
    return editedBy(edits, leftOut).at ?? lengthOf(before);
  }
  return {
    reader: () => sound.reader(),
    get current() {
      return current;
    },
    get canUndo() {
      return current === undefined && (lengthOf(before) > 0 || (open !== undefined && lengthOfOpen(open) > 0));
    },
    get takenBack() {
      return open !== undefined && lengthOfOpen(open) > 0 ? 0 : takenBack(edits);
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
    get part() {
      return open?.from;
    },
    watch: (listener) => void (changed = listener),
    segments,
    gaps: () => gapsIn(segments(), open?.missing === undefined ? gaps : new Map(gaps).set(open.from, open.missing)),
    stored,
    endOfLast: () => placeAfter(segments(), findHeard(recorded() - 1, leftOut)) ?? lengthOf(segments()),
    async take(order) {
      const { id, from } = order;
      const here = stored(id) ?? 0;
      const offset = Math.max(here, from);
      // The page skipped samples that are not stored here.
      if (here < from) await end(id);
      let part = open;
      if (part?.id !== id) {
        // Lost samples count as missing, like those that were never captured.
        const lost = stored(id) !== undefined && from > here && { missing: from - here };
        part = await begin({ id, offset, ...lost }, () => placeOfTake(before, edited, order));
      }
      current = id;
      return { at: part.at, stored: offset };
    },
    async block(take, { from, bytes, missing }, now) {
      const here = stored(take);
      checkPlace(here, from);
      const fresh = bytes.subarray((here - from) * bytesPerSample);
      if (fresh.length === 0) return here;
      const isAfterGap = missing !== undefined && from === here;
      const part = { id: take, offset: here, ...(isAfterGap && { missing }) };
      if (isAfterGap || open?.id !== take) await begin(part, () => resumingPlace(before, edited, valueAt(takes, take)));
      await sound.append(fresh);
      savedAt = now;
      revision++;
      changed('added');
      return here + fresh.length / bytesPerSample;
    },
    end,
    async undo(rate) {
      closePart();
      const cut = await lastStretchIn(sound, edited, rate);
      await log.append({ undo: recorded(), cut } satisfies Entry);
      return edit({ undo: cut });
    },
    async redo() {
      await log.append({ redo: recorded() } satisfies Entry);
      return edit('redo');
    },
    async leaveOut(part) {
      await log.append({ left_out: part } satisfies Entry);
      leftOut.push(part);
      rebuild();
    },
    close: async () => closeFiles({ sound, log }),
  };
}

async function closeFiles({ sound, log }: Pick<Parts, 'sound' | 'log'>): Promise<void> {
  await sound.close();
  await log.close();
}
