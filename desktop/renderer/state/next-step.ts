/**
 * The next step of an exam: the one filled button on the screen. Of the rules the first that fits decides, so that no
 * state has two.
 */
import type { Face } from './recorder/recorder-face.ts';
import type { Holding } from './worklist/exam.ts';
import { findElement } from '../../../src/domain/elements.ts';

/** `report`: the step is in the pane of the report; `wait`: something is under way, and nothing is asked of the person. */
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
  /** Whether there is sound to make a report of. */
  readonly hasSound: boolean;
  /** The exam has a report: a draft, or one that is signed. */
  readonly hasReport: boolean;
  /** It is signed, or its signature is on its way. */
  readonly isSigned: boolean;
  /** A resident signed the report as preliminary, and the person here co-signs it. */
  readonly isToCosign: boolean;
  /** A report is being written by hand. */
  readonly isWriting: boolean;
  /** Whether something here turns speech into text. */
  readonly isHeard: boolean;
  /** Whether the report stands beside the exam. */
  readonly isReportInSight: boolean;
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
  [({ isToCosign, isReportInSight }) => isToCosign && isReportInSight, 'report'],
  [({ holding }) => holding === 'others', 'take_over'],
  [({ holding }) => holding === 'cancelled', 'reinstate'],
  [({ isSigned, isReportInSight }) => isSigned && isReportInSight, 'report'],
  [({ isSigned }) => isSigned, 'read'],
  [({ holding }) => holding === 'completed', 'reopen'],
  [({ isLiveElsewhere }) => isLiveElsewhere, 'wait'],
  [face('queued', 'sending', 'processing', 'waiting'), 'wait'],
  [({ isWriting }) => isWriting, 'report'],
  [face('discarded'), 'restore'],
  [(now) => face('failed')(now) && now.isHeard, 'retry'],
  [({ hasSound, isHeard, face: now }) => hasSound && isHeard && now !== 'done', 'make'],
  [({ hasReport, face: now, isReportInSight }) => (hasReport || now === 'done') && isReportInSight, 'report'],
  [({ hasReport, face: now }) => hasReport || now === 'done', 'read'],
  [({ isHeard }) => !isHeard, 'write'],
  [() => true, 'record'],
];

export const nextStep = (now: Situation): Step => findElement(rules, ([fits]) => fits(now))[1];
