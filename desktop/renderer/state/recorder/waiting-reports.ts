/**
 * Reports requested in this browser while the app was unreachable. Each request survives a reload and is sent once, by
 * one page, when the app is back.
 */
import { pageMessage } from '../../../../src/contract/messages/page.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import type { Bridge, BridgeError } from '../../../bridge/bridge.ts';
import type { Dictation } from '../../../bridge/dictation.ts';
import { otherPerson } from '../../../bridge/session.ts';
import type { Backlog, WaitingReport } from '../../backlog/backlog.ts';
import { asBridgeError, reasonOf } from '../bridge.ts';
import { askedFor, putDictation } from './dictations.ts';
import { pause } from '../time/pause.ts';
import { waitUntilSent } from './waiting-sound.ts';
import { withTimeout } from '../time/with-timeout.ts';

export interface WaitingReportsDeps {
  readonly bridge: Bridge;
  readonly clock: Clock;
  readonly backlog: Backlog;
  /** Called when a request from before this page was opened is dropped, because something newer conflicts. */
  refused(error: BridgeError): void;
}

export interface WaitingReports {
  /** Resolves when the app has the request or it was withdrawn. Rejects with the error of the app. */
  ask(report: WaitingReport): Promise<void>;
  /** Withdraws a request; `false`: there is none, or the app has it. */
  withdraw(dictation: string): boolean;
  /** Sends the requests of this person, including those stored in the browser; `null`: nobody is logged in. */
  follow(desk: string | null): void;
}

/** Delay between retries, in ms. */
const tryMs = 1000;
/** Timeout of one attempt, in ms. */
const patienceMs = 10_000;

export function createWaitingReports(deps: WaitingReportsDeps): WaitingReports {
  const { bridge, clock, backlog } = deps;
  const waiting = new Map<string, WaitingReport>();
  /** Requests that exist only in this page: the browser stores nothing. */
  const unkept = new Set<string>();
  /** Requests that this page sends, or waits to send, under the current login. */
  let running = new Set<string>();
  let ending = new AbortController();
  let stopChanges = (): void => undefined;

  const show = (): void => void (askedFor.value = new Set(waiting.keys()));
  const drop = async (id: string): Promise<void> => {
    waiting.delete(id);
    unkept.delete(id);
    show();
    await backlog.forgetReport(id).catch(() => undefined);
  };
  /** Another page may have sent or withdrawn the request while this page waited for its turn. */
  const isWanted = async (id: string): Promise<boolean> =>
    waiting.has(id) && (unkept.has(id) || (await backlog.reports()).some((report) => report.id === id));

  const hasSoundWaiting = async (id: string): Promise<boolean> =>
    (await backlog.list().catch(() => [])).some(({ dictation }) => dictation === id);

  async function carryOut(report: WaitingReport, isFirst: boolean, signal: AbortSignal): Promise<void> {
    const { id } = report;
    const { desk: _desk, ...asked } = report;
    const { of: _of, ...anyLength } = asked;
    // A person who asks now has seen the current length.
    let input = isFirst ? anyLength : asked;
    for (;;) {
      await waitUntilSent(id);
      if (signal.aborted) return;
      if (!(await isWanted(id))) return drop(id);
      try {
        // A page that was just opened may not know yet what waits.
        if (await hasSoundWaiting(id)) throw away;
        const dictation = await withTimeout(clock, patienceMs, (each) =>
          bridge.call('dictation.send', input, undefined, each),
        );
        putDictation(dictation);
        return await drop(id);
      } catch (thrown) {
        const error = asBridgeError(thrown);
        if (!mayPass(error)) {
          await drop(id);
          if (isDone(error)) return;
          throw error;
        }
        if (error !== away) input = asked;
      }
      await pause(clock, tryMs, signal);
    }
  }
  const inTurn = async (report: WaitingReport, isFirst: boolean): Promise<void> => {
    const { signal } = ending;
    const mine = running.add(report.id);
    let refused: BridgeError | undefined;
    if (isFirst) await backlog.keepReport(report).catch(() => void unkept.add(report.id));
    await backlog
      .hold(`report ${report.id}`, signal, () =>
        carryOut(report, isFirst, signal).catch((thrown: unknown) => void (refused = asBridgeError(thrown))),
      )
      .catch(() => undefined);
    mine.delete(report.id);
    if (refused) throw refused;
  };
  const look = async (desk: string): Promise<void> => {
    const { signal } = ending;
    const stored = await backlog.reports().catch(() => []);
    if (signal.aborted) return;
    for (const id of waiting.keys())
      if (!running.has(id) && !stored.some((report) => report.id === id)) waiting.delete(id);
    for (const report of stored) {
      if (report.desk !== desk || running.has(report.id)) continue;
      waiting.set(report.id, report);
      inTurn(report, false).catch((thrown: unknown) => deps.refused(asBridgeError(thrown)));
    }
    show();
  };

  return {
    async ask(report) {
      if (running.has(report.id)) return;
      waiting.set(report.id, report);
      show();
      await inTurn(report, true);
    },
    withdraw(id) {
      if (!waiting.has(id)) return false;
      void drop(id);
      return true;
    },
    follow(desk) {
      ending.abort();
      stopChanges();
      ending = new AbortController();
      running = new Set();
      waiting.clear();
      show();
      if (desk === null) return;
      stopChanges = backlog.onChange(() => void look(desk));
      void look(desk);
    },
  };
}

/** The audio must arrive first. */
const away: BridgeError = { code: 'NETWORK', message: pageMessage('unsaved_sound') };

/** The app is unreachable, or the person who asked is not logged in now. */
const mayPass = (error: BridgeError): boolean =>
  ['NETWORK', 'UNAUTHORIZED'].includes(error.code) || reasonOf(error) === otherPerson;

const sealed: readonly unknown[] = ['queued', 'sending', 'processing', 'done'] satisfies Dictation['state'][];
/** The app already has it (an answer was lost), or the dictation no longer exists. */
const isDone = ({ code, details }: BridgeError): boolean => code === 'NOT_FOUND' || sealed.includes(details?.['state']);
