/** The calls that record and edit the audio of a dictation. */
import type { Message } from '../../../src/contract/messages/message.ts';
import { appMessage } from '../../../src/contract/messages/app.ts';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { lengthOf } from '../../../src/domain/dictation/timeline.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import { bytesPerSample } from '../../bridge/sound.ts';
import type { CallInput } from '../../bridge/calls.ts';
import type { HandlersOf } from '../service.ts';
import { checkUnreported } from './context.ts';
import type { DictationContext } from './context.ts';
import { recordedElsewhere, isEditable, isBeingRecorded, checkLength, checkState } from './local-dictation.ts';
import type { LocalDictation } from './local-dictation.ts';
import { createPageWatch } from './page-watch.ts';
import type { Recording, TakeOrder } from './recording.ts';
import type { Shelf } from './shelf.ts';
import { renewed } from './stored-dictation.ts';
import { computePeaks } from './wav-file.ts';

type RecordingCalls = Pick<
  HandlersOf<'dictation'>,
  | 'dictation.take'
  | 'dictation.block'
  | 'dictation.pause'
  | 'dictation.room'
  | 'dictation.undo'
  | 'dictation.redo'
  | 'dictation.peaks'
> &
  Pick<HandlersOf<'live'>, 'live.leave_out'>;

/** Maximum length of a block in seconds. A delayed page sends much audio at once. */
const maxBlockSeconds = 10;
const secondsOf = ({ recording, stored }: LocalDictation): number =>
  lengthOf(recording.segments()) / stored.sample_rate;

/** Edits the audio, which outdates the sealed or sent version. */
async function edit(dictation: LocalDictation, work: () => Promise<void>): Promise<void> {
  checkState(dictation, 'recording', 'paused', 'failed');
  const { state, tried_at, sent, encoded } = dictation.stored;
  await work();
  if (state === 'open' && tried_at === null && sent === null && encoded === null) dictation.notify();
  else await dictation.change({ ...renewed(dictation.stored), encoded: null, state: 'open' });
}

