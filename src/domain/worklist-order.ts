/** The order in which physicians work through exams: urgent exams first, then hospital by hospital, each by time. */
import type { WorklistItem } from '../contract/worklist.ts';
import { readPriorityTerm } from './turnaround.ts';
import { isOver } from './worklist-state.ts';

/** 0: emergency (STAT); 1: urgent (HIGH); 2: everything else. */
export type Priority = 0 | 1 | 2;

/** How urgent an exam is. */
export function readPriority(item: WorklistItem): Priority {
  const term = readPriorityTerm(item);
  return term === 'STAT' ? 0 : term === 'HIGH' ? 1 : 2;
}

/** Whether the exam waits for its report. */
export const isOpen = ({ status }: WorklistItem): boolean => !isOver(status);

/** An exam with the values that determine its place, computed once. */
export interface OrderedExam {
  readonly item: WorklistItem;
  /** When the exam took place, in ms since 1970. */
  readonly at: number;
  readonly priority: Priority;
}
export const orderedOf = (item: WorklistItem): OrderedExam => ({
  item,
  at: Date.parse(item.exam_datetime),
  priority: readPriority(item),
});

type Order = (a: OrderedExam, b: OrderedExam) => number;
export const oldest: Order = (a, b) => a.at - b.at || (a.item.id < b.item.id ? -1 : 1);
const lastChanged: Order = (a, b) => compare(b.item.updated_at, a.item.updated_at) || oldest(a, b);
const urgentFirst: Order = (a, b) => a.priority - b.priority || oldest(a, b);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
/** Compares names of people and hospitals without regard to accents and case. Its first use creates it, in ms. */
export const nameOrder = (): Intl.Collator['compare'] =>
  new Intl.Collator(undefined, { sensitivity: 'base', numeric: true }).compare;

/** `urgent`, `done` and `cancelled` are headings of the app; a hospital brings its own name. */
export type Heading = 'urgent' | 'done' | 'cancelled' | { readonly hospital: string | null };

export interface Group<O extends OrderedExam> {
  readonly heading: Heading;
  readonly members: O[];
}

/** The default order; completed and cancelled exams are at the bottom, the latest first. */
export function groupByDefault<O extends OrderedExam>(exams: Iterable<O>): Group<O>[] {
  const hospitals = new Map<string | null, O[]>();
  const urgent: O[] = [];
  const done: O[] = [];
  const cancelled: O[] = [];
  const findGroup = ({ item, priority }: O): O[] => {
    if (item.status === 'completed') return done;
    if (item.status === 'cancelled') return cancelled;
    if (priority < 2) return urgent;
    const name = item.hospital_name ?? null;
    const group = hospitals.get(name) ?? [];
    hospitals.set(name, group);
    return group;
  };
  for (const each of exams) findGroup(each).push(each);
  const byName = nameOrder();
  const named = [...hospitals].toSorted(([a], [b]) => (a === null ? 1 : b === null ? -1 : byName(a, b)));
  return [
    { heading: 'urgent' as const, members: urgent.toSorted(urgentFirst) },
    ...named.map(([hospital, members]) => ({ heading: { hospital }, members: members.toSorted(oldest) })),
    { heading: 'done' as const, members: done.toSorted(lastChanged) },
    { heading: 'cancelled' as const, members: cancelled.toSorted(lastChanged) },
  ].filter(({ members }) => members.length > 0);
}

/** The first `count` exams that wait for their report, in the default order. */
export const firstOpen = (items: Iterable<WorklistItem>, count: number): WorklistItem[] =>
  groupByDefault([...items].filter(isOpen).map(orderedOf))
    .flatMap(({ members }) => members.map(({ item }) => item))
    .slice(0, count);
