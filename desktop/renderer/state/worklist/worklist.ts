/** The exams, as last read from the service and updated by its events. */
import { batch, computed, signal } from '@preact/signals';
import type { CallInput, CallOutput } from '../../../bridge/calls.ts';
import type { EventData } from '../../../bridge/events.ts';
import type { ImportResult } from '../../../bridge/worklist-import.ts';
import type { Colleague, WorklistItem } from '../../../../src/contract/worklist.ts';
import { shownLanguage, t } from '../../i18n/index.ts';
import { asBridgeError, bridge } from '../bridge.ts';
import { notify, notifyError } from '../notices.ts';
import { createRevisionTracker } from '../time/revision-tracker.ts';
import { hour } from '../time/now.ts';
import { go, openItem, openItemId, previousItemId } from '../route.ts';
import { isTestMode, role, userName } from '../session.ts';
import { listSettings, openFirstList } from './saved-lists.ts';
import { collectFacets, narrows, noFilters, prepareSearch, buildView } from './worklist-view.ts';
import type { Filters } from './worklist-view.ts';

/** Keyed by id; `undefined` until the list has been read once. */
export const items = signal<ReadonlyMap<string, WorklistItem> | undefined>(undefined);
/** Whether the list is complete; at startup it holds only the first screen for a moment. */
export const isWhole = signal(false);
/** When the app last read the list from the service. */
export const asOf = signal<string | null>(null);
export const isRefreshing = signal(false);
export const filters = signal<Filters>(noFilters);
/** The row of the keyboard cursor. */
export const cursorId = signal<string | null>(null);

/** The person's settings for the list. */
const own = computed(() => {
  const { targets, starred } = listSettings.value;
  return { targets, starred: new Set(starred) };
});
/** The hour is precise enough for the day; the exact time would recompute the list every few seconds. */
export const listView = computed(() =>
  buildView(items.value?.values() ?? [], filters.value, userName.value, hour.value, own.value),
);
export const facets = computed(() => collectFacets(items.value?.values() ?? []));
/** Whether a filter other than the tab is active. */
export const isNarrowed = computed(() => narrows(filters.value));

/** The exam to open if none is open: the most urgent unassigned one, regardless of the filters. */
export const nextExam = computed(() => {
  const { items: open } = buildView(items.value?.values() ?? [], noFilters, userName.value, hour.value);
  return open.find(({ status }) => status === 'new') ?? open.find(({ assigned_to }) => assigned_to === userName.value);
});

/**
 * The exam to report after this one: the next in the list that is neither signed nor assigned to another person, or
 * that waits for an attending to co-sign.
 */
export function examAfter(itemId: string): WorklistItem | undefined {
  const shown = listView.peek().items;
  const at = shown.findIndex(({ id }) => id === itemId);
  return [...shown.slice(at + 1), ...shown.slice(0, Math.max(at, 0))].find(
    (item) => item.id !== itemId && isOpen(item),
  );
}
const isOpen = ({ status, assigned_to, report }: WorklistItem): boolean =>
  (role.peek() === 'attending' && report?.status === 'preliminary') ||
  ((status === 'new' || (status === 'in_progress' && [null, userName.peek()].includes(assigned_to))) &&
    (report === undefined || report.status === 'draft'));

/** Opens the exam to report after this one and moves the list's cursor to it. */
export function openNextExam(itemId: string): void {
  const next = examAfter(itemId);
  if (next) {
    cursorId.value = next.id;
    openItem(next.id);
  } else notify({ tone: 'info', text: t('app.nothing_left'), hint: t('app.nothing_left_hint') });
}

/** Opens the exam that was open before. */
export function openPreviousExam(): void {
  const id = previousItemId.peek();
  if (id !== null && items.peek()?.has(id) === true) {
    cursorId.value = id;
    openItem(id);
  } else notify({ tone: 'info', text: t('app.nothing_before') });
}

export const setFilters = (change: Partial<Filters>): void => {
  filters.value = { ...filters.peek(), ...change };
};
export const clearFilters = (): void => {
  const { tab, sort } = filters.peek();
  filters.value = { ...noFilters, tab, sort };
};

/** Reads the app's copy of the list, then the service's, and follows changes. The returned function stops following. */
export async function followWorklist(ended: AbortSignal): Promise<void> {
  const stopEvents = bridge().on('item', noteChange);
  const stopOpening = openFirstList((saved) => (filters.value = saved));
  const stopGaps = bridge().onGap(() => {
    forget();
    void refreshWorklist();
  });
  ended.addEventListener('abort', () => {
    stopOpening();
    stopEvents();
    stopGaps();
    clearTimeout(preparing);
    clearTimeout(gathering);
    gathering = undefined;
    changed.clear();
    batch(() => {
      items.value = undefined;
      isWhole.value = false;
      isRefreshing.value = false;
      asOf.value = null;
      cursorId.value = null;
      filters.value = noFilters;
    });
    forget();
  });
  await readWorklist({ first: firstScreen });
  // The first screen is shown while the rest loads.
  if (!isWhole.peek()) await readWorklist({});
  if (isTestMode.peek() && items.peek()?.size === 0) await addSampleDay({ unasked: true });
  void refreshWorklist();
}

