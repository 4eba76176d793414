/**
 * Words while somebody speaks. Each part of a recording that is on the disk goes to a live transcription of its own, and the
 * words that come back are told to the pages. The recording never waits for any of this: without words it is sent as a file.
 */
import type { SpokenPiece } from '../../../../src/contract/spoken-piece.ts';
import { backoffDelay } from '../../../../src/domain/backoff.ts';
import { lengthOf } from '../../../../src/domain/dictation/timeline.ts';
import type { LiveReport } from '../../../../src/reporting/live/words.ts';
import type { LiveWords } from '../../../bridge/live.ts';
import type { ServiceDeps } from '../../service.ts';
import type { LocalDictation } from '../local-dictation.ts';
import type { LiveStretch } from '../stored-dictation.ts';
import { heardIn, liveReport, placedPhrases } from './live-report.ts';
import type { LiveReportInput } from './live-report.ts';
import { mayPass, openLiveTake } from './live-take.ts';
import type { LiveTake } from './live-take.ts';
import { piecesOf, spokenPieces } from './stretches.ts';

type ReportBasis = Pick<LiveReportInput, 'template' | 'macros' | 'terms'>;

/** What the person wants and the service can. */
export interface LiveChoices {
  /** Whether the person wants words while speaking. */
  isWanted(): boolean;
  /** Whether the service hears live. */
  isHeard(): boolean;
  /** What the report of the dictation is written by. */
  report(dictation: LocalDictation['stored']): Promise<ReportBasis>;
}

export type LiveWordsDeps = LiveChoices &
  Pick<ServiceDeps, 'clock' | 'random' | 'log' | 'connect' | 'onOnline' | 'revision' | 'tell'>;

export interface LiveWordsOfDesk {
  /** Follows the recording of the dictation, and goes on with what was heard live in a former run. */
  follow(dictation: LocalDictation): void;
  /** `null`: nothing of the dictation was heard live. */
  get(dictation: LocalDictation): LiveWords | null;
  /** Whether all of the sound goes to live transcriptions; what is on its way may yet be lost. */
  isComplete(dictation: LocalDictation): boolean;
  /**
   * The sound as pieces of live transcriptions, once the service has all of it. `undefined`: it lacks some, and the sound
   * has to be sent as a file.
   */
  spoken(dictation: LocalDictation): Promise<readonly SpokenPiece[] | undefined>;
  /** The service cannot use what it heard live: the sound goes as a file. */
  giveUp(dictation: LocalDictation): void;
  /** The dictation is gone: so are its transcriptions, as soon as the service hears of that. */
  leave(dictation: LocalDictation): Promise<void>;
  close(): Promise<void>;
}

/** Longest wait for the rest of the sound before it is sent as a file, in ms. */
const patienceMs = 3000;
/** Seconds of sound without an answer after which the words are missing. */
const mostBehind = 5;
const beginningAgain = { base: 1000, factor: 2, max: 30_000 };
/** The report is composed at most for a tenth of the time. */
const restOfWork = 9;

/** What is known of one dictation. */
interface Following {
  readonly dictation: LocalDictation;
  takes: LiveTake[];
  basis: ReportBasis;
  /** The part that is being recorded, as the file has it. */
  part: number | undefined;
  /** The part for which a transcription is being begun; `to`: where the part has ended meanwhile. */
  beginning: { readonly from: number; readonly to: number | null } | undefined;
  /** Nothing is begun before, in ms of the clock; Infinity: not in this part. */
  notBefore: number;
  failures: number;
  report: LiveReport;
  /** Those of the open take that stand in the report. */
  phrases: LiveWords['phrases'];
  latest: string;
  state: LiveWords['state'];
  /** Cancels the next composing. */
  callOff: (() => void) | undefined;
  /** Ms of the clock. */
  composedUntil: number;
  isLeft: boolean;
}

