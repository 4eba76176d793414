/**
 * The report in its own window, for a second screen. This page and that window are a pair: one has the list, the recorder and the
 * microphone, the other the report. A lock of the browser says which of them edits the report, so that both never do, and so that the
 * report returns when its window ends, in whatever way. Between them go ids and names of actions, never words.
 */
import { effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { Action } from '../../bridge/keys.ts';
import { t } from '../i18n/index.ts';
import { performHere, setPassOn } from './keys.ts';
import { notify } from './notices.ts';
import { wantedSignature } from './report/wanted-signature.ts';
import type { WantedSignature } from './report/wanted-signature.ts';
import { whenClosed } from './report/opened-report.ts';
import { go, isReportWindow, openItemId, route, writeRoute } from './route.ts';
import { pageClock } from './time/page-clock.ts';
import { withTimeout } from './time/with-timeout.ts';

type PairMessage =
  /** The window for the report is there, and waits for it. */
  | { readonly kind: 'asks' }
  /** The list's window wants the report back. */
  | { readonly kind: 'returns' }
  | { readonly kind: 'exam'; readonly itemId: string | null }
  | { readonly kind: 'action'; readonly action: Action }
  | ({ readonly kind: 'request' } & ReportRequest)
  /** The id of the dictation that the list's window records. */
  | { readonly kind: 'records'; readonly dictation: string | null }
  | { readonly kind: 'signature'; readonly wanted: WantedSignature | null }
  /** The person works in the other window. */
  | { readonly kind: 'active' };

/** A request of the exam's pane to the report's pane. */
export interface ReportRequest {
  readonly request: 'write' | 'amend';
  readonly itemId: string;
}

export interface PairListeners {
  /** Whether a key acts on something that covers the page. */
  isCovered(): boolean;
  requested(request: ReportRequest): void;
  active(): void;
}

const here = signal(true);
/** Whether this window edits the report; otherwise the other one of the pair does. */
export const hasReportHere: ReadonlySignal<boolean> = here;

/** The other window may take this long to save and to answer, in ms. */
const patienceMs = 3000;
const pairKey = 'laudio.pair';
const placeKey = 'laudio.report-window';

/** The id of the dictation that the list's window records, in the window of the report. */
export const dictationOfPair = signal<string | null>(null);

let pair: string | null = null;
let line: BroadcastChannel | undefined;
let opened: Window | null = null;
/** Lets the report go to the other window. */
let give: (() => void) | undefined;
const has = Promise.withResolvers<void>();

const tell = (message: PairMessage): void => line?.postMessage(message);
export const tellRequest = (request: ReportRequest): void => tell({ kind: 'request', ...request });
export const tellActive = (): void => tell({ kind: 'active' });
/** Says which dictation is recorded here, now and to a window that comes later. */
export function tellRecording(dictation: string): void {
  recording = dictation;
  tell({ kind: 'records', dictation });
}
let recording: string | null = null;

const lockName = (): string => `laudio.report.${pair}`;
/** Whether the other window is there: it waits for the report. */
const hasPartner = async (): Promise<boolean> =>
  (await navigator.locks.query()).pending?.some(({ name }) => name === lockName()) === true;

/** Resolves once the app has everything that was typed here; a silent app has it from the browser later. */
async function putDown(): Promise<void> {
  here.value = false;
  // The pane of the report closes before its words are waited for.
  await new Promise((resolve) => setTimeout(resolve));
  await withTimeout(pageClock, patienceMs, whenClosed).catch(() => undefined);
}

/** Holds the report until it is given away. */
async function hold(): Promise<void> {
  const given = Promise.withResolvers<void>();
  give = given.resolve;
  here.value = true;
  has.resolve();
  await given.promise;
  give = undefined;
  await putDown();
}

/** Has the report, or waits for it, as long as this page lives. */
async function keepReport(): Promise<never> {
  for (;;) await navigator.locks.request(lockName(), hold);
}

/** Follows the other window of the pair. The person works in one exam, whichever window they open it in. */
export function followPair(listeners: PairListeners): void {
  ({ pair } = route.peek());
  if (pair !== null) {
    here.value = false;
    connect(listeners);
    // Taken from a window that did not answer.
    navigator.locks.request(lockName(), hold).then(
      () => close(),
      () => void (here.value = false),
    );
    // The answer comes once the request above is in line.
    void navigator.locks.query().then(() => tell({ kind: 'asks' }));
    followPlace();
  } else {
    pair = sessionStorage.getItem(pairKey);
    prepare = () => {
      pair ??= Math.random().toString(36).slice(2);
      sessionStorage.setItem(pairKey, pair);
      connect(listeners);
      void keepReport();
      prepare = undefined;
    };
    if (pair === null) return;
    here.value = false;
    prepare();
  }
}
/** Makes this page one of a pair; a page that never opens a window is none. */
let prepare: (() => void) | undefined;

function connect(listeners: PairListeners): void {
  line = new BroadcastChannel(lockName());
  /** The exam that both windows show. */
  let agreed = isReportWindow.peek() ? openItemId.peek() : undefined;
  let wanted = wantedSignature.peek();
  line.addEventListener('message', ({ data }: MessageEvent<PairMessage>) => {
    switch (data.kind) {
      case 'asks':
        tell({ kind: 'exam', itemId: openItemId.peek() });
        tell({ kind: 'records', dictation: recording });
        return give?.();
      case 'returns':
        return give?.();
      case 'exam': {
        agreed = data.itemId;
        const { itemId, pane } = route.peek();
        if (itemId !== agreed) go({ itemId: agreed, pane: agreed === null ? 'list' : pane === 'list' ? 'exam' : pane });
        return;
      }
      case 'action':
        return void (listeners.isCovered() || performHere(data.action));
      case 'request':
        return listeners.requested(data);
      case 'records':
        return void (dictationOfPair.value = data.dictation);
      case 'signature':
        wanted = data.wanted;
        return void (wantedSignature.value = data.wanted);
      case 'active':
        return listeners.active();
    }
  });
  effect(() => {
    const next = wantedSignature.value;
    if (next !== wanted) tell({ kind: 'signature', wanted: next });
    wanted = next;
  });
  effect(() => {
    const itemId = openItemId.value;
    if (itemId !== agreed) tell({ kind: 'exam', itemId });
    agreed = itemId;
  });
  setPassOn((action) => {
    if (here.peek() && !isReportWindow.peek()) return false;
    tell({ kind: 'action', action });
    if (isReportWindow.peek()) void noteAlone();
    else opened?.focus();
    return true;
  });
}

/** A key has no effect if the window with the list is closed. */
async function noteAlone(): Promise<void> {
  if (await hasPartner()) return;
  notify({
    tone: 'error',
    text: t('app.report_window_alone'),
    action: { label: t('app.report_window_alone_open'), run: becomeWhole, about: null },
  });
}

/** Opens the window, or shows the one that is there. */
export async function openReportWindow(): Promise<void> {
  prepare?.();
  // A window that asks before this page has the report gets no answer.
  await has.promise;
  const address = `${location.pathname}${writeRoute({ ...route.peek(), sheet: null, pair })}`;
  opened = window.open(address, `laudio-report-${pair}`, `popup,${readPlace()}`);
  if (opened === null)
    notify({ tone: 'error', text: t('app.report_window_blocked'), hint: t('app.report_window_blocked_hint') });
}

/** Returns the report to the window with the list. */
export async function returnReport(): Promise<void> {
  if (!isReportWindow.peek()) {
    tell({ kind: 'returns' });
    pageClock.schedule(pageClock.now() + patienceMs, () => {
      // That window hangs.
      if (!here.peek()) void navigator.locks.request(lockName(), { steal: true }, () => undefined);
    });
  } else if (await hasPartner()) give?.();
  else becomeWhole();
}

/** Opens or returns, by the same key. */
export const toggleReportWindow = (): void => {
  if (isReportWindow.peek() || !here.peek()) void returnReport();
  else void openReportWindow();
};

/** The window for the report shows the whole page instead. */
function becomeWhole(): void {
  history.replaceState(null, '', writeRoute({ ...route.peek(), pair: null }));
  location.reload();
}

/** Leaves nothing of the person who has logged out on the other screen. */
export const leaveReportWindow = (): void => {
  if (isReportWindow.peek()) close();
};

/** Remembers where the window is. A moved window gives no event, but the person leaves it. */
function followPlace(): void {
  const keep = (): void => {
    const place = { left: screenX, top: screenY, width: innerWidth, height: innerHeight };
    try {
      localStorage.setItem(placeKey, JSON.stringify(place));
    } catch {
      // Without storage it opens at its first place.
    }
  };
  for (const name of ['resize', 'blur', 'pagehide']) addEventListener(name, keep);
}

/** Where the window was, or the right edge of the screen: features of `window.open`. */
function readPlace(): string {
  const { availWidth, availHeight } = screen;
  const first = { left: Math.max(0, availWidth - defaultWidth), top: 0, width: defaultWidth, height: availHeight };
  try {
    const known = Object.entries(JSON.parse(localStorage.getItem(placeKey) ?? '{}') as Record<string, unknown>);
    const place = { ...first, ...Object.fromEntries(known.filter(([, value]) => Number.isInteger(value))) };
    return Object.entries(place)
      .map((feature) => feature.join('='))
      .join(',');
  } catch {
    return `width=${defaultWidth}`;
  }
}
const defaultWidth = 760;
