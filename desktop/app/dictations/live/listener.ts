/** Sends each part of a recording to a separate live transcription. */
import { backoffDelay } from '../../../../src/domain/backoff.ts';
import { hearCommand } from '../../../../src/domain/voice-commands.ts';
import type { LiveStretch } from '../stored-dictation.ts';
import type { Composer } from './composer.ts';
import type { Following, LiveWordsDeps } from './following.ts';
import { placedPhrases } from './live-report.ts';
import { mayPass, openLiveTake } from './live-take.ts';
import type { LiveTake } from './live-take.ts';

const beginningAgain = { base: 1000, factor: 2, max: 30_000 };

export interface LiveListener {
  /** Compares the recording with its live transcriptions. */
  look(following: Following): void;
  /** Continues with the transcriptions of an earlier run. */
  resume(following: Following, live: readonly LiveStretch[]): void;
  /** Deletes the transcription. If that fails now, the service deletes it after a day. */
  forget(id: string): Promise<void>;
}

export function createLiveListener(deps: LiveWordsDeps, composer: Composer): LiveListener {
  const { clock, log } = deps;

  /** Stores the list of stretches. */
  const keep = ({ dictation, takes }: Following): Promise<void> =>
    dictation.inOrder(() =>
      dictation.change({
        live: takes.map(({ id, from, to, isOpen }) => ({ id, from, to: isOpen ? null : to })),
      }),
    );

  /** `isNew`: nobody has heard its words before. */
  function open(following: Following, stretch: LiveStretch, isNew: boolean): LiveTake {
    const number = following.takes.length;
    const take: LiveTake = openLiveTake(deps, following.dictation, { ...stretch, number }, (isFinal) => {
      if (following.isLeft) return;
      if (isFinal) following.latest = take.phrases.at(-1)?.text ?? following.latest;
      composer.composeSoon(following);
      if (isFinal && isNew && deps.hasCommands()) announceCommand(following, take);
    });
    following.takes.push(take);
    return take;
  }

  function announceCommand(following: Following, take: LiveTake): void {
    const { id, stored } = following.dictation;
    const before = take.phrases.slice(0, -1);
    const [phrase, placed] = [take.phrases.at(-1), placedPhrases(take)];
    const heard = phrase && hearCommand(phrase, { before, isLast: !take.isOpen, language: stored.language });
    const at = placed.at(-1);
    if (!heard || !at) return;
    // A command is about the words before it.
    composer.compose(following);
    const previous = placed[before.findLastIndex(({ text }) => text.trim() !== '')]?.from ?? null;
    const said = phrase.text.trim();
    const { item_id } = stored;
    deps.emit('command', { id, item_id, ...heard, words: [...heard.words], said, phrase: at.from, previous });
  }

  async function begin(following: Following, from: number): Promise<void> {
    const { dictation } = following;
    const { language, template_id, item_id } = dictation.stored;
    following.beginning = { from, to: null };
    try {
      const { data } = await deps.connect().client.transcriptions.create({
        body: { language, worklist_item_id: item_id, ...(template_id !== null && { template_id }) },
      });
      if (following.isLeft) return await forget(data.id);
      const { to } = following.beginning;
      const take = open(following, { id: data.id, from, to }, true);
      following.failures = 0;
      await keep(following);
      if (to === null) take.more();
      else void take.end(to);
      composer.readBasis(following);
    } catch (error) {
      log({ level: 'info', event: 'not_heard_live', dictation_id: dictation.id, code: Object(error).code });
      following.notBefore = mayPass(error)
        ? clock.elapsed() + backoffDelay(++following.failures, { ...beginningAgain, random: deps.random })
        : Infinity;
    }
    following.beginning = undefined;
    look(following);
  }

  /** Compares the recording with its live transcriptions. */
  function look(following: Following): void {
    if (following.isLeft) return;
    const { dictation } = following;
    const { part, recorded } = dictation.recording;
    if (part !== following.part) {
      if (following.part !== undefined) endPart(following, part ?? recorded);
      following.part = part;
      following.notBefore = 0;
    }
    const take = following.takes.at(-1);
    if (take?.isOpen) take.more();
    else if (part !== undefined && recorded > part && mayBegin(following)) void begin(following, part);
    composer.emitState(following);
  }
  const mayBegin = ({ beginning, notBefore, takes, part }: Following): boolean =>
    !beginning &&
    takes.every(({ from }) => from !== part) &&
    clock.elapsed() >= notBefore &&
    deps.isWanted() &&
    deps.isHeard();

  function endPart(following: Following, to: number): void {
    if (following.beginning && following.beginning.from === following.part)
      following.beginning = { ...following.beginning, to };
    const take = following.takes.at(-1);
    if (!take?.isOpen) return;
    void take.end(to);
    keep(following).catch(() => undefined);
  }

  function resume(following: Following, live: readonly LiveStretch[]): void {
    if (live.length === 0) return;
    const { recorded } = following.dictation.recording;
    try {
      for (const stretch of live) void open(following, stretch, false).end(stretch.to ?? recorded);
    } catch (error) {
      log({ level: 'info', event: 'not_heard_live', code: Object(error).code });
    }
    composer.readBasis(following);
  }

  async function forget(id: string): Promise<void> {
    try {
      await deps.connect().client.transcriptions.delete({ params: { id } });
    } catch (error) {
      const { code } = Object(error);
      if (code !== 'NOT_FOUND') log({ level: 'info', event: 'transcription_not_deleted', code });
    }
  }

  return { look, resume, forget };
}
