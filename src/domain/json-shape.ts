/** Shapes of JSON values that the service refuses, whatever their content. */

/** Levels of arrays and objects that a body may have. */
export const maxJsonDepth = 32;

/** `depth`: the level of the value itself, from 1. A key that could reach a prototype is refused. */
export function shapeFault(value: unknown, depth = 1): 'too deep' | 'prototype' | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > maxJsonDepth) return 'too deep';
  if (Array.isArray(value)) {
    for (const entry of value) {
      const fault = shapeFault(entry, depth + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  // Parsed JSON has no fields but its own, and this way needs no list of them.
  for (const name in value) {
    const fault = name === '__proto__' ? 'prototype' : shapeFault((value as Record<string, unknown>)[name], depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
