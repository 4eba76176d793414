/** Checks that an answer has the shape that the contract promises. */
import type { JsonSchema } from '../contract/schema.ts';

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const isA = (type: string, value: unknown): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;

const isObject = (value: unknown): value is Record<string, unknown> => typeOf(value) === 'object';

/**
 * Checks types and required keys at every depth. Values, formats and unknown keys are ignored: a newer server may know
 * words and fields that this client doesn't, and that is no reason to refuse its answer.
 */
export function conforms(schema: JsonSchema, value: unknown): boolean {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives && !alternatives.some((alternative) => conforms(alternative, value))) return false;
  const { type } = schema;
  if (typeof type === 'string' ? !isA(type, value) : type && type.length > 0 && !type.some((one) => isA(one, value))) {
    return false;
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined || value.every((item) => conforms(items, item));
  }
  if (!isObject(value)) return true;
  for (const name of schema.required ?? []) if (!Object.hasOwn(value, name)) return false;
  const { properties } = schema;
  // Iterates without building lists: an answer may have thousands of items.
  for (const name in properties) {
    const inner = properties[name];
    if (inner && Object.hasOwn(value, name) && !conforms(inner, value[name])) return false;
  }
  return true;
}
