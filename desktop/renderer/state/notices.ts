/** Short sentences about what just happened. Those that report a fault stay until they are put away. */
import { signal } from '@preact/signals';
import type { BridgeError } from '../../bridge/bridge.ts';

export interface Notice {
  readonly id: number;
  readonly tone: 'done' | 'info' | 'error';
  readonly text: string;
  readonly hint?: string | undefined;
  /** What can be done about it, or how it is taken back. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

/** How long a notice stays, in ms: long enough to be read twice; longer when it offers something. */
const stays = { plain: 5000, withAction: 10_000 } as const;
/** More would hide the work; the oldest goes first. */
const atMost = 4;

export const notices = signal<readonly Notice[]>([]);
let lastId = 0;
let held = false;
const overdue = new Set<number>();

/** Tells something; the answer is for `dismiss`. */
export function notify(notice: Omit<Notice, 'id'>): number {
  const id = ++lastId;
  notices.value = [...notices.value, { ...notice, id }].slice(-atMost);
  if (notice.tone !== 'error')
    setTimeout(
      () => (held ? overdue.add(id) : dismiss(id)),
      notice.action === undefined ? stays.plain : stays.withAction,
    );
  return id;
}

/** Tells what a refused call said. */
export const notifyError = (error: BridgeError, action?: Notice['action']): number =>
  notify({ tone: 'error', text: error.message, hint: error.hint, action });

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** They were said to somebody who has left. */
export const forgetNotices = (): void => {
  notices.value = [];
};

/** While somebody reads them or has the focus there, none goes away. */
export function holdNotices(hold: boolean): void {
  held = hold;
  if (hold) return;
  for (const id of overdue) dismiss(id);
  overdue.clear();
}
