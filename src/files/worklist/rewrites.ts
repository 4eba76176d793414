/** How a mapping changes the text of a field before it becomes a value: a part of it, a date written another way. */
import type { WorklistMapping } from '../../contract/worklist-mapping.ts';
import { findEntry } from '../../domain/find-entry.ts';
import { readPattern } from './date-patterns.ts';

/** `expected` names the message about what the text is not. */
export type Rewritten = { readonly text: string } | { readonly expected: 'with_part' | 'in_pattern' };
export type Rewrite = (text: string) => Rewritten;

/** `undefined`: the mapping leaves the text of the field as it is. */
export function findRewrite({ parts, dates }: WorklistMapping, field: string): Rewrite | undefined {
  const part = findEntry(parts ?? {}, field);
  const patterns = findEntry(dates ?? {}, field);
  const readers = [patterns ?? []].flat().flatMap((pattern) => readPattern(pattern, field) ?? []);
  if (part === undefined && readers.length === 0) return undefined;
  return (text) => {
    const taken = part === undefined ? text : takePart(text, part);
    if (taken === undefined) return { expected: 'with_part' };
    if (readers.length === 0) return { text: taken };
    const date = readers.map((read) => read(taken)).find((each) => each !== undefined);
    return date === undefined ? { expected: 'in_pattern' } : { text: date };
  };
}

/** `undefined`: the text has no such part, or nothing in it. */
function takePart(text: string, { separator, take }: { separator: string; take: number }): string | undefined {
  const part = text.split(separator).at(take > 0 ? take - 1 : take);
  return part?.trim() || undefined;
}
