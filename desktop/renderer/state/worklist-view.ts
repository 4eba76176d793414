/** Which exams the list shows, in which order, under which headings. Pure; ready for 5,000 items at every keystroke. */
import { foldText, textSearch } from '../../../src/domain/search-text.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { dayOf, today, wallTime } from '../i18n/format.ts';
import { priorityOf } from './priority.ts';
import type { Priority } from './priority.ts';

export const tabs = ['open', 'mine', 'done', 'all'] as const;
export type Tab = (typeof tabs)[number];
export const dayFilters = ['any', 'today', 'yesterday', 'week'] as const;
export type DayFilter = (typeof dayFilters)[number];
/** `usual`: urgent first, then by hospital. */
export const sortings = ['usual', 'oldest', 'newest', 'patient'] as const;
export type Sorting = (typeof sortings)[number];

export interface Filters {
  readonly tab: Tab;
  readonly query: string;
  readonly modality: string | null;
  readonly hospital: string | null;
  readonly day: DayFilter;
  readonly sort: Sorting;
}
export const noFilters: Filters = { tab: 'open', query: '', modality: null, hospital: null, day: 'any', sort: 'usual' };

/** `urgent`, `done` and `cancelled` are headings of the app; a hospital brings its own name. */
export type Heading = 'urgent' | 'done' | 'cancelled' | { readonly hospital: string | null };
export type Row =
  | { readonly kind: 'heading'; readonly heading: Heading; readonly count: number }
  | { readonly kind: 'item'; readonly item: WorklistItem };

export interface ListView {
  readonly rows: readonly Row[];
  /** Of the rows, the exams. */
  readonly items: readonly WorklistItem[];
  /** How many each tab would show. */
  readonly counts: Readonly<Record<Tab, number>>;
}

/** What is worked out once for an item; an item that changes is another object. */
interface Known {
  readonly item: WorklistItem;
  readonly at: number;
  readonly priority: Priority;
  /** Worked out when somebody searches or filters by day. */
  text?: string;
  day?: number;
}
const known = new WeakMap<WorklistItem, Known>();

function knownOf(item: WorklistItem): Known {
  const before = known.get(item);
  if (before !== undefined) return before;
  const made = { item, at: Date.parse(item.exam_datetime), priority: priorityOf(item) };
  known.set(item, made);
  return made;
}

const textOf = (of: Known): string =>
  (of.text ??= foldText(
    [
      of.item.display_name,
      of.item.patient_name,
      of.item.patient_id,
      of.item.exam_description,
      of.item.accession_number,
      of.item.modality,
      of.item.hospital_name,
      of.item.location,
      of.item.assigned_to,
    ]
      .filter((text) => typeof text === 'string')
      .join('\n'),
  ));
/** Works out a part of what a search needs, so that the first letter typed doesn't have to wait for all of it. */
export function prepareSearch(items: readonly WorklistItem[]): void {
  for (const item of items) textOf(knownOf(item));
}

const examDay = (of: Known): number => (of.day ??= dayOf(wallTime(of.item.exam_datetime)));

const isOpen = (item: WorklistItem): boolean => item.status === 'new' || item.status === 'in_progress';
const inTab: Readonly<Record<Tab, (item: WorklistItem, me: string | null) => boolean>> = {
  open: isOpen,
  mine: (item, me) => item.status === 'in_progress' && me !== null && item.assigned_to === me,
  done: (item) => item.status === 'completed',
  all: () => true,
};

const inDays: Readonly<Record<DayFilter, (daysAgo: number) => boolean>> = {
  any: () => true,
  today: (days) => days === 0,
  yesterday: (days) => days === 1,
  week: (days) => days >= 0 && days < 7,
};

type Order = (a: Known, b: Known) => number;
const oldest: Order = (a, b) => a.at - b.at || (a.item.id < b.item.id ? -1 : 1);
const lastChanged: Order = (a, b) => compare(b.item.updated_at, a.item.updated_at) || oldest(a, b);
const urgentFirst: Order = (a, b) => a.priority - b.priority || oldest(a, b);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The list for these filters. `me`: display name of who is logged in; `now` in ms. */
export function viewOf(items: Iterable<WorklistItem>, filters: Filters, me: string | null, now: number): ListView {
  const isAsked = filters.query.trim() === '' ? undefined : textSearch(filters.query);
  const thisDay = today(now);
  const counts = { open: 0, mine: 0, done: 0, all: 0 };
  const chosen: Known[] = [];
  for (const item of items) {
    if (filters.modality !== null && item.modality !== filters.modality) continue;
    if (filters.hospital !== null && item.hospital_name !== filters.hospital) continue;
    const of = knownOf(item);
    if (filters.day !== 'any' && !inDays[filters.day](thisDay - examDay(of))) continue;
    if (isAsked?.([textOf(of)]) === false) continue;
    for (const tab of tabs) if (inTab[tab](item, me)) counts[tab]++;
    if (inTab[filters.tab](item, me)) chosen.push(of);
  }
  const groups =
    filters.sort === 'usual'
      ? usualGroups(chosen)
      : [{ heading: null, members: chosen.toSorted(orderOf(filters.sort)) }];
  const rows = groups.flatMap(({ heading, members }): Row[] => [
    ...(heading === null ? [] : [{ kind: 'heading', heading, count: members.length } as const]),
    ...members.map(({ item }) => ({ kind: 'item', item }) as const),
  ]);
  return { rows, items: groups.flatMap(({ members }) => members.map(({ item }) => item)), counts };
}

const byName = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });

function orderOf(sort: Exclude<Sorting, 'usual'>): Order {
  if (sort === 'patient') return (a, b) => byName.compare(a.item.display_name, b.item.display_name) || oldest(a, b);
  return sort === 'oldest' ? oldest : (a, b) => oldest(b, a);
}

interface Group {
  readonly heading: Heading | null;
  readonly members: Known[];
}

/** Urgent ones, then hospital by hospital, each by time; what is done or cancelled stands below, last first. */
function usualGroups(chosen: readonly Known[]): Group[] {
  const hospitals = new Map<string | null, Known[]>();
  const urgent: Known[] = [];
  const done: Known[] = [];
  const cancelled: Known[] = [];
  const groupOf = ({ item, priority }: Known): Known[] => {
    if (item.status === 'completed') return done;
    if (item.status === 'cancelled') return cancelled;
    if (priority < 2) return urgent;
    const name = item.hospital_name ?? null;
    const group = hospitals.get(name) ?? [];
    hospitals.set(name, group);
    return group;
  };
  for (const each of chosen) groupOf(each).push(each);
  const named = [...hospitals].toSorted(([a], [b]) => (a === null ? 1 : b === null ? -1 : byName.compare(a, b)));
  return [
    { heading: 'urgent' as const, members: urgent.toSorted(urgentFirst) },
    ...named.map(([hospital, members]) => ({ heading: { hospital }, members: members.toSorted(oldest) })),
    { heading: 'done' as const, members: done.toSorted(lastChanged) },
    { heading: 'cancelled' as const, members: cancelled.toSorted(lastChanged) },
  ].filter(({ members }) => members.length > 0);
}

/** What the list can be narrowed to: the modalities and hospitals that it holds. */
export function facetsOf(items: Iterable<WorklistItem>): { modalities: string[]; hospitals: string[] } {
  const modalities = new Set<string>();
  const hospitals = new Set<string>();
  for (const item of items) {
    modalities.add(item.modality);
    if (typeof item.hospital_name === 'string') hospitals.add(item.hospital_name);
  }
  return { modalities: [...modalities].toSorted(), hospitals: [...hospitals].toSorted(byName.compare) };
}