export function createLiveWords(deps: LiveWordsDeps): LiveWordsOfDesk {
  const { clock, log } = deps;
  const all = new Map<string, Following>();

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
  const piecesOfAll = ({ dictation, takes }: Following) => piecesOf(dictation.recording.segments(), takes);

  function stateOf({ dictation: { recording, stored }, part, takes, beginning }: Following): LiveWords['state'] {
    if (part === undefined || !deps.isWanted()) return 'still';
    const spoken = (recording.recorded - part) / stored.sample_rate;
    const take = takes.at(-1);
    const hears = take?.isOpen ? !take.isDeaf : beginning !== undefined || spoken === 0;
    return hears && (take?.isOpen ? take.behind : spoken) <= mostBehind ? 'hearing' : 'missing';
  }

  function compose(following: Following): void {
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
    tell(following);
  }
  /** Composes the report of now, at once or as soon as the last one has cost little enough. */
  function composeSoon(following: Following): void {
    if (following.callOff) return;
    const wait = following.composedUntil - clock.elapsed();
    if (wait <= 0) compose(following);
    else following.callOff = clock.schedule(clock.now() + wait, () => compose(following));
  }
  function tell(following: Following): void {
    following.state = stateOf(following);
    deps.tell('live', view(following));
  }
  function tellState(following: Following): void {
    if (stateOf(following) !== following.state) tell(following);
  }

  /** Stores which stretches there are. */
  const keep = ({ dictation, takes }: Following): Promise<void> =>
    dictation.inOrder(() =>
      dictation.change({
        live: takes.map(({ id, from, to, isOpen }) => ({ id, from, to: isOpen ? null : to })),
      }),
    );

  function open(following: Following, stretch: LiveStretch): LiveTake {
    const number = following.takes.length;
    const take: LiveTake = openLiveTake(deps, following.dictation, { ...stretch, number }, (isFinal) => {
      if (following.isLeft) return;
      if (isFinal) following.latest = take.phrases.at(-1)?.text ?? following.latest;
      composeSoon(following);
    });
    following.takes.push(take);
    return take;
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
      const take = open(following, { id: data.id, from, to });
      following.failures = 0;
      await keep(following);
      if (to === null) take.more();
      else void take.end(to);
      readBasis(following);
    } catch (error) {
      log({ level: 'info', event: 'not_heard_live', dictation_id: dictation.id, code: Object(error).code });
      following.notBefore = mayPass(error)
        ? clock.elapsed() + backoffDelay(++following.failures, { ...beginningAgain, random: deps.random })
        : Infinity;
    }
    following.beginning = undefined;
    look(following);
  }

  /** Compares the recording with what is heard of it. */
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
    tellState(following);
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

  const stopHurry = deps.onOnline(() => {
    for (const { takes } of all.values()) for (const take of takes) take.hurry();
  });

  return {
    follow(dictation) {
      const following: Following = {
        dictation,
        takes: [],
        basis: { template: undefined, macros: [], terms: [] },
        part: undefined,
        beginning: undefined,
        notBefore: 0,
        failures: 0,
        report: { sections: [], heard: [] },
        phrases: [],
        latest: '',
        state: 'still',
        callOff: undefined,
        composedUntil: 0,
        isLeft: false,
      };
      all.set(dictation.id, following);
      const { live = [], tried_at, state } = dictation.stored;
      if (tried_at === null && (state === 'open' || state === 'queued')) resume(following, live);
      dictation.recording.watch((change) => {
        look(following);
        if (change === 'edited' && following.takes.length > 0) composeSoon(following);
      });
    },
    get({ id }) {
      const following = all.get(id);
      return following && following.takes.length > 0 ? view(following) : null;
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
    giveUp({ id }) {
      const following = all.get(id);
      for (const take of following?.takes.splice(0) ?? []) void take.close().then(() => forget(take.id));
    },
    async leave({ id, stored: { live = [], spoken, state } }) {
      const following = all.get(id);
      if (!following) return;
      all.delete(id);
      await stop(following);
      const used = state === 'done' ? (spoken ?? []).map((piece) => piece.id) : [];
      for (const stretch of live) if (!used.includes(stretch.id)) void forget(stretch.id);
    },
    async close() {
      stopHurry();
      await Promise.all([...all.values()].map(stop));
      all.clear();
    },
  };

  function resume(following: Following, live: readonly LiveStretch[]): void {
    if (live.length === 0) return;
    const { recorded } = following.dictation.recording;
    try {
      for (const stretch of live) void open(following, stretch).end(stretch.to ?? recorded);
    } catch (error) {
      log({ level: 'info', event: 'not_heard_live', code: Object(error).code });
    }
    readBasis(following);
  }
  /** Without template, autotexts and vocabulary the words stand as they were heard, in the sections that were named. */
  function readBasis(following: Following): void {
    deps.report(following.dictation.stored).then(
      (basis) => {
        following.basis = basis;
        composeSoon(following);
      },
      () => undefined,
    );
  }
  function spokenIn(following: Following): readonly SpokenPiece[] | undefined {
    const { recording, stored } = following.dictation;
    if (lengthOf(recording.segments()) === 0) return undefined;
    return spokenPieces(piecesOfAll(following), stored.sample_rate);
  }
  async function stop(following: Following): Promise<void> {
    following.isLeft = true;
    following.callOff?.();
    await Promise.all(following.takes.map((take) => take.close()));
  }
  /** What cannot be deleted now, the service deletes after a day. */
  async function forget(id: string): Promise<void> {
    try {
      await deps.connect().client.transcriptions.delete({ params: { id } });
    } catch (error) {
      const { code } = Object(error);
      if (code !== 'NOT_FOUND') log({ level: 'info', event: 'transcription_not_deleted', code });
    }
  }
}
