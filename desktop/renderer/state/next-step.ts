/**
 * The next step of an exam: the only primary button on the screen. The first matching rule decides, so there is never
 * more than one.
 */
import type { Face } from './recorder/recorder-face.ts';
import type { Holding } from './worklist/exam.ts';
import { findElement } from '../../../src/domain/elements.ts';

/** `report`: the step is in the report's pane; `wait`: work is under way and the person need not act. */
export type Step =
  | 'take_over'
  | 'reinstate'
  | 'reopen'
  | 'record'
  | 'pause'
  | 'make'
  | 'write'
  | 'retry'
  | 'restore'
  | 'read'
  | 'report'
  | 'wait';

export interface Situation {
  readonly holding: Holding;
  readonly face: Face;
  /** Whether there is audio to make a report from. */
  readonly hasSound: boolean;
  /** The exam has a report, draft or signed. */
  readonly hasReport: boolean;
  /** The report is signed, or its signature is being sent. */
  readonly isSigned: boolean;
  /** A resident signed the report as preliminary, and this person co-signs it. */
  readonly isToCosign: boolean;
  /** A report is being typed. */
  readonly isWriting: boolean;
  /** Whether a recogniser is available. */
  readonly hasRecogniser: boolean;
  /** Whether the report is visible next to the exam. */
  readonly isReportVisible: boolean;
  /** Another exam is being recorded. */
  readonly isLiveElsewhere: boolean;
}

type Rule = readonly [fits: (now: Situation) => boolean, step: Step];
const face =
  (...faces: readonly Face[]) =>
  ({ face: now }: Situation): boolean =>
    faces.includes(now);

const rules: readonly Rule[] = [
  [face('recording'), 'pause'],
  [face('asking', 'starting', 'pausing', 'unsaved'), 'wait'],
  [({ isToCosign, isReportVisible }) => isToCosign && isReportVisible, 'report'],
  [({ holding }) => holding === 'others', 'take_over'],
  [({ holding }) => holding === 'cancelled', 'reinstate'],
  [({ isSigned, isReportVisible }) => isSigned && isReportVisible, 'report'],
  [({ isSigned }) => isSigned, 'read'],
  [({ holding }) => holding === 'completed', 'reopen'],
  [({ isLiveElsewhere }) => isLiveElsewhere, 'wait'],
  [face('queued', 'sending', 'processing', 'waiting'), 'wait'],
  [({ isWriting }) => isWriting, 'report'],
  [face('discarded'), 'restore'],
  [(now) => face('failed')(now) && now.hasRecogniser, 'retry'],
  [({ hasSound, hasRecogniser, face: now }) => hasSound && hasRecogniser && now !== 'done', 'make'],
  [({ hasReport, face: now, isReportVisible }) => (hasReport || now === 'done') && isReportVisible, 'report'],
  [({ hasReport, face: now }) => hasReport || now === 'done', 'read'],
  [({ hasRecogniser }) => !hasRecogniser, 'write'],
  [() => true, 'record'],
];

export const nextStep = (now: Situation): Step => findElement(rules, ([fits]) => fits(now))[1];
