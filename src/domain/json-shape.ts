/** Shapes of JSON values that the service refuses, whatever their content. */

/** Levels of arrays and objects that a body may have. */
export const maxJsonDepth = 32;

/** `depth`: the level of the value itself, from 1. A key that could reach a prototype is refused. */
export function shapeFault(value: unknown, depth = 1): ShapeFault | undefined {
  return isNested(value) ? faultIn(value, depth) : undefined;
}

type ShapeFault = 'too deep' | 'prototype';

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

function faultIn(value: object, depth: number): ShapeFault | undefined {
  if (depth > maxJsonDepth) return 'too deep';
  if (Array.isArray(value)) {
    for (const entry of value) {
      const fault = isNested(entry) ? faultIn(entry, depth + 1) : undefined;
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  // Parsed JSON has no inherited fields, and this way needs no list of them.
  for (const name in value) {
    if (name === '__proto__') return 'prototype';
    const inner = (value as Record<string, unknown>)[name];
    // Most values are no objects, and a call for each would take longer than the test.
    const fault = isNested(inner) ? faultIn(inner, depth + 1) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}
