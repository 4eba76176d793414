import { createHash } from 'node:crypto';

/** Names a version of a report in what is exported without a message. */
export const versionName = ({ id, version }: { readonly id: string; readonly version: number }): string =>
  `${id}.${version}`;

/** MSH-10: at most 20 characters, derived from the name. */
export const controlIdOf = (name: string): string =>
  createHash('sha256').update(name).digest('hex').slice(0, 20).toUpperCase();
