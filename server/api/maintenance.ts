/** The operator's calls for maintenance: backup, restore, snapshots, export, seed and reset. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { backupType, exportType, sealedBackupType } from '../../src/contract/maintenance.ts';
import type { maintenance } from '../../src/contract/maintenance.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { withSuggestion } from '../../src/domain/nearest-word.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';
import type { Call } from '../http/call.ts';
import type { DeferredEntries } from '../operations/audit/deferred-entries.ts';
import { dumpWholeTrail } from '../operations/audit/segments.ts';
import { readHead } from '../operations/audit/trail.ts';
import { isOwnId } from '../http/own-ids.ts';
import { backup, explainDiskError } from '../operations/maintenance/backup.ts';
import { createExclusively } from '../operations/maintenance/care.ts';
import type { Care } from '../operations/maintenance/care.ts';
import { writeLines } from '../operations/maintenance/document-lines.ts';
import { restoreEntry, toTrashEntry } from '../operations/maintenance/trash.ts';
import { readPage } from '../http/paging.ts';
import { startStream } from '../http/start-stream.ts';
import { removeSpace, resetAll, resetSpace } from '../operations/maintenance/reset.ts';
import { restore } from '../operations/maintenance/restore.ts';
import { seed } from '../operations/maintenance/seed.ts';
import { applyErasures } from '../operations/patients/erase.ts';
import { listExportable, toExported, trailCollections } from '../operations/maintenance/withheld.ts';
import { serviceActor } from '../storage/actor.ts';
import { collectionNames } from '../storage/collections.ts';
import type { CollectionName } from '../storage/collections.ts';
import type { StoredDocument } from '../storage/store.ts';

export function maintenanceRoutes(care: Care, trail: DeferredEntries): Handlers<typeof maintenance, Call> {
  const exclusively = createExclusively(care.members);
  /** Restores an archive. Its audit trail continues with an entry that names the replaced one. */
  const restoreArchive = (
    { request_id, address }: Call,
    action: string,
    open: () => Promise<Parameters<typeof restore>[1]>,
  ): ReturnType<typeof restore> =>
    exclusively(async () => {
      const archive = await open();
      await trail.flush().catch(() => undefined);
      const replaced = await readHead(care.store);
      const data = await restore(care, archive);
      const actor = { ...serviceActor(action), by: 'operator' as const, address };
      const id = isOwnId(request_id) ? request_id : null;
      trail.enter({ ...actor, request_id: id, kind: 'everything', ids: [], outcome: 'done', replaced });
      await trail.flush();
      return data;
    });
  return {
    async backup() {
      if (care.isEncrypted) throw refusePlainBackup();
      return { status: 200, headers: { 'Content-Type': backupType }, body: await startStream(backup(care)) };
    },
    async sealedBackup({ body: { passphrase } }) {
      const { sealBackup } = await import('../storage/sealing/sealed-backup.ts');
      const archive = await startStream(backup(care));
      const body = await startStream(sealBackup(archive, passphrase));
      return { status: 200, headers: { 'Content-Type': sealedBackupType }, body };
    },
    restore: async ({ body }, call) => ({
      status: 200,
      data: await restoreArchive(call, 'maintenance.restore', async () => requireBody(body)),
    }),
    snapshots: async () => ({ status: 200, data: { items: await care.snapshots.list() } }),
    saveSnapshot: async ({ params: { name } }) => ({
      status: 200,
      data: await care.snapshots.save(name, backup(care), care.clock.now()).catch(async (error: unknown) => {
        throw await explainDiskError(error, care);
      }),
    }),
    loadSnapshot: async ({ params: { name } }, call) => ({
      status: 200,
      data: await restoreArchive(call, 'maintenance.loadSnapshot', async () => {
        const archive = await care.snapshots.read(name);
        if (!archive) throw await noSnapshot(care, name);
        return archive;
      }),
    }),
    async removeSnapshot({ params: { name } }) {
      if (!(await care.snapshots.remove(name))) throw await noSnapshot(care, name);
      return { status: 200, data: { name, deleted: true } };
    },
    async trash({ query }) {
      return { status: 200, data: await readPage(care.store, 'trash', '', {}, query, toTrashEntry) };
    },
    restoreTrash: ({ params: { id } }, call) =>
      call.commit(async (tx) => ({ status: 200, data: toTrashEntry(await restoreEntry(tx, care, id)) })),
    async export({ query }) {
      const { secrets = false, collections } = query;
      const chosen = selectCollections(collections, secrets);
      const { schema, version } = care;
      const header = { laudio: 'export' as const, schema, version, created_at: isoNow(care.clock) };
      const lines = writeLines(header, exportDocuments(care, chosen, secrets));
      return { status: 200, headers: { 'Content-Type': exportType }, body: await startStream(lines) };
    },
    seed: async ({ body }) => ({
      status: 200,
      data: await exclusively(async () => {
        const seeded = await seed(care, requireBody(body));
        await applyErasures(care);
        return seeded;
      }),
    }),
    async reset({ body: { space, accounts = false } }) {
      if (accounts && space === undefined) {
        const message = 'accounts is for one space; a reset of everything removes them anyway';
        throw validationFailed([{ field: 'accounts', message, code: 'INVALID_VALUE' }]);
      }
      // A space without accounts has no readers to notify, so it can be removed in small transactions.
      if (accounts && space !== undefined) return { status: 200, data: await removeSpace(care, space) };
      const work = () => (space === undefined ? resetAll(care) : resetSpace(care, space));
      return { status: 200, data: await exclusively(work) };
    },
  };
}

