/** The next step of an exam on this page. */
import { nextStep } from './next-step.ts';
import type { Step } from './next-step.ts';
import { isReportVisible, isWide } from './visible-pane.ts';
import { chooseFace } from './recorder/recorder-face.ts';
import { lengthOf } from './recorder/recorder-state.ts';
import { liveRecorder, openRecorder } from './recorder/recorders.ts';
import { hasPreliminaryReport, hasReport, hasSignedReport, hasWaitingSignature } from './report/open-report.ts';
import { writtenItem } from './report/writing.ts';
import { recogniser, role, userName } from './session.ts';
import { getHolding } from './worklist/exam.ts';
import { items } from './worklist/worklist.ts';

export function chooseStep(itemId: string): Step {
  const item = items.value?.get(itemId);
  const recorder = openRecorder(itemId);
  const state = recorder.state.value;
  const isSigned = hasSignedReport(itemId) || hasWaitingSignature(itemId);
  return nextStep({
    holding: item ? getHolding(item, userName.value) : 'free',
    face: chooseFace(state),
    hasSound: lengthOf(state) > 0,
    hasReport: isSigned || hasReport(itemId),
    isSigned,
    isToCosign: role.value === 'attending' && hasPreliminaryReport(itemId),
    isWriting: writtenItem.value === itemId,
    hasRecogniser: recogniser.value !== 'none',
    isReportVisible: isReportVisible.value,
    isLiveElsewhere: ![null, recorder].includes(liveRecorder.value),
  });
}

/** `primary`: the next step, whose button is highlighted. */
type StepKind = 'plain' | 'primary';

/** The style of a step's button in the exam's pane. */
export const getStepKind = (step: Step, itemId: string): StepKind =>
  chooseStep(itemId) === step ? 'primary' : 'plain';

/**
 * The style of the next step's button in the report's pane: on a wide screen the exam's pane may hold the next step.
 */
export const kindInReport = (itemId: string | null): StepKind =>
  itemId !== null && isWide.value && chooseStep(itemId) !== 'report' ? 'plain' : 'primary';
