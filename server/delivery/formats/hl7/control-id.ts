import { createHash } from 'node:crypto';

/** MSH-10: at most 20 characters, derived from the name. */
export const controlIdOf = (name: string): string =>
  createHash('sha256').update(name).digest('hex').slice(0, 20).toUpperCase();