export function recordingCalls({ deps, disk, find, live }: DictationContext, shelf: Shelf): RecordingCalls {
  const { clock } = deps;
  const { watch, noteSound } = createPageWatch(deps);
  /** Takes start one after the other, so that a resumed take finds the dictation created for it. */
  const inOrder = createOrder();

  async function begin(dictation: LocalDictation, input: CallInput<'dictation.take'>) {
    const { take, mode, at, of, page, take_over, resumed } = input;
    const { recording, stored } = dictation;
    const isKnown = recording.stored(take) !== undefined;
    // Audio that was already spoken is stored even if the report has been signed since.
    if (!isKnown && !resumed) checkUnreported(deps, stored.item_id);
    // A person may continue where another window sends nothing; a page may not do so automatically, however long the
    // other one is delayed.
    const isRecorded = resumed ? recording.current !== undefined : isBeingRecorded(dictation, clock);
    const isBusy = recording.current !== take && isRecorded && dictation.page !== page;
    if (isBusy && take_over !== true) throw recordedElsewhere();
    if (!isKnown && !isBusy && at !== null) checkLength(dictation, of);
    // The other window may have recorded audio that this window has not seen. Inserting overwrites none of it.
    const place: Pick<TakeOrder, 'mode' | 'at'> = isBusy
      ? { mode: 'insert', at: recording.endOfLast() }
      : { mode, at: at === null ? null : Math.round(at * stored.sample_rate) };
    // Audio of this take that a sealed dictation has already stored goes into no other dictation.
    const from = Math.max(resumed?.from ?? 0, shelf.stored(take));
    const begun = await recording.take({ id: take, ...place, from });
    dictation.page = page;
    dictation.takenAt = clock.now();
    dictation.isSounding = true;
    watch(dictation);
    return begun;
  }

  /** `refusalOf` explains why it is impossible; `work` returns the sample at which the audio changed. */
  const rewind = (
    dictation: LocalDictation,
    refusalOf: (recording: Recording) => Message | undefined,
    work: (recording: Recording, rate: number) => Promise<number>,
  ) =>
    dictation.inOrder(async () => {
      const { recording } = dictation;
      let at = 0;
      await edit(dictation, async () => {
        checkState(dictation, 'paused', 'failed');
        const message = refusalOf(recording);
        if (message !== undefined) throw new AppError('INVALID_TRANSITION', { message });
        at = await work(recording, dictation.stored.sample_rate);
      });
      return { dictation: dictation.view(), at: at / dictation.stored.sample_rate };
    });

  return {
    'dictation.take': (input) =>
      inOrder(async () => {
        const dictation = await findTarget(shelf, { find }, input);
        return dictation.inOrder(async () => {
          let begun = { at: 0, stored: 0 };
          await edit(dictation, async () => {
            begun = await begin(dictation, input);
          });
          // The page itself continues the dictation, so it was not interrupted.
          if (input.resumed && dictation.stored.recovered) await dictation.change({ recovered: false });
          return { dictation: dictation.view(), at: begun.at / dictation.stored.sample_rate, stored: begun.stored };
        });
      }),

    async 'dictation.block'({ id, take, from, missing }, bytes) {
      const dictation = find(id);
      checkBlock(dictation, bytes);
      return dictation.inOrder(async () => {
        const { recording } = dictation;
        const isCurrent = recording.current === take;
        let stored = 0;
        const add = async (): Promise<void> => {
          stored = await recording.block(take, { from, bytes, missing }, clock.now());
        };
        await (isCurrent ? add() : edit(dictation, add));
        if (isCurrent) noteSound(dictation, true);
        return {
          stored,
          is_current: isCurrent,
          saved_at: new Date(recording.savedAt ?? clock.now()).toISOString(),
        };
      });
    },

    async 'dictation.pause'({ id, take, interrupted }) {
      const dictation = find(id);
      return dictation.inOrder(async () => {
        await dictation.recording.end(take);
        if (interrupted !== undefined && isEditable(dictation.stored))
          await dictation.change({ recovered: interrupted });
        else dictation.notify();
        return dictation.view();
      });
    },

    async 'dictation.room'({ id }) {
      const { directory, stored } = find(id);
      return { seconds: (await disk.freeBytes(directory)) / (stored.sample_rate * bytesPerSample) };
    },

    'dictation.undo': async ({ id }) =>
      rewind(
        find(id),
        ({ canUndo }) => (canUndo ? undefined : appMessage('no_undo')),
        (recording, rate) => recording.undo(rate),
      ),
    'dictation.redo': async ({ id }) =>
      rewind(
        find(id),
        ({ takenBack }) => (takenBack > 0 ? undefined : appMessage('no_redo')),
        (recording) => recording.redo(),
      ),

    async 'live.leave_out'({ id, phrase }) {
      const dictation = find(id);
      return dictation.inOrder(async () => {
        const part = live.findPhrase(dictation, phrase);
        if (!part) throw new AppError('NOT_FOUND');
        await edit(dictation, () => dictation.recording.leaveOut(part));
        return dictation.view();
      });
    },

    async 'dictation.peaks'({ id, points }) {
      const dictation = find(id);
      const { revision } = dictation.recording;
      if (dictation.peaks?.revision !== revision || dictation.peaks.points !== points) {
        dictation.peaks = { revision, points, peaks: await computePeaks(dictation.sound(), points) };
      }
      return { peaks: dictation.peaks.peaks, seconds: secondsOf(dictation) };
    },
  };
}

/** The dictation that receives the audio of a take: if its own is sealed or gone, another one of the exam. */
async function findTarget(
  shelf: Shelf,
  { find }: Pick<DictationContext, 'find'>,
  { id, take, resumed }: CallInput<'dictation.take'>,
): Promise<LocalDictation> {
  const own = shelf.all.get(id);
  if (!resumed || (own && isEditable(own.stored))) return find(id);
  const { from: _, ...beginning } = resumed;
  const moved = [...shelf.all.values()].find(
    ({ stored, recording }) => isEditable(stored) && recording.stored(take) !== undefined,
  );
  return moved ?? shelf.begin(beginning);
}

function checkBlock({ stored: { sample_rate } }: LocalDictation, bytes: Uint8Array): void {
  const limit = maxBlockSeconds * sample_rate * bytesPerSample;
  if (bytes.length > limit) throw new AppError('PAYLOAD_TOO_LARGE', { details: { limit_bytes: limit } });
  if (bytes.length > 0 && bytes.length % bytesPerSample === 0) return;
  throw validationFailed([
    { field: '', message: `a block has whole samples of ${bytesPerSample} bytes, at least one`, code: 'INVALID_VALUE' },
  ]);
}
