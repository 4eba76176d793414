/** A person's settings for the list: filters and order, saved lists, starred exams, turnaround targets. */
import { array, boolean, integer, nullable, object, oneOf, string } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { Id } from '../../src/contract/shared.ts';
import { subspecialties } from '../../src/contract/worklist.ts';
import { priorityTerms } from '../../src/contract/priority.ts';
import { maxMinutes } from '../../src/domain/turnaround.ts';

export const tabs = ['open', 'mine', 'done', 'all'] as const;
export type Tab = (typeof tabs)[number];
export const dayFilters = ['coming', 'today', 'yesterday', 'week', 'older'] as const;
export type DayFilter = (typeof dayFilters)[number];
/** `usual`: urgent first, then by hospital; `due`: by the end of the turnaround clock. */
export const sortings = ['usual', 'due', 'oldest', 'newest', 'patient'] as const;
export type Sorting = (typeof sortings)[number];
/** States of an exam that waits for its report; exams that are over have tabs. */
export const statusFilters = ['waiting', 'begun', 'draft', 'signing', 'preliminary', 'corrected'] as const;

/** The filters of a list. An empty array filters nothing; several values mean any of them. */
export const ListFilters = object({
  tab: oneOf(tabs),
  query: string({ maxLength: 200 }),
  modality: array(string({ maxLength: 16 }), { maxItems: 100 }),
  hospital: array(string({ maxLength: 256 }), { maxItems: 500 }),
  subspecialty: array(oneOf(subspecialties), { maxItems: subspecialties.length }),
  status: array(oneOf(statusFilters), { maxItems: statusFilters.length }),
  day: array(oneOf(dayFilters), { maxItems: dayFilters.length }),
  starred: boolean(),
  sort: oneOf(sortings),
});
export type ListFilters = TypeOf<typeof ListFilters>;

const SavedList = object({ id: Id, name: string({ minLength: 1, maxLength: 60 }), filters: ListFilters });
export type SavedList = TypeOf<typeof SavedList>;

const Target = object({
  hospital: nullable(string({ maxLength: 256, description: '`null`: every hospital without a target of its own.' })),
  priority: oneOf(priorityTerms),
  minutes: integer({ minimum: 1, maximum: maxMinutes }),
});

/** Maximum number of starred exams, saved lists and targets per person. */
export const maxStarred = 500;
export const maxSaved = 50;
export const maxTargets = 1000;

export const ListSettings = object({
  targets: array(Target, { maxItems: maxTargets, description: 'Targets other than the usual ones.' }),
  saved: array(SavedList, { maxItems: maxSaved }),
  first: nullable({ ...Id, description: 'The list that opens first; `null`: the usual list.' }),
  starred: array(Id, { maxItems: maxStarred, description: 'Exams, the last starred one last.' }),
});
export type ListSettings = TypeOf<typeof ListSettings>;

export const defaultList: ListSettings = { targets: [], saved: [], first: null, starred: [] };
