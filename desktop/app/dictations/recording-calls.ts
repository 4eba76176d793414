/** The calls that make the sound of a dictation. */
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { lengthOf } from '../../../src/domain/dictation/timeline.ts';
import { bytesPerSample, otherWindow } from '../../bridge.ts';
import type { HandlersOf } from '../service.ts';
import type { Desk } from './desk.ts';
import { interrupt, requireState } from './kept-dictation.ts';
import type { KeptDictation } from './kept-dictation.ts';
import { renewed } from './stored-dictation.ts';
import { peaksOf } from './wav.ts';

type RecordingCalls = Pick<
  HandlersOf<'dictation'>,
  'dictation.take' | 'dictation.block' | 'dictation.pause' | 'dictation.room' | 'dictation.undo' | 'dictation.peaks'
>;

/** Longest block, in seconds: what a page that was held up may bring at once. */
const longestBlock = 10;
/** Milliseconds between two blocks of a page that records, at most; one that was loaded anew need not wait longer. */
const longestGap = 1500;
/** Milliseconds without a block after which the page that recorded is taken for gone. */
const longestSilence = 10_000;

const secondsOf = ({ recording, stored }: KeptDictation): number => lengthOf(recording.segments()) / stored.sample_rate;

export function recordingCalls({ deps: { clock, log }, disk, find }: Desk): RecordingCalls {
  /** Whether the page that records it still brings sound. */
  const isHeardFrom = ({ recording: { isOpen, savedAt = 0 }, takenAt }: KeptDictation): boolean =>
    isOpen && clock.now() - Math.max(savedAt, takenAt) < longestGap;

  /** Those whose page is watched. */
  const watched = new Set<KeptDictation>();

  /** A page that dies says nothing: its take ends, and the next page offers it as recovered. */
  function watch(kept: KeptDictation): void {
    if (watched.has(kept)) return;
    watched.add(kept);
    const look = (): void => {
      const { savedAt = 0, isOpen } = kept.recording;
      if (!isOpen) watched.delete(kept);
      else if (clock.now() - savedAt < longestSilence) clock.schedule(savedAt + longestSilence, look);
      else {
        watched.delete(kept);
        void kept
          .inOrder(() => interrupt(kept))
          .catch(() => log({ level: 'warn', event: 'dictation_not_paused', dictation_id: kept.id }));
      }
    };
    clock.schedule(clock.now() + longestSilence, look);
  }

  /** What was sealed no longer holds. */
  const edit = (kept: KeptDictation, work: () => Promise<void>) =>
    kept.inOrder(async () => {
      requireState(kept, 'recording', 'paused', 'failed');
      const { state, tried_at, sent, encoded } = kept.stored;
      await work();
      if (state === 'open' && tried_at === null && sent === null && encoded === null) kept.tell();
      else await kept.change({ ...renewed(kept.stored), encoded: null, state: 'open' });
      return kept.view();
    });

  return {
    async 'dictation.take'({ id, mode, at, page, take_over }) {
      const kept = find(id);
      return edit(kept, async () => {
        if (take_over !== true && isHeardFrom(kept)) refuseOthers(kept, page);
        await kept.recording.take(mode, Math.round(at * kept.stored.sample_rate));
        kept.page = page;
        kept.takenAt = clock.now();
      });
    },

    async 'dictation.block'({ id, sequence, page }, bytes = new Uint8Array()) {
      const kept = find(id);
      refuseOddBlock(kept, bytes);
      return kept.inOrder(async () => {
        if (kept.recording.isOpen) refuseOthers(kept, page);
        await kept.recording.block(sequence, bytes, clock.now());
        watch(kept);
        const { savedAt } = kept.recording;
        return { seconds: secondsOf(kept), saved_at: new Date(savedAt ?? clock.now()).toISOString() };
      });
    },

    async 'dictation.pause'({ id, page }) {
      const kept = find(id);
      return kept.inOrder(async () => {
        requireState(kept, 'recording', 'paused');
        if (kept.recording.isOpen && (page === undefined || page === kept.page)) {
          await kept.recording.end();
          kept.tell();
        }
        return kept.view();
      });
    },

    async 'dictation.room'({ id }) {
      const { directory, stored } = find(id);
      return { seconds: (await disk.freeBytes(directory)) / (stored.sample_rate * bytesPerSample) };
    },

    async 'dictation.undo'({ id }) {
      const kept = find(id);
      return edit(kept, async () => {
        requireState(kept, 'paused', 'failed');
        if (!kept.recording.canUndo) {
          throw new AppError('INVALID_TRANSITION', { message: 'There is no take that could be taken back.' });
        }
        await kept.recording.undo();
      });
    },

    async 'dictation.peaks'({ id, points }) {
      const kept = find(id);
      const { revision } = kept.recording;
      if (kept.peaks?.revision !== revision || kept.peaks.points !== points) {
        kept.peaks = { revision, points, peaks: await peaksOf(kept.sound(), points) };
      }
      return { peaks: kept.peaks.peaks, seconds: secondsOf(kept) };
    },
  };
}

function refuseOthers(kept: KeptDictation, page: string | undefined): void {
  if (page === kept.page) return;
  throw new AppError('INVALID_TRANSITION', {
    message: 'This dictation is being recorded in another window.',
    details: { reason: otherWindow },
  });
}

function refuseOddBlock({ stored: { sample_rate } }: KeptDictation, bytes: Uint8Array): void {
  const limit = longestBlock * sample_rate * bytesPerSample;
  if (bytes.length > limit) throw new AppError('PAYLOAD_TOO_LARGE', { details: { limit_bytes: limit } });
  if (bytes.length > 0 && bytes.length % bytesPerSample === 0) return;
  throw validationFailed([
    { field: '', message: `a block has whole samples of ${bytesPerSample} bytes, at least one`, code: 'INVALID_VALUE' },
  ]);
}