/** Requests the list from the service. If the service is unreachable, the last list stays, with its age. */
export async function refreshWorklist(): Promise<void> {
  isRefreshing.value = true;
  await readWorklist({ refresh: true });
  isRefreshing.value = false;
}

/** More rows than fit on any screen, and few enough to arrive at once. */
const firstScreen = 80;

async function readWorklist(wanted: CallInput<'worklist.list'>): Promise<void> {
  try {
    const answer = await bridge().call('worklist.list', wanted);
    const whole = wanted.first === undefined;
    // Only the complete list can explain why it is empty.
    if (whole || answer.items.length > 0) takeList(answer, whole);
  } catch (thrown) {
    const error = asBridgeError(thrown);
    if (error.code !== 'NETWORK')
      notifyError(error, { label: t('app.try_again'), run: () => void refreshWorklist(), about: null });
    items.value ??= new Map();
    isWhole.value = true;
  }
}

const newest = createRevisionTracker();
/** Revision of the shown list. */
let listed = 0;
const forget = (): void => {
  newest.forget();
  listed = 0;
};

/** Unchanged items keep their identity, so that nothing is recomputed for them. */
function takeList(answer: CallOutput<'worklist.list'>, whole: boolean): void {
  const { revision } = answer;
  if (revision < listed) return;
  const before = items.peek();
  const after = new Map<string, WorklistItem>();
  for (const item of answer.items) {
    const old = before?.get(item.id);
    const isOld = !newest.isNews(item.id, revision);
    if (isOld && !old) continue;
    const isSame = old?.version === item.version && old.status === item.status && old.assigned_to === item.assigned_to;
    after.set(item.id, old && (isOld || isSame) ? old : item);
  }
  // The list lacks the changes that arrived since.
  for (const [id, item] of whole ? (before ?? []) : [])
    if (!after.has(id) && newest.isNewer(id, revision)) after.set(id, item);
  listed = revision;
  if (whole) newest.readAll(revision);
  batch(() => {
    notifyOfOpenExam(before, after);
    items.value = after;
    isWhole.value = whole;
    asOf.value = answer.as_of;
  });
  if (whole) prepareInParts([...after.values()]);
}

/** Works in slices of a few ms, so that the page stays responsive. */
const partSize = 200;
let preparing: ReturnType<typeof setTimeout> | undefined;

function prepareInParts(list: readonly WorklistItem[]): void {
  clearTimeout(preparing);
  if (list.length === 0) return;
  preparing = setTimeout(() => {
    prepareSearch(list.slice(0, partSize));
    prepareInParts(list.slice(partSize));
  }, 20);
}

/** How long changes are collected before they are read together, in ms. */
const gatherMs = 150;
let changed = new Set<string>();
let gathering: ReturnType<typeof setTimeout> | undefined;

function noteChange({ id, version, change }: EventData<'item'>): void {
  const known = items.peek()?.get(id);
  if (change === 'removed') {
    if (known !== undefined) items.value = new Map([...(items.peek() ?? [])].filter(([each]) => each !== id));
    return;
  }
  if (known !== undefined && known.version >= version) return;
  changed.add(id);
  gathering ??= setTimeout(() => void fetchChanged(), gatherMs);
}

async function fetchChanged(): Promise<void> {
  const ids = [...changed];
  changed = new Set();
  gathering = undefined;
  try {
    const answer = await bridge().call('worklist.list', { ids });
    const before = items.peek();
    const after = new Map(before);
    const byId = new Map(answer.items.map((item) => [item.id, item]));
    for (const id of ids) {
      if (!newest.isNews(id, answer.revision)) continue;
      const item = byId.get(id);
      if (item === undefined) after.delete(id);
      else after.set(id, item);
    }
    batch(() => {
      notifyOfOpenExam(before, after);
      notifyOfHandedOverExams(before ?? new Map(), byId.values());
      items.value = after;
      if (answer.revision >= listed) asOf.value = answer.as_of;
    });
  } catch {
    // The next complete list includes them; the page shows elsewhere that the service is unreachable.
    changed = new Set([...changed, ...ids]);
  }
}

