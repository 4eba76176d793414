/** The sessions of a device that shares them with nobody: a file each, which survives a restart. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SharedSession, SharedSessions } from '../../../server/index.ts';
import { boolean, object, string } from '../../../src/contract/schema.ts';
import type { Schema } from '../../../src/contract/schema.ts';
import { ensurePrivateDirectory } from '../../../src/node/files/private-file.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import { jsonFile } from '../json-file.ts';
import type { JsonFile } from '../json-file.ts';

const Session: Schema<SharedSession> = object({ desk: string(), locked: boolean() });

export async function openSessionFiles(directory: string, sealing: Sealing | undefined): Promise<SharedSessions> {
  await ensurePrivateDirectory(directory);
  const fileOf = (id: string): JsonFile<SharedSession> => jsonFile(join(directory, `${id}.json`), Session, sealing);
  const sessions = new Map<string, SharedSession>();
  for (const name of await readdir(directory)) {
    const id = /^([A-Za-z0-9_-]+)\.json$/.exec(name)?.[1];
    const session = id === undefined ? undefined : await fileOf(id).read();
    if (id !== undefined && session) sessions.set(id, session);
  }
  const desks = (): ReadonlySet<string> => new Set(Array.from(sessions.values(), ({ desk }) => desk));
  return {
    get: async (id) => sessions.get(id),
    async put(id, session) {
      await fileOf(id).write(session);
      sessions.set(id, session);
    },
    async remove(id) {
      sessions.delete(id);
      await fileOf(id).remove();
    },
    desks: async () => desks(),
    isAnybodyAt: async (desk) => desks().has(desk),
    watch: () => () => undefined,
  };
}
