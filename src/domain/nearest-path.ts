/** Finds the path of the API that somebody meant who mistyped one, or left its beginning out. */
import { endpoints } from '../contract/index.ts';
import { nearestWord } from './nearest-word.ts';

/** The beginning of most paths: people leave it out, or take another version for it. */
const base = /^\/?(?:api\/)?(?:v\d+\/)?/;
/** Longer paths are no slips. */
const maxLength = 120;

/** `/jobs/{id}`: what differs between two paths. */
const shorten = (path: string): string => path.replace(/\{\w+\}/g, '{id}').replace(base, '/');

/** A part of a path with a figure is an id: no part that the contract names has one, after the beginning. */
const withoutId = (part: string): string => (/\d/.test(part) ? '{id}' : part);

const countParts = (path: string): number => path.split('/').length;

/** The paths of the contract by their short forms. */
const paths: ReadonlyMap<string, string> = new Map(endpoints.map(({ path }) => [shorten(path), path]));

/** Compared with those of as many parts alone, since anybody may ask for any path: all of them would take a few times as long. */
const shortForms = Map.groupBy(paths.keys(), countParts);

/** `Did you mean /api/v1/jobs/{id}?`, or `undefined` if no path is similar. Repeats nothing of the path. */
export function suggestPath(path: string): string | undefined {
  if (path.length > maxLength) return undefined;
  const parts = shorten(path).split('/').filter(Boolean);
  const short = `/${parts.map(withoutId).join('/')}`;
  const nearest = paths.get(nearestWord(short, shortForms.get(countParts(short)) ?? []) ?? '');
  return nearest === undefined ? undefined : `Did you mean ${nearest}?`;
}
