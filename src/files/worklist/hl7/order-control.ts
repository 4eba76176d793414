/** Meanings of an order's control and status for its exam (HL7 v2.5.1 tables 0119, 0038, 0278). */
import { findEntry } from '../../../domain/find-entry.ts';
import type { ExamStatus } from '../reading.ts';
import { statusOfWord } from '../status-words.ts';

/** The effect of a message on an order. */
export type Meaning =
  /** It is placed now, for the first time or again. */
  | 'placed'
  /** It is changed, or its state is reported. */
  | 'told'
  /** The exam does not take place by this order. */
  | 'cancelled'
  /** The message asks or answers something about an order and changes none. */
  | 'nothing';

/** ORC-1; any other control reports the state of an order. */
const controls: Readonly<Record<string, Meaning>> = {
  NW: 'placed',
  /** The order that replaces another, and the one that a parent was split into. */
  RO: 'placed',
  CH: 'placed',
  /** An order of the filler, for which it asks the placer's number. */
  SN: 'placed',
  CA: 'cancelled',
  CR: 'cancelled',
  OC: 'cancelled',
  DC: 'cancelled',
  DR: 'cancelled',
  OD: 'cancelled',
  /** Replaced by an order of the group that follows. */
  RP: 'cancelled',
  RQ: 'cancelled',
  RU: 'cancelled',
  /** Refused by the filler, a request for the state, an error, a refusal to hold or to change. */
  UA: 'nothing',
  SS: 'nothing',
  DE: 'nothing',
  DF: 'nothing',
  MC: 'nothing',
  /** A result of before. */
  PR: 'nothing',
};

/** ORC-5; some systems have words in place of the codes. */
const endings: ReadonlySet<string> = new Set(['CA', 'DC', 'RP']);
const wordFor = (status: string): ExamStatus | 'cancelled' | undefined =>
  status.length > 2 ? statusOfWord(status) : undefined;

export function findMeaning(control: string, status: string): Meaning {
  const meaning = findEntry(controls, control.toUpperCase()) ?? 'told';
  const isEnded = endings.has(status.toUpperCase()) || wordFor(status) === 'cancelled';
  return meaning !== 'nothing' && isEnded ? 'cancelled' : meaning;
}

/** How far the exam itself is, by ORC-5; a new order in progress is a patient who has arrived (IHE RAD-4, RAD-13). */
export function findExamStatus(control: string, status: string): ExamStatus | undefined {
  const said = status.toUpperCase();
  if (said === 'IP' && control.toUpperCase() === 'NW') return 'arrived';
  return findEntry(progress, said) ?? progressIn(wordFor(status));
}

const progress: Readonly<Record<string, ExamStatus>> = {
  SC: 'scheduled',
  IP: 'in_progress',
  A: 'in_progress',
  CM: 'completed',
};

const progressIn = (status: ExamStatus | 'cancelled' | undefined): ExamStatus | undefined =>
  status === 'cancelled' ? undefined : status;

/** The status of an exam with several orders. */
export function examStatusOfAll(all: readonly (ExamStatus | undefined)[]): ExamStatus | undefined {
  const said = all.filter((status) => status !== undefined);
  const [first] = said;
  if (said.every((status) => status === first)) return first;
  // Some of it was done, and some was not.
  if (said.some((status) => status === 'in_progress' || status === 'completed')) return 'in_progress';
  return 'arrived';
}

/** Trigger events of appointments (MSH-9.2). */
export const appointments: Readonly<Record<string, Meaning>> = {
  S12: 'placed',
  /** Rebooked, which may follow a patient who did not come. */
  S13: 'placed',
  S14: 'told',
  S15: 'cancelled',
  S16: 'cancelled',
  S17: 'cancelled',
  /** The patient did not come. */
  S26: 'cancelled',
};

/** SCH-25 (table 0278), in capitals. */
const cancelledAppointments = new Set(['CANCELLED', 'CANCELED', 'DELETED', 'DC', 'NOSHOW']);
const appointmentProgress: Readonly<Record<string, ExamStatus>> = {
  BOOKED: 'scheduled',
  STARTED: 'in_progress',
  COMPLETE: 'completed',
  OVERBOOK: 'scheduled',
};

export function readAppointment(
  event: string,
  status: string,
): { meaning: Meaning; examStatus: ExamStatus | undefined } {
  const meaning = isCancelledAppointment(status) ? 'cancelled' : (findEntry(appointments, event) ?? 'told');
  const said = findEntry(appointmentProgress, status.toUpperCase()) ?? progressIn(wordFor(status));
  return { meaning, examStatus: said ?? 'scheduled' };
}

const isCancelledAppointment = (status: string): boolean =>
  cancelledAppointments.has(status.toUpperCase()) || wordFor(status) === 'cancelled';

/** Whether a service of an appointment is taken out of it: by its status (AIS-10), or by the action on it (AIS-2, table 0206). */
export const isTakenOut = (action: string, status: string): boolean =>
  action.toUpperCase() === 'D' || isCancelledAppointment(status);
