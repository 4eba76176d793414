/**
 * The location in the app, as the part of the address after `#`, so that Back and links work:
 * `#/`, `#/exam/<id>`, `#/exam/<id>/document`, and with `?settings`, `?macros`, `?vocabulary`, `?statistics`, `?jobs`,
 * `?critical`, `?shortcuts` or `?voice` a dialog above it.
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
}

const start: Route = { itemId: null, pane: 'list', sheet: null };

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?');
  const [, kind, id, tab] = path.split('/');
  const sheet = sheets.find((name) => name === query) ?? null;
  if (kind !== 'exam' || id === undefined || !/^[\w-]{1,64}$/.test(id)) return { ...start, sheet };
  return { itemId: id, pane: panes.find((pane) => pane === tab) ?? 'exam', sheet };
}

export function writeRoute({ itemId, pane, sheet }: Route): string {
  const path = itemId === null ? '/' : `/exam/${itemId}${pane === 'exam' ? '' : `/${pane}`}`;
  return `#${path}${sheet === null ? '' : `?${sheet}`}`;
}

export const route = signal<Route>(start);
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
