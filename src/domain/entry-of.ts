/**
 * What a table has under a name that came from outside. An index alone would also find what every object inherits, such
 * as `constructor` and `__proto__`.
 */
export const entryOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
