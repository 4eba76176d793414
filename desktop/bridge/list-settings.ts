/** How a person wants the list: targets of the turnaround clock. */
import { array, integer, nullable, object, oneOf, string } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { priorityTerms } from '../../src/domain/turnaround.ts';

const Target = object({
  hospital: nullable(string({ maxLength: 256, description: '`null`: every hospital without a target of its own.' })),
  priority: oneOf(priorityTerms),
  minutes: integer({ minimum: 1, maximum: 60 * 24 * 60 }),
});

export const ListSettings = object({
  targets: array(Target, { maxItems: 1000, description: 'Targets other than the usual ones.' }),
});
export type ListSettings = TypeOf<typeof ListSettings>;

export const usualList: ListSettings = { targets: [] };
