/**
 * Reads the entry of a table by a name that came from outside. A plain index would also find properties that every object
 * inherits, such as `constructor` and `__proto__`.
 */
export const findEntry = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
