/**
 * Live words during dictation. Each part of a recording that is on disk goes to a separate live transcription, and its
 * words go to the pages. The recording never waits for any of this: without words it is sent as a file.
 */
import type { SpokenPiece } from '../../../../src/contract/spoken-piece.ts';
import type { Segment } from '../../../../src/domain/dictation/timeline.ts';
import type { Place } from '../../../../src/reporting/live/words.ts';
import type { LiveWords } from '../../../bridge/live.ts';
import type { LocalDictation } from '../local-dictation.ts';
import { createComposer } from './composer.ts';
import { newFollowing, spokenIn } from './following.ts';
import type { Following, LiveWordsDeps } from './following.ts';
import { createLiveListener } from './listener.ts';
import { placedPhrases } from './live-report.ts';

export interface LiveWordsOfDesk {
  /** Follows the recording of the dictation, and continues the live transcriptions of an earlier run. */
  follow(dictation: LocalDictation): void;
  /** `null`: the dictation has no live words. */
  get(dictation: LocalDictation): LiveWords | null;
  /** Whether all audio goes to live transcriptions; some may still be lost on the way. */
  isComplete(dictation: LocalDictation): boolean;
  /**
   * The audio as pieces of live transcriptions, once the service has all of it. `undefined`: some is missing, so the
   * audio must be sent as a file.
   */
  spoken(dictation: LocalDictation): Promise<readonly SpokenPiece[] | undefined>;
  /** The part of the audio file that the phrase at this place fills; `undefined`: there is no such phrase. */
  findPhrase(dictation: LocalDictation, place: Place): Segment | undefined;
  /** The service can't use the live transcriptions: the audio is sent as a file. */
  giveUp(dictation: LocalDictation): void;
  /** Drops the dictation. The service deletes its transcriptions once reachable. */
  leave(dictation: LocalDictation): Promise<void>;
  close(): Promise<void>;
}

/** Timeout for the rest of the audio before it is sent as a file, in ms. */
const patienceMs = 3000;

export function createLiveWords(deps: LiveWordsDeps): LiveWordsOfDesk {
  const { clock } = deps;
  const all = new Map<string, Following>();
  const composer = createComposer(deps);
  const listener = createLiveListener(deps, composer);
  const stop = async (following: Following): Promise<void> => {
    following.isLeft = true;
    following.callOff?.();
    await Promise.all(following.takes.map((take) => take.close()));
  };
  const stopHurry = deps.onOnline(() => {
    for (const { takes } of all.values()) for (const take of takes) take.hurry();
  });

  return {
    follow(dictation) {
      const following = newFollowing(dictation);
      all.set(dictation.id, following);
      const { live = [], tried_at, state } = dictation.stored;
      if (tried_at === null && (state === 'open' || state === 'queued')) listener.resume(following, live);
      dictation.recording.watch((change) => {
        listener.look(following);
        if (change === 'edited' && following.takes.length > 0) composer.compose(following);
      });
    },
    get({ id }) {
      const following = all.get(id);
      return following && following.takes.length > 0 ? composer.view(following) : null;
    },
    isComplete({ id }) {
      const following = all.get(id);
      return following !== undefined && spokenIn(following) !== undefined;
    },
    async spoken(dictation) {
      const following = all.get(dictation.id);
      const pieces = following && spokenIn(following);
      if (!following || !pieces) return undefined;
      const needed = following.takes.filter(({ id }) => pieces.some((piece) => piece.id === id));
      const late = Promise.withResolvers<boolean>();
      const callOff = clock.schedule(clock.now() + patienceMs, () => late.resolve(false));
      const has = await Promise.all(needed.map((take) => Promise.race([take.end(take.to), late.promise])));
      callOff();
      return has.every(Boolean) ? pieces : undefined;
    },
    findPhrase({ id, stored }, place) {
      for (const take of all.get(id)?.takes ?? []) {
        const found = placedPhrases(take).find(({ from }) => from === place);
        if (!found) continue;
        const [from, to] = [found.start, found.end].map((seconds) => Math.round(seconds * stored.sample_rate));
        return { from: take.from + (from ?? 0), length: (to ?? 0) - (from ?? 0) };
      }
      return undefined;
    },
    giveUp({ id }) {
      const following = all.get(id);
      for (const take of following?.takes.splice(0) ?? []) void take.close().then(() => listener.forget(take.id));
    },
    async leave({ id, stored: { live = [], spoken, state } }) {
      const following = all.get(id);
      if (!following) return;
      all.delete(id);
      await stop(following);
      const used = state === 'done' ? (spoken ?? []).map((piece) => piece.id) : [];
      for (const stretch of live) if (!used.includes(stretch.id)) void listener.forget(stretch.id);
    },
    async close() {
      stopHurry();
      await Promise.all([...all.values()].map(stop));
      all.clear();
    },
  };
}