const refusePlainBackup = (): AppError =>
  new AppError('FORBIDDEN', {
    message: 'The data of this server is encrypted, but this call would return an unencrypted archive.',
    hint: 'Send a passphrase to the same address by POST, or run laudio server backup FILE.',
  });

async function noSnapshot({ snapshots }: Pick<Care, 'snapshots'>, typed: string): Promise<AppError> {
  const names = (await snapshots.list()).map(({ name }) => name);
  const hint = 'laudio server snapshot list shows all snapshots.';
  return unknownWord('There is no snapshot of that name.', typed, names, hint, 'NOT_FOUND');
}

/** The body of the request. VALIDATION_FAILED if there is none, which type validation does not notice, or if it is incomplete. */
async function* requireBody(body: AsyncIterable<Uint8Array> | undefined | null): AsyncGenerator<Uint8Array, void> {
  if (!body) throw new AppError('VALIDATION_FAILED', { message: 'The request has no body.' });
  try {
    yield* body;
  } catch (cause) {
    throw new AppError('VALIDATION_FAILED', { message: 'The request was cut off.', cause });
  }
}

function selectCollections(list: string | undefined, withSecrets: boolean): ReadonlySet<CollectionName> {
  const allowed = listExportable(withSecrets);
  if (list === undefined) return new Set(allowed.filter((name) => !trailCollections.includes(name)));
  const names = list.split(',');
  const unknown = names.find((name) => !allowed.includes(name as CollectionName));
  if (unknown === undefined) return new Set(names as CollectionName[]);
  const message = collectionNames.includes(unknown as CollectionName)
    ? `${unknown} holds secrets; set secrets to true as well`
    : withSuggestion(`collections must be among ${allowed.join(', ')}`, unknown, allowed);
  throw validationFailed([{ field: 'collections', message, code: 'INVALID_VALUE' }]);
}

async function* exportDocuments(
  { store, blobs }: Care,
  chosen: ReadonlySet<CollectionName>,
  withSecrets: boolean,
): AsyncGenerator<StoredDocument, void> {
  const release = await blobs.hold();
  try {
    const dump = store.dump();
    for await (const stored of chosen.has('audit') ? dumpWholeTrail({ store, blobs }, dump) : dump)
      if (chosen.has(stored.collection)) yield toExported(stored, withSecrets);
  } finally {
    await release();
  }
}
