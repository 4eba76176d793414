/**
 * The operator's maintenance of the data: backup and restore, a readable export and its reverse, a fresh start
 * (extension).
 */
import { endpoint, group } from './endpoint.ts';
import {
  array,
  boolean,
  bytes,
  freeForm,
  integer,
  literal,
  meanings,
  named,
  nullable,
  object,
  oneOf,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';
import { space } from './admin.ts';
import { page, paging } from './shared.ts';

/** A backup under a passphrase: a line with the wrapped key, then the archive in sealed blocks. */
export const sealedBackupType = 'application/octet-stream';
/** In characters. A thief of the files can guess without a limit. */
export const minPassphrase = 12;
/** A backup: a tar archive with the documents, the audio, and last the checksums of both. */
export const backupType = 'application/x-tar';
/** Stored documents as text: a header line, then one stored document a line. */
export const exportType = 'application/x-ndjson';

const counts = (description: string) =>
  freeForm({ description: `${description}: number of documents in each collection.`, examples: [{ items: 120 }] });

/**
 * `backup.json`, the last part of a backup: it lists the other parts, so that a restore notices truncated or changed
 * ones.
 */
export const BackupManifest = named(
  'BackupManifest',
  object(
    {
      laudio: literal('backup', { description: 'Always `backup`.' }),
      format: integer({ minimum: 1, description: 'Version of the format of the archive.' }),
      schema: integer({ minimum: 1, description: 'Version of the schema of the documents.' }),
      version: string({ description: 'The version of Laudio that made the backup.' }),
      created_at: timestamp('The moment whose state the backup holds.'),
      documents: counts('What the backup holds'),
      missing_audio: array(string({ description: 'Name of the audio.' }), {
        description: 'Audio that a document names and that was gone.',
      }),
      parts: array(
        object({
          name: string({ description: 'Name of the file in the archive.' }),
          bytes: integer({ minimum: 0, description: 'Size in bytes.' }),
          sha256: string({ description: 'SHA-256 checksum, in hexadecimal.' }),
        }),
        { description: 'The other files of the archive.' },
      ),
    },
    {
      damaged_audio: array(string({ description: 'Name of the audio.' }), {
        description: 'Audio that a document names and that was damaged, so that the backup leaves it out.',
      }),
    },
  ),
  'The table of contents of a backup.',
);
export type BackupManifest = TypeOf<typeof BackupManifest>;

export const RestoreResult = named(
  'Restored',
  object({
    created_at: timestamp('When the backup was made.'),
    version: string({ description: 'The version of Laudio that made the backup.' }),
    documents: counts('What was restored'),
    audio_files: integer({ minimum: 0, description: 'Number of audio files that were restored.' }),
    missing_audio: integer({
      minimum: 0,
      description: 'Number of audio files that were gone or damaged when the backup was made.',
    }),
  }),
  'What a restore brought back.',
);
export type RestoreResult = TypeOf<typeof RestoreResult>;

export const SeedResult = named('Seeded', object({ documents: counts('What was stored') }), 'What a seed stored.');
export type SeedResult = TypeOf<typeof SeedResult>;

export const Reset = named(
  'Reset',
  object({
    space: nullable({ ...space, description: 'The space that was emptied. `null`: all of them.' }),
    documents: counts('What was removed'),
  }),
  'What a reset removed.',
);
export type Reset = TypeOf<typeof Reset>;

export const SnapshotName = string({
  pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
  'x-error-message': 'name must be small letters, digits and hyphens, at most 40',
  description: 'Name of the snapshot: small letters, digits and hyphens.',
  examples: ['before-import'],
});

export const Snapshot = named(
  'Snapshot',
  object({ name: SnapshotName, created_at: timestamp('The moment whose state the snapshot holds.') }),
  'A state of all documents and audio that the server keeps.',
);
export type Snapshot = TypeOf<typeof Snapshot>;

const TrashId = string({ minLength: 1, maxLength: 128, description: 'Id of the exam, report or job.' });

const TrashEntry = named(
  'TrashEntry',
  object({
    id: TrashId,
    space: { ...space, description: 'The space that it belongs to.' },
    kind: oneOf(['exam', 'report', 'job', 'audio', 'patient'], {
      description: meanings('What was removed.', {
        exam: 'an exam with its reports and history',
        report: 'a report without an exam',
        job: 'a job',
        audio: 'the audio of a report, which is still there',
        patient: 'everything of a patient whose data is restricted',
      }),
    }),
    removed_at: timestamp('When it was removed.'),
    expires_at: nullable(timestamp('Until when it can be brought back. `null`: for as long as nobody does.')),
    accession_number: nullable(string({ description: 'Accession number of the exam. `null`: it is no exam.' })),
    documents: integer({ minimum: 1, description: 'Number of documents that it consists of.' }),
  }),
  'Something that retention removed, and that can be brought back.',
);
export type TrashEntry = TypeOf<typeof TrashEntry>;

const snapshotPath = { path: '/api/v1/admin/snapshots/{name}', params: object({ name: SnapshotName }) } as const;

export const maintenance = group({
  title: 'Care of the data',
  description:
    'Backup, restore, snapshots, the trash, export, seed and reset. Only the operator of the server may make these calls.',
  endpoints: {
    backup: endpoint({
      method: 'GET',
      path: '/api/v1/admin/backup',
      summary: 'Back up all documents and audio',
      description:
        'A tar archive of all documents and audio as they were at one moment; other work goes on meanwhile. An archive is complete if it ends with `backup.json`. A server whose data is encrypted refuses this call: `POST` encrypts the archive.',
      access: 'admin',
      answer: [backupType],
      responses: { 200: bytes('A tar archive: `documents.ndjson`, `audio/…`, `backup.json`.') },
      errors: ['FORBIDDEN'],
      extension: true,
    }),
    sealedBackup: endpoint({
      method: 'POST',
      path: '/api/v1/admin/backup',
      summary: 'Back up all documents and audio, encrypted',
      description:
        'The archive of `GET`, encrypted with a passphrase (AES-256-GCM under scrypt). `laudio server restore` reads it; nobody can without the passphrase.',
      access: 'admin',
      body: object({
        passphrase: string({
          minLength: minPassphrase,
          maxLength: 1000,
          writeOnly: true,
          description: 'The passphrase of this backup. The server does not keep it.',
        }),
      }),
      answer: [sealedBackupType],
      responses: { 200: bytes('A line with the key under the passphrase, then the archive in sealed blocks.') },
      extension: true,
    }),
    restore: endpoint({
      method: 'POST',
      path: '/api/v1/admin/restore',
      summary: 'Replace all documents and audio by a backup',
      description:
        'The server checks the whole archive first; it refuses an archive that is cut off, changed or foreign, and changes nothing. Event streams end, so that every follower reads its list again.',
      access: 'admin',
      body: bytes('The tar archive of `GET /api/v1/admin/backup`.'),
      bodyTypes: [backupType],
      checksOwnInput: true,
      answer: 'envelope',
      responses: { 200: RestoreResult },
      errors: ['SERVER_BUSY'],
      extension: true,
    }),
    snapshots: endpoint({
      method: 'GET',
      path: '/api/v1/admin/snapshots',
      summary: 'List snapshots',
      description: 'The states that the server keeps under names, the newest first.',
      access: 'admin',
      answer: 'envelope',
      responses: {
        200: named(
          'Snapshots',
          object({ items: array(Snapshot, { description: 'The snapshots.' }) }),
          'Snapshots, the newest first.',
        ),
      },
      extension: true,
    }),
    saveSnapshot: endpoint({
      method: 'PUT',
      ...snapshotPath,
      summary: 'Keep the present state under a name',
      description:
        'All documents and audio as they are at one moment, kept by the server beside its audio: in the data directory, encrypted where that is, or in memory, where it ends with the server. Replaces a snapshot of the same name.',
      access: 'admin',
      answer: 'envelope',
      responses: { 200: Snapshot },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    loadSnapshot: endpoint({
      method: 'POST',
      path: '/api/v1/admin/snapshots/{name}/load',
      params: snapshotPath.params,
      summary: 'Replace all documents and audio by a snapshot',
      description:
        'As a restore of a backup: all or nothing, logins included. Event streams end, so that every follower reads its list again. Snapshots stay.',
      access: 'admin',
      answer: 'envelope',
      responses: { 200: RestoreResult },
      errors: ['NOT_FOUND', 'SERVER_BUSY'],
      extension: true,
    }),
    trash: endpoint({
      method: 'GET',
      path: '/api/v1/admin/trash',
      summary: 'List what retention removed',
      description:
        'What can still be brought back, newest first by its id. It is removed for good seven days after its removal.',
      access: 'admin',
      query: object({}, paging),
      answer: 'envelope',
      responses: { 200: page('TrashPage', TrashEntry, 'entries') },
      extension: true,
    }),
    restoreTrash: endpoint({
      method: 'POST',
      path: '/api/v1/admin/trash/{id}/recover',
      summary: 'Bring back what retention removed',
      description:
        'With all that belonged to it. It counts as changed now, so that it is kept as long again. 409 where another exam has its accession number or study UID.',
      access: 'admin',
      params: object({ id: TrashId }),
      answer: 'envelope',
      responses: { 200: TrashEntry },
      errors: ['NOT_FOUND', 'IDENTIFIER_CONFLICT'],
      extension: true,
    }),
    removeSnapshot: endpoint({
      method: 'DELETE',
      ...snapshotPath,
      summary: 'Remove a snapshot',
      description: 'The present documents and audio stay as they are.',
      access: 'admin',
      answer: 'envelope',
      responses: {
        200: named(
          'SnapshotRemoved',
          object({ name: SnapshotName, deleted: literal(true, { description: 'Always `true`.' }) }),
          'What was removed.',
        ),
      },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    export: endpoint({
      method: 'GET',
      path: '/api/v1/admin/export',
      summary: 'Export documents as JSON lines',
      description: 'Documents without audio, and without secrets (keys, hashes, tokens) unless `secrets` is `true`.',
      access: 'admin',
      query: object(
        {},
        {
          collections: string({
            pattern: '^[a-z_]+(,[a-z_]+)*$',
            description:
              'Names of the collections to export, separated by commas. Default: all that do not consist of secrets, without the audit trail.',
            examples: ['items,history'],
          }),
          secrets: boolean({ description: '`true` exports secrets too. Default: `false`.' }),
        },
      ),
      answer: [exportType],
      responses: { 200: bytes('A header line, then `{"collection":…,"document":…}` on a line for each document.') },
      extension: true,
    }),
    seed: endpoint({
      method: 'POST',
      path: '/api/v1/admin/seed',
      summary: 'Store documents from JSON lines',
      description:
        'Stores all documents or none: the error names the number of the first bad line. A document replaces one with the same id. The space of a test client takes test patients only.',
      access: 'admin',
      body: bytes('Lines as `GET /api/v1/admin/export` writes them.'),
      bodyTypes: [exportType],
      checksOwnInput: true,
      answer: 'envelope',
      responses: { 200: SeedResult },
      errors: ['SERVER_BUSY'],
      extension: true,
    }),
    reset: endpoint({
      method: 'POST',
      path: '/api/v1/admin/reset',
      summary: 'Remove all data, or the data of one space',
      description:
        'Without `space` it removes everything but the audit trail, the signing key and the built-in test client with its logins. With `space` it removes the exams, records, jobs, macros, words of the vocabulary and live transcriptions of that space; clients, users, webhooks and own templates stay unless `accounts` is `true`.',
      access: 'admin',
      body: named(
        'ResetRequest',
        object(
          {},
          {
            space: { ...space, description: 'The space to empty. Default: all data of the server.' },
            accounts: boolean({
              description:
                'With `space`: `true` removes its clients, users, webhooks and own templates too, and ends their tokens. Default: `false`.',
            }),
          },
        ),
        'What to remove.',
      ),
      answer: 'envelope',
      responses: { 200: Reset },
      errors: ['SERVER_BUSY'],
      extension: true,
    }),
  },
});
