/** Which messages, resources and rows the rules of a mapping pass over (`keep`, `drop`). */
import { fileMessage } from '../../contract/messages/files.ts';
import type { Message } from '../../contract/messages/message.ts';
import type { WorklistMapping } from '../../contract/worklist-mapping.ts';
import type { PlaceOf } from './mapping.ts';
import type { Position, SkippedReading } from './reading.ts';

/** The rules ask about this. */
export interface RuleSubject {
  /** The names of its event, from the general to the particular; none where the format has no events. */
  readonly events: readonly string[];
  readonly lookup: (place: string) => string | null | undefined;
}

/** Why the rules pass over it; `undefined`: it is taken. */
export type FindSkip = (subject: RuleSubject) => Message | undefined;

type Rule = NonNullable<WorklistMapping['drop']>[number];
type Test = (subject: RuleSubject) => boolean;

/**
 * The rules of a mapping that are about this format; `undefined`: none is. A rule with an event, or with a place of another format,
 * is about other formats.
 */
export function skipReader(
  mapping: WorklistMapping | undefined,
  placeOf: PlaceOf,
  hasEvents: boolean,
): FindSkip | undefined {
  const tests = (rules: readonly Rule[] = []) =>
    rules.flatMap((rule, at) => {
      const test = readRule(rule, placeOf, hasEvents);
      return test ? [{ test, rule: at + 1 }] : [];
    });
  const keep = tests(mapping?.keep);
  const drop = tests(mapping?.drop);
  if (keep.length === 0 && drop.length === 0) return undefined;
  return (subject) => {
    const dropped = drop.find(({ test }) => test(subject));
    if (dropped) return fileMessage('dropped_by_rule', { rule: dropped.rule });
    const isKept = keep.length === 0 || keep.some(({ test }) => test(subject));
    return isKept ? undefined : fileMessage('kept_by_no_rule');
  };
}

const simple = (text: string): string => text.trim().toLowerCase();
const simpleAll = (texts: string | readonly string[]): ReadonlySet<string> => new Set([texts].flat().map(simple));

function readRule({ event, where = {} }: Rule, placeOf: PlaceOf, hasEvents: boolean): Test | undefined {
  if (event !== undefined && !hasEvents) return undefined;
  const tests: Test[] = [];
  if (event !== undefined) {
    const wanted = simpleAll(event);
    tests.push(({ events }) => events.some((each) => wanted.has(simple(each))));
  }
  for (const [written, values] of Object.entries(where)) {
    const place = placeOf(written, 'status');
    if (place === undefined) return undefined;
    const wanted = simpleAll(values);
    tests.push(({ lookup }) => wanted.has(simple(lookup(place) ?? '')));
  }
  return (subject) => tests.every((test) => test(subject));
}

/** The places that the rules look at, in the words of the format. */
export const placesOfRules = (mapping: WorklistMapping | undefined, placeOf: PlaceOf): readonly string[] =>
  [...(mapping?.keep ?? []), ...(mapping?.drop ?? [])].flatMap(({ where = {} }) =>
    Object.keys(where).flatMap((place) => placeOf(place, 'status') ?? []),
  );

export const skipped = (position: Position, why: Message): SkippedReading => ({ kind: 'skipped', position, why });
