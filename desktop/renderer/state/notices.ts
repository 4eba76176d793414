/** Notices: short sentences about the latest event. A notice of a failure stays until the person closes it. */
import { signal } from '@preact/signals';
import type { BridgeError } from '../../bridge/bridge.ts';
import { explainError } from './explain.ts';

export interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
  /** Id of what it acts on: equal notices about others each keep their action. `null`: it acts on no single thing. */
  readonly about: string | null;
}

export interface Notice {
  readonly id: number;
  readonly tone: 'done' | 'info' | 'error';
  readonly text: string;
  readonly hint?: string | undefined;
  /** An action of the notice, such as undo. */
  readonly action?: NoticeAction | undefined;
}

/** How long a notice stays, in ms: time to read it twice, longer if it has an action. */
const stays = { plain: 5000, withAction: 10_000 } as const;
/** Maximum number of notices, since more would hide the work. The oldest is removed first. */
const atMost = 4;

export const notices = signal<readonly Notice[]>([]);
let lastId = 0;
let held = false;
const overdue = new Set<number>();
const timers = new Map<number, ReturnType<typeof setTimeout>>();

const isEqual = (a: Omit<Notice, 'id'>, b: Omit<Notice, 'id'>): boolean =>
  a.tone === b.tone &&
  a.text === b.text &&
  a.hint === b.hint &&
  a.action?.label === b.action?.label &&
  a.action?.about === b.action?.about;

/** Shows a notice; returns its id for `dismiss`. An equal one that is still shown is renewed instead of repeated. */
export function notify(notice: Omit<Notice, 'id'>): number {
  const id = notices.peek().find((shown) => isEqual(shown, notice))?.id ?? ++lastId;
  notices.value = [...notices.peek().filter((shown) => shown.id !== id), { ...notice, id }].slice(-atMost);
  clearTimeout(timers.get(id));
  overdue.delete(id);
  if (notice.tone !== 'error')
    timers.set(
      id,
      setTimeout(
        () => (held ? overdue.add(id) : dismiss(id)),
        notice.action === undefined ? stays.plain : stays.withAction,
      ),
    );
  return id;
}

/** Shows the error of a refused call. */
export const notifyError = (error: BridgeError, action?: NoticeAction): number =>
  notify({ tone: 'error', ...explainError(error), action });

export function dismiss(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** Removes the notices of a person who logged out. */
export const forgetNotices = (): void => {
  notices.value = [];
};

/** While the pointer or the focus is on the notices, none disappears. */
export function holdNotices(hold: boolean): void {
  held = hold;
  if (hold) return;
  for (const id of overdue) dismiss(id);
  overdue.clear();
}
