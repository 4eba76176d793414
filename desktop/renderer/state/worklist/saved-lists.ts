/** The lists that a person keeps under a name, the exams that a person stars, which list opens first, targets: settings of the person. */
import { computed, effect } from '@preact/signals';
import { mostSaved, mostStarred, mostTargets, usualList } from '../../../bridge/list-settings.ts';
import type { ListFilters, ListSettings, SavedList } from '../../../bridge/list-settings.ts';
import { withTarget } from '../../../../src/domain/turnaround.ts';
import { changeSettings, settings } from '../settings.ts';

export const listSettings = computed<ListSettings>(() => settings.value?.list ?? usualList);

const change = (changed: (now: ListSettings) => Partial<ListSettings>): void =>
  void changeSettings(({ list }) => ({ list: { ...list, ...changed(list) } }));

/** Filters as one text: two lists that show the same have the same. */
const keyOf = (filters: ListFilters): string =>
  JSON.stringify(Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The kept list that shows just this. */
export const savedAs = (filters: ListFilters): SavedList | undefined =>
  listSettings.value.saved.find((saved) => keyOf(saved.filters) === keyOf(filters));

/** Keeps the list under the name; a list of that name is replaced. Returns `false` where there are too many. */
export function saveList(name: string, filters: ListFilters): boolean {
  const id = crypto.randomUUID();
  const withList = ({ saved }: ListSettings): SavedList[] => {
    const before = saved.find((each) => each.name.toLowerCase() === name.toLowerCase());
    const list = { id: before?.id ?? id, name, filters };
    return before ? saved.map((each) => (each === before ? list : each)) : [...saved, list];
  };
  if (withList(listSettings.peek()).length > mostSaved) return false;
  change((now) => ({ saved: withList(now) }));
  return true;
}

export function removeList(id: string): void {
  change(({ saved, first }) => ({ saved: saved.filter((each) => each.id !== id), first: first === id ? null : first }));
}

/** Gives the exams of a hospital another target, or with `minutes: null` none of their own. Returns `false` where there are too many. */
export function setTarget(target: Parameters<typeof withTarget>[1]): boolean {
  if (withTarget(listSettings.peek().targets, target).length > mostTargets) return false;
  change(({ targets }) => ({ targets: withTarget(targets, target) }));
  return true;
}

/** `null`: the usual list. */
export const openFirst = (id: string | null): void => change(() => ({ first: id }));

export const isStarred = (id: string): boolean => listSettings.value.starred.includes(id);

/** Stars the exam, or takes its star away; of too many the oldest star goes. */
export function toggleStar(id: string): void {
  const isStar = !isStarred(id);
  change(({ starred }) => {
    const others = starred.filter((each) => each !== id);
    return { starred: (isStar ? [...others, id] : others).slice(-mostStarred) };
  });
}

/** Shows the list that opens first, once the settings are there; the returned function gives up waiting. */
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
