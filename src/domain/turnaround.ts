/** Turnaround targets by priority and hospital, and how far an exam is from its target. */
import { priorityTerms } from '../contract/priority.ts';
import type { PriorityTerm } from '../contract/priority.ts';
import type { WorklistItem } from '../contract/worklist-item.ts';

/** `metadata.priority` of the exam. An exam without a priority, or with one that DICOM does not define, is routine. */
export function readPriorityTerm({ metadata }: Pick<WorklistItem, 'metadata'>): PriorityTerm {
  const priority = metadata?.['priority'];
  const word = typeof priority === 'string' ? priority.trim().toUpperCase() : '';
  return priorityTerms.find((term) => term === word) ?? 'ROUTINE';
}

/** Minutes from the exam to its report, unless an operator sets others. */
export const defaultTargets: Readonly<Record<PriorityTerm, number>> = {
  STAT: 60,
  HIGH: 4 * 60,
  MEDIUM: 12 * 60,
  ROUTINE: 24 * 60,
  LOW: 3 * 24 * 60,
};

/** A target other than the default; `hospital: null`: for every hospital without a target. */
export interface Target {
  readonly hospital: string | null;
  readonly priority: PriorityTerm;
  readonly minutes: number;
}

/** The target of the exam in minutes: that of its hospital, else that for every hospital, else the default. */
export function findTarget(item: Pick<WorklistItem, 'metadata' | 'hospital_name'>, targets: readonly Target[]): number {
  const priority = readPriorityTerm(item);
  const named = (hospital: string | null) =>
    targets.find((target) => target.priority === priority && target.hospital === hospital)?.minutes;
  const { hospital_name: hospital = null } = item;
  return (hospital === null ? undefined : named(hospital)) ?? named(null) ?? defaultTargets[priority];
}

/** The longest target, in minutes. */
export const maxMinutes = 60 * 24 * 60;

/** The targets with one added for the exams of that hospital and priority. `minutes`: `null` removes it. */
export function withTarget(
  targets: readonly Target[],
  { hospital, priority, minutes }: Omit<Target, 'minutes'> & { readonly minutes: number | null },
): Target[] {
  const others = targets.filter((target) => target.hospital !== hospital || target.priority !== priority);
  return minutes === null ? others : [...others, { hospital, priority, minutes }];
}

/** `1 h 30 min`, `3 d`: in no more units than it needs; `minutesIn` reads it back. */
export function timeWords(minutes: number): string {
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  return [days > 0 && `${days} d`, hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ');
}

/** The minutes that a person typed: `90`, `1 h 30`, `4h`, `2 d`. `undefined`: no time, or not allowed for a target. */
export function minutesIn(text: string): number | undefined {
  const parts = /^(?:(\d{1,6}) ?d)? ?(?:(\d{1,6}) ?h)? ?(?:(\d{1,6}) ?(?:m|min)?\.?)?$/i.exec(
    text.trim().replace(/\s+/g, ' '),
  );
  if (!parts) return undefined;
  const [days, hours, rest] = parts.slice(1).map((part = '0') => Number(part)) as [number, number, number];
  const minutes = days * 1440 + hours * 60 + rest;
  return minutes >= 1 && minutes <= maxMinutes ? minutes : undefined;
}

const minuteMs = 60_000;

/** When the report is due, in ms since 1970. */
export const dueAt = (
  item: Pick<WorklistItem, 'metadata' | 'hospital_name' | 'exam_datetime'>,
  targets: readonly Target[],
): number => Date.parse(item.exam_datetime) + findTarget(item, targets) * minuteMs;

export interface Turnaround {
  /** `ahead`: the exam has not taken place. `near`: the last quarter of the time, and at most the last hour. */
  readonly pace: 'ahead' | 'on_time' | 'near' | 'late';
  /** Whole minutes, at least one: those that are left, or those by which the report is late. */
  readonly minutes: number;
}

/** How far an exam is from its target of so many minutes. `at`: when the exam took place; `at` and `now` in ms since 1970. */
export function computeTurnaround(at: number, target: number, now: number): Turnaround {
  const left = at + target * minuteMs - now;
  if (left < 0) return { pace: 'late', minutes: Math.max(1, Math.floor(-left / minuteMs)) };
  const minutes = Math.max(1, Math.ceil(left / minuteMs));
  if (now < at) return { pace: 'ahead', minutes };
  return { pace: minutes <= Math.min(target / 4, 60) ? 'near' : 'on_time', minutes };
}
