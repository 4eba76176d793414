/** Filters, sorts and groups the exams of the list. Pure, and fast enough for 5,000 items at every keystroke. */
import { numbersOfOrders } from '../../../../src/domain/order-numbers.ts';
import { foldText, textSearch } from '../../../../src/domain/search-text.ts';
import { isOpen, nameOrder, oldest, orderedOf, groupByDefault } from '../../../../src/domain/worklist-order.ts';
import type { Heading, OrderedExam } from '../../../../src/domain/worklist-order.ts';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { subspecialties } from '../../../../src/contract/worklist.ts';
import type { Subspecialty } from '../../../../src/contract/worklist.ts';
import { findSubspecialty } from '../../../../src/domain/subspecialties.ts';
import { dueAt } from '../../../../src/domain/turnaround.ts';
import type { Target } from '../../../../src/domain/turnaround.ts';
import { tabs } from '../../../bridge/list-settings.ts';
import type { DayFilter, ListFilters, Sorting, Tab } from '../../../bridge/list-settings.ts';
import { rowState } from './row-state.ts';
import { dayOf, today, wallTime } from '../../i18n/format.ts';

export type Filters = ListFilters;
export const noFilters: Filters = {
  tab: 'open',
  query: '',
  modality: [],
  hospital: [],
  subspecialty: [],
  status: [],
  day: [],
  starred: false,
  sort: 'usual',
};

/** Whether a filter other than the tab and the order narrows the list. */
export const narrows = ({ query, modality, hospital, subspecialty, status, day, starred }: Filters): boolean =>
  query.trim() !== '' || starred || [modality, hospital, subspecialty, status, day].some((values) => values.length > 0);

export type Row =
  | { readonly kind: 'heading'; readonly heading: Heading; readonly count: number }
  | { readonly kind: 'item'; readonly item: WorklistItem };

export interface ListView {
  readonly rows: readonly Row[];
  /** The exams of the rows. */
  readonly items: readonly WorklistItem[];
  /** Number of exams per tab. */
  readonly counts: Readonly<Record<Tab, number>>;
}

/** Values computed once per item; a changed item is another object. */
interface IndexedExam extends OrderedExam {
  /** Computed at the first search or filter by day. */
  text?: string;
  day?: number;
}
const known = new WeakMap<WorklistItem, IndexedExam>();

function indexExam(item: WorklistItem): IndexedExam {
  const before = known.get(item);
  if (before !== undefined) return before;
  const made = orderedOf(item);
  known.set(item, made);
  return made;
}

const textOf = (of: IndexedExam): string =>
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
      ...numbersOfOrders(of.item.metadata),
    ]
      .filter((text) => typeof text === 'string')
      .join('\n'),
  ));
/** Computes part of the search data ahead of time, so that the first typed letter need not wait for all of it. */
export function prepareSearch(items: readonly WorklistItem[]): void {
  for (const item of items) textOf(indexExam(item));
}

const examDay = (of: IndexedExam): number => (of.day ??= dayOf(wallTime(of.item.exam_datetime)));

const inTab: Readonly<Record<Tab, (item: WorklistItem, me: string | null) => boolean>> = {
  open: isOpen,
  mine: (item, me) => item.status === 'in_progress' && me !== null && item.assigned_to === me,
  done: (item) => item.status === 'completed',
  all: () => true,
};

const inDays: Readonly<Record<DayFilter, (daysAgo: number) => boolean>> = {
  coming: (days) => days < 0,
  today: (days) => days === 0,
  yesterday: (days) => days === 1,
  week: (days) => days >= 0 && days < 7,
  older: (days) => days >= 7,
};

/** The person's settings that affect the list. */
interface Own {
  readonly targets: readonly Target[];
  readonly starred: ReadonlySet<string>;
}
const nothingOwn: Own = { targets: [], starred: new Set() };

/** The conditions of the active filters, cheapest first. */
function buildConditions(filters: Filters, { starred }: Own, now: number): ((of: IndexedExam) => boolean)[] {
  const { modality, hospital, subspecialty, status, day, query } = filters;
  const thisDay = today(now);
  const isAsked = textSearch(query);
  const conditions: [boolean, (of: IndexedExam) => boolean][] = [
    [modality.length > 0, ({ item }) => modality.includes(item.modality)],
    [hospital.length > 0, ({ item }) => hospital.includes(item.hospital_name ?? '')],
    [filters.starred, ({ item }) => starred.has(item.id)],
    [status.length > 0, ({ item }) => (status as readonly string[]).includes(rowState(item).word)],
    [subspecialty.length > 0, ({ item }) => subspecialty.includes(findSubspecialty(item))],
    [day.length > 0, (of) => day.some((each) => inDays[each](thisDay - examDay(of)))],
    [query.trim() !== '', (of) => isAsked([textOf(of)])],
  ];
  return conditions.flatMap(([isSet, holds]) => (isSet ? [holds] : []));
}

/** The list for these filters. `me`: display name of the person who is logged in; `now` in ms. */
export function buildView(
  items: Iterable<WorklistItem>,
  filters: Filters,
  me: string | null,
  now: number,
  own: Own = nothingOwn,
): ListView {
  const conditions = buildConditions(filters, own, now);
  const counts = { open: 0, mine: 0, done: 0, all: 0 };
  const chosen: IndexedExam[] = [];
  for (const item of items) {
    const of = indexExam(item);
    if (!conditions.every((holds) => holds(of))) continue;
    for (const tab of tabs) if (inTab[tab](item, me)) counts[tab]++;
    if (inTab[filters.tab](item, me)) chosen.push(of);
  }
  const groups =
    filters.sort === 'usual'
      ? groupByDefault(chosen)
      : [{ heading: null, members: chosen.toSorted(createComparator(filters.sort, own.targets)) }];
  const rows = groups.flatMap(({ heading, members }): Row[] => [
    ...(heading === null ? [] : [{ kind: 'heading', heading, count: members.length } as const]),
    ...members.map(({ item }) => ({ kind: 'item', item }) as const),
  ]);
  return { rows, items: groups.flatMap(({ members }) => members.map(({ item }) => item)), counts };
}

function createComparator(
  sort: Exclude<Sorting, 'usual'>,
  targets: readonly Target[],
): (a: IndexedExam, b: IndexedExam) => number {
  if (sort === 'due') {
    const due = new Map<IndexedExam, number>();
    const getDue = (of: IndexedExam): number => {
      const known = due.get(of) ?? dueAt(of.item, targets);
      due.set(of, known);
      return known;
    };
    return (a, b) => getDue(a) - getDue(b) || oldest(a, b);
  }
  if (sort === 'patient') {
    const byName = nameOrder();
    return (a, b) => byName(a.item.display_name, b.item.display_name) || oldest(a, b);
  }
  return sort === 'oldest' ? oldest : (a, b) => oldest(b, a);
}

/** The modalities, hospitals and subspecialties in the list, for the filter menus. */
export function collectFacets(items: Iterable<WorklistItem>) {
  const modalities = new Set<string>();
  const hospitals = new Set<string>();
  const found = new Set<Subspecialty>();
  for (const item of items) {
    modalities.add(item.modality);
    hospitals.add(item.hospital_name ?? '');
    found.add(findSubspecialty(item));
  }
  return {
    modality: [...modalities].toSorted(),
    hospital: [...hospitals].toSorted(nameOrder()),
    subspecialty: subspecialties.filter((each) => found.has(each)),
  };
}
