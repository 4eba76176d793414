/**
 * The names of planned backups: the mark of a store, by which several servers with one target know their own, and the instant
 * whose state the backup holds.
 */
const form = /^laudio-([0-9a-f]{8})-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar$/;

export type BackupName = `laudio-${string}.tar`;

export const buildName = (mark: string, at: number): BackupName =>
  `laudio-${mark}-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '')}Z.tar`;

/** The instant in ms since 1970; `undefined`: the name is not one of a backup with that mark. */
export function parseInstant(name: string, mark: string): number | undefined {
  const [, own, day, hour, minute, second] = form.exec(name) ?? [];
  return own === mark ? Date.parse(`${day}T${hour}:${minute}:${second}Z`) : undefined;
}
