/**
 * The location in the app, as the part of the address after `#`, so that Back and links work:
 * `#/`, `#/exam/<id>`, `#/exam/<id>/document`, and with `?settings`, `?macros`, `?vocabulary`, `?statistics`, `?jobs`,
 * `?critical`, `?shortcuts` or `?voice` a dialog above it. `#/report/<pair>/<id>`: the window for the report alone.
 * Ids are those of the service, never a patient's.
 */
import { computed, signal } from '@preact/signals';

export const panes = ['list', 'exam', 'document'] as const;
/** The pane, if the screen shows one at a time. */
export type Pane = (typeof panes)[number];
export const sheets = [
  'settings',
  'macros',
  'vocabulary',
  'statistics',
  'jobs',
  'critical',
  'shortcuts',
  'voice',
] as const;
export type Sheet = (typeof sheets)[number];

export interface Route {
  readonly itemId: string | null;
  readonly pane: Pane;
  readonly sheet: Sheet | null;
  /** Id of the pair of windows in which this one shows the report alone; `null`: it has the list. */
  readonly pair: string | null;
}

const start: Route = { itemId: null, pane: 'list', sheet: null, pair: null };
const isId = (text: string | undefined): text is string => text !== undefined && /^[\w-]{1,64}$/.test(text);

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?');
  const [, kind, first, second] = path.split('/');
  const sheet = sheets.find((name) => name === query) ?? null;
  if (kind === 'report' && isId(first))
    return { itemId: isId(second) ? second : null, pane: 'document', sheet, pair: first };
  if (kind !== 'exam' || !isId(first)) return { ...start, sheet };
  return { ...start, itemId: first, pane: panes.find((pane) => pane === second) ?? 'exam', sheet };
}

export function writeRoute({ itemId, pane, sheet, pair }: Route): string {
  const exam = itemId === null ? '/' : `/exam/${itemId}${pane === 'exam' ? '' : `/${pane}`}`;
  const path = pair === null ? exam : `/report/${pair}${itemId === null ? '' : `/${itemId}`}`;
  return `#${path}${sheet === null ? '' : `?${sheet}`}`;
}

export const route = signal<Route>(start);
/** Whether this window shows the report alone. */
export const isReportWindow = computed(() => route.value.pair !== null);
export const openItemId = computed(() => route.value.itemId);
/** The exam that was open before; `null`: none was. */
export const previousItemId = signal<string | null>(null);

/** Navigates; omitted parts stay. */
export function go(to: Partial<Route>): void {
  const { itemId: left } = route.peek();
  if (left !== null && to.itemId !== undefined && to.itemId !== left) previousItemId.value = left;
  route.value = { ...route.peek(), ...to };
}

/** Opens an exam. */
export const openItem = (itemId: string, pane: Pane = 'exam'): void => go({ itemId, pane });
export const openSheet = (sheet: Sheet): void => go({ sheet });
export const closeSheet = (): void => go({ sheet: null });
