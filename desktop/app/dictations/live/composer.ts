/** Composes the live report of a dictation, and sends it to the pages. */
import type { LiveWords } from '../../../bridge/live.ts';
import { piecesOfAll } from './following.ts';
import type { Following, LiveWordsDeps } from './following.ts';
import { heardIn, liveReport, placedPhrases } from './live-report.ts';

/** Seconds of audio without an answer after which the words count as missing. */
const maxBehind = 5;
/** Composing takes at most a tenth of the time. */
const restOfWork = 9;

export interface Composer {
  view(following: Following): LiveWords;
  /** Composes the current report. */
  compose(following: Following): void;
  /** Composes the current report, at once or when composing has had its rest. */
  composeSoon(following: Following): void;
  /** Sends the state to the pages if it has changed. */
  emitState(following: Following): void;
  /** Reads the basis of the report, and composes it. */
  readBasis(following: Following): void;
}

export function createComposer(deps: LiveWordsDeps): Composer {
  const { clock } = deps;

  const view = ({ dictation, state, report, phrases, latest }: Following): LiveWords => ({
    id: dictation.id,
    item_id: dictation.stored.item_id,
    state,
    sections: [...report.sections] as LiveWords['sections'],
    heard: [...report.heard],
    phrases: [...phrases],
    latest,
    revision: deps.revision(),
  });

  function computeState({ dictation: { recording, stored }, part, takes, beginning }: Following): LiveWords['state'] {
    if (part === undefined || !deps.isWanted()) return 'still';
    const spoken = (recording.recorded - part) / stored.sample_rate;
    const take = takes.at(-1);
    const hears = take?.isOpen ? !take.isDeaf : beginning !== undefined || spoken === 0;
    return hears && (take?.isOpen ? take.behind : spoken) <= maxBehind ? 'hearing' : 'missing';
  }

  function compose(following: Following): void {
    following.callOff?.();
    following.callOff = undefined;
    if (following.isLeft) return;
    const { dictation, basis } = following;
    const begun = clock.elapsed();
    const take = following.takes.at(-1);
    following.phrases = take?.isOpen ? placedPhrases(take) : [];
    const soFar = heardIn(piecesOfAll(following), dictation.stored.sample_rate);
    following.report = liveReport({ ...soFar, ...basis, language: dictation.stored.language });
    const now = clock.elapsed();
    following.composedUntil = now + restOfWork * (now - begun);
    emit(following);
  }
  /** Composes the current report, at once or when composing has had its rest. */
  function composeSoon(following: Following): void {
    if (following.callOff) return;
    const wait = following.composedUntil - clock.elapsed();
    if (wait <= 0) compose(following);
    else following.callOff = clock.schedule(clock.now() + wait, () => compose(following));
  }
  function emit(following: Following): void {
    following.state = computeState(following);
    deps.emit('live', view(following));
  }
  function emitState(following: Following): void {
    if (computeState(following) !== following.state) emit(following);
  }

  /** Without template, autotexts and vocabulary, words appear as recognised, in the sections named aloud. */
  function readBasis(following: Following): void {
    deps.report(following.dictation.stored).then(
      (basis) => {
        following.basis = basis;
        composeSoon(following);
      },
      () => undefined,
    );
  }

  return { view, compose, composeSoon, emitState, readBasis };
}