/** A colleague handed an exam over to this person: shows a notice with a link to the exam. */
function notifyOfHandedOverExams(before: ReadonlyMap<string, WorklistItem>, changes: Iterable<WorklistItem>): void {
  const me = userName.peek();
  for (const item of changes) {
    const { assigned_by: giver, id } = item;
    if (giver === undefined || giver === me || item.status !== 'in_progress' || item.assigned_to !== me) continue;
    if (before.get(id)?.assigned_to === me) continue;
    notify({
      tone: 'info',
      text: t('worklist.given_to_you', { who: giver }),
      hint: item.exam_description,
      action: { label: t('worklist.open_exam'), run: () => go({ itemId: id, pane: 'exam' }), about: id },
    });
  }
}

/** Another person took, finished or cancelled the open exam: shows a notice at once. */
function notifyOfOpenExam(
  before: ReadonlyMap<string, WorklistItem> | undefined,
  after: ReadonlyMap<string, WorklistItem>,
): void {
  const id = openItemId.peek();
  const [old, item] = id === null ? [] : [before?.get(id), after.get(id)];
  if (old === undefined || item === undefined) return;
  const me = userName.peek();
  const who = item.assigned_to ?? null;
  const isOthers = who !== null && who !== me;
  if (item.status === 'in_progress' && isOthers && old.assigned_to !== who)
    notify({ tone: 'info', text: t('worklist.taken_by', { who }), hint: t('worklist.taken_hint') });
  else if (item.status === 'cancelled' && old.status !== 'cancelled')
    notify({ tone: 'info', text: t('worklist.was_cancelled'), hint: t('worklist.was_cancelled_hint') });
  else if (item.status === 'completed' && old.status !== 'completed' && isOthers)
    notify({ tone: 'info', text: t('worklist.was_completed_by', { who }) });
}

/** Puts the item of an answer into the list, unless the page knows a newer one. */
export function takeItem({ item, revision }: CallOutput<'worklist.set_status'>): void {
  if (newest.isNews(item.id, revision)) items.value = new Map(items.peek()).set(item.id, item);
}

/** Takes an exam, takes it over, or reopens a completed one. Rejects with the error of the app. */
export async function takeExam(
  id: string,
  how: Omit<CallInput<'worklist.take'>, 'id'> = {},
): Promise<CallOutput<'worklist.take'>> {
  const answer = await bridge().call('worklist.take', { id, ...how });
  takeItem(answer);
  return answer;
}

/** Releases, cancels or reinstates an exam. Rejects with the error of the app. */
export async function setExamStatus(input: CallInput<'worklist.set_status'>): Promise<WorklistItem> {
  const answer = await bridge().call('worklist.set_status', input);
  takeItem(answer);
  return answer.item;
}

/** Hands the exam over to a colleague, and offers to undo that. */
export async function handOverExam(item: WorklistItem, to: Colleague): Promise<void> {
  try {
    const answer = await bridge().call('worklist.assign', { id: item.id, to });
    takeItem(answer);
    const who = to.display_name;
    notify({
      tone: 'done',
      text: t(answer.outcome === 'given' ? 'worklist.given' : 'worklist.given_offline', { who }),
      action: {
        label: t('worklist.take_back'),
        run: () => void takeExam(item.id, { take_over: true }).catch((thrown) => notifyError(asBridgeError(thrown))),
        about: item.id,
      },
    });
  } catch (thrown) {
    notifyError(asBridgeError(thrown));
  }
}

/** Adds a day of sample exams. Shows no notice if the person did not ask for it. */
export async function addSampleDay(how: { readonly unasked?: boolean } = {}): Promise<void> {
  try {
    const { inserted } = await bridge().call('worklist.sample_day', { language: shownLanguage(), ...how });
    if (inserted > 0) await readWorklist({});
    else if (how.unasked !== true) notify({ tone: 'info', text: t('worklist.sample_day_there') });
  } catch (thrown) {
    if (how.unasked !== true) notifyError(asBridgeError(thrown));
  }
}

/** Whether the form for an exam that a person enters is open. */
export const isAddingExam = signal(false);

/** Sends a worklist file to the service. Rejects with the error of the app. */
export async function importWorklist(file: ArrayBuffer): Promise<ImportResult> {
  const result = await bridge().call('worklist.import', {}, file);
  await refreshWorklist();
  return result;
}

/** Moves the cursor by this many exams, starting at the open exam. */
export function moveCursor(by: number): void {
  const { items: shown } = listView.peek();
  if (shown.length === 0) return;
  const at = shown.findIndex((item) => item.id === (cursorId.peek() ?? openItemId.peek()));
  const to = at < 0 ? (by > 0 ? 0 : shown.length - 1) : Math.min(shown.length - 1, Math.max(0, at + by));
  cursorId.value = shown[to]?.id ?? null;
}

/** Opens the exam under the cursor. */
export function openAtCursor(): void {
  const id = cursorId.peek();
  if (id !== null) go({ itemId: id, pane: 'exam' });
}
