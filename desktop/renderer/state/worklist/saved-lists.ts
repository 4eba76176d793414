/** Settings of the worklist: saved lists, starred exams, the default list, and targets. */
import { computed, effect } from '@preact/signals';
import { maxSaved, maxStarred, maxTargets, defaultList } from '../../../bridge/list-settings.ts';
import type { ListFilters, ListSettings, SavedList } from '../../../bridge/list-settings.ts';
import { withTarget } from '../../../../src/domain/turnaround.ts';
import { changeSettings, settings } from '../settings.ts';

export const listSettings = computed<ListSettings>(() => settings.value?.list ?? defaultList);

const change = (changed: (now: ListSettings) => Partial<ListSettings>): void =>
  void changeSettings(({ list }) => ({ list: { ...list, ...changed(list) } }));

/** Filters as text: equal filters have equal keys. */
const keyOf = (filters: ListFilters): string =>
  JSON.stringify(Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The saved list with exactly these filters. */
export const findSavedList = (filters: ListFilters): SavedList | undefined =>
  listSettings.value.saved.find((saved) => keyOf(saved.filters) === keyOf(filters));

/** Saves the list under the name, replacing a list of that name. Returns `false` if there are too many. */
export function saveList(name: string, filters: ListFilters): boolean {
  const id = crypto.randomUUID();
  const withList = ({ saved }: ListSettings): SavedList[] => {
    const before = saved.find((each) => each.name.toLowerCase() === name.toLowerCase());
    const list = { id: before?.id ?? id, name, filters };
    return before ? saved.map((each) => (each === before ? list : each)) : [...saved, list];
  };
  if (withList(listSettings.peek()).length > maxSaved) return false;
  change((now) => ({ saved: withList(now) }));
  return true;
}

export function removeList(id: string): void {
  change(({ saved, first }) => ({ saved: saved.filter((each) => each.id !== id), first: first === id ? null : first }));
}

/** Sets the target for the exams of a hospital; `minutes: null` removes it. Returns `false` if there are too many. */
export function setTarget(target: Parameters<typeof withTarget>[1]): boolean {
  if (withTarget(listSettings.peek().targets, target).length > maxTargets) return false;
  change(({ targets }) => ({ targets: withTarget(targets, target) }));
  return true;
}

/** `null`: the default list. */
export const openFirst = (id: string | null): void => change(() => ({ first: id }));

export const isStarred = (id: string): boolean => listSettings.value.starred.includes(id);

/** Adds or removes the exam's star. If there are too many, the oldest star is removed. */
export function toggleStar(id: string): void {
  const isStar = !isStarred(id);
  change(({ starred }) => {
    const others = starred.filter((each) => each !== id);
    return { starred: (isStar ? [...others, id] : others).slice(-maxStarred) };
  });
}

/** Shows the default list once the settings are read. The returned function stops waiting. */
export function openFirstList(show: (filters: ListFilters) => void): () => void {
  let isOpen = false;
  return effect(() => {
    if (isOpen || settings.value === undefined) return;
    isOpen = true;
    const { saved, first } = settings.value.list;
    const list = saved.find(({ id }) => id === first);
    if (list) show(list.filters);
  });
}
