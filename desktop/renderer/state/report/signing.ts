/** Signs the open report, and what follows: taking the signature back, sending back, reopening, addenda. */
import { addendumKey } from '../../../../src/domain/record-state.ts';
import { sectionTitle } from '../../../../src/reporting/sections/section-titles.ts';
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { Clock } from '../../../../src/domain/clock.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import { asBridgeError } from '../bridge.ts';
import { isChanged, mergeVersion, showDecisions, showVersion, wordsOf } from './document-state.ts';
import type { ReportStore } from './report-store.ts';
import type { ReportSaving } from './saving.ts';
import { nextStroke } from './typed.ts';

/**
 * Why a report was not signed: it is in conflict, its text could not be saved, or it has text of another person that
 * this person has not read.
 */
export type SigningObstacle = 'conflict' | 'unsaved' | 'merged';

/** All reject with the error of the app. */
export interface ReportSigning {
  /** Since when the request to sign has no answer: from its first moment, or for longer than usual; `null`: none. */
  readonly unanswered: ReadonlySignal<'sending' | 'unanswered' | null>;
  /** Signs despite the acknowledged warnings, with the signer's PIN, which is not stored. `null`: it is signed. */
  sign(acknowledged?: readonly string[], pin?: string): Promise<SigningObstacle | null>;
  /** Undoes the signature, as long as the report is not final, once however often it is asked for; no typed word is lost. */
  takeBack(): Promise<void>;
  /** Returns a preliminary report to its resident; an empty note is omitted. */
  sendBack(note: string): Promise<void>;
  /** Makes the preliminary report that this person signed a draft again. */
  reopen(): Promise<void>;
  addAddendum(text: string): Promise<void>;
}

/** Milliseconds after which a request to sign counts as unanswered. */
const patienceMs = 4000;

export interface SigningDeps {
  readonly bridge: Bridge;
  readonly clock: Clock;
  readonly store: ReportStore;
  readonly saving: ReportSaving;
}

export function createSigning({ bridge, clock, store, saving }: SigningDeps): ReportSigning {
  const unanswered = signal<'sending' | 'unanswered' | null>(null);
  const stepBack = async (call: 'record.send_back' | 'record.reopen', more: { note?: string }): Promise<void> => {
    await saving.save();
    if (['conflict', 'failed'].includes(store.peek().saving)) return;
    await saving.inTurn(async () => {
      const { id, version } = store.present();
      const sent = wordsOf(store.peek());
      saving.settle(await bridge.call(call, { id, version, ...more }), sent);
    });
  };
  const sign = async (acknowledged: readonly string[], pin: string | undefined): Promise<SigningObstacle | null> => {
    const { merged } = store.peek();
    await saving.save();
    const met = store.peek();
    // A signature must not cover text that another person saved in the meantime and that this person has not read.
    if (met.saving === 'conflict') return 'conflict';
    if (met.saving === 'failed') return 'unsaved';
    if (met.merged !== merged) return 'merged';
    await saving.inTurn(async () => {
      const { id, version } = store.present();
      try {
        const byPin = pin === undefined ? {} : { pin };
        const sent = wordsOf(store.peek());
        const answer = await bridge.call('record.sign', { id, version, acknowledged: [...acknowledged], ...byPin });
        saving.settle(answer, sent);
      } catch (thrown) {
        // The findings of the service are shown for review.
        if (asBridgeError(thrown).code === 'OPEN_FINDINGS')
          store.apply(showDecisions(store.peek(), await bridge.call('record.get', { id })));
        throw thrown;
      }
    });
    return null;
  };
  const takeBack = (): Promise<void> =>
    saving.inTurn(async () => {
      const { id } = store.present();
      try {
        const answer = await bridge.call('record.take_back', { id });
        // Words that were typed while it was being signed are not in the report.
        saving.settle(answer, wordsOf(store.present()));
      } catch (thrown) {
        // It became final in the meantime.
        const record = await bridge.call('record.get', { id });
        const state = store.peek();
        store.apply(isChanged(state) ? mergeVersion(state, record) : showVersion(state, record));
        throw thrown;
      }
    });
  let takingBack: Promise<void> | undefined;
  return {
    unanswered,
    async sign(acknowledged = [], pin) {
      unanswered.value = 'sending';
      const callOff = clock.schedule(clock.now() + patienceMs, () => void (unanswered.value = 'unanswered'));
      try {
        return await sign(acknowledged, pin);
      } finally {
        callOff();
        unanswered.value = null;
      }
    },
    takeBack: () => (takingBack ??= takeBack().finally(() => (takingBack = undefined))),
    sendBack: (note) => stepBack('record.send_back', note === '' ? {} : { note }),
    reopen: () => stepBack('record.reopen', {}),
    addAddendum: (text) =>
      saving.inTurn(async () => {
        const { id, language } = store.present();
        const input = { id, text, title: sectionTitle(language, addendumKey), stroke: nextStroke() };
        const { record, outcome } = await bridge.call('record.addendum', input);
        store.apply({ ...showVersion(store.peek(), record), saving: outcome === 'queued' ? 'queued' : 'saved' });
      }),
  };
}
