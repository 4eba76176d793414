/** The operator's care of the data: backup and restore, a readable export and its reverse, a fresh start (extension). */
import { endpoint, group } from './endpoint.ts';
import {
  array,
  boolean,
  bytes,
  freeForm,
  integer,
  literal,
  named,
  nullable,
  object,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';
import { space } from './admin.ts';

/** A backup: a tar archive with the documents, the audio, and last the checksums of both. */
export const backupType = 'application/x-tar';
/** Documents as text: a line that says what it is, then one document a line. */
export const exportType = 'application/x-ndjson';

const counts = freeForm({ description: 'Number of documents a collection.' });

/** `backup.json`, the last part of a backup: what the others are, so that one which was cut off or changed is noticed. */
export const BackupManifest = named(
  'BackupManifest',
  object(
    {
      laudio: literal('backup'),
      format: integer({ minimum: 1 }),
      schema: integer({ minimum: 1, description: 'Of the documents.' }),
      version: string({ description: 'The version of Laudio that made it.' }),
      created_at: timestamp('The moment whose state it holds.'),
      documents: counts,
      missing_audio: array(string(), { description: 'Audio that a document names and that was gone.' }),
      parts: array(object({ name: string(), bytes: integer({ minimum: 0 }), sha256: string() })),
    },
    {
      damaged_audio: array(string(), {
        description: 'Audio that a document names and that was not what was kept; it was left out.',
      }),
    },
  ),
);
export type BackupManifest = TypeOf<typeof BackupManifest>;

export const Restored = named(
  'Restored',
  object({
    created_at: timestamp('When the backup was made.'),
    version: string({ description: 'The version of Laudio that made it.' }),
    documents: counts,
    audio_files: integer({ minimum: 0 }),
    missing_audio: integer({
      minimum: 0,
      description: 'Audio files that were gone, or damaged, when the backup was made.',
    }),
  }),
);
export type Restored = TypeOf<typeof Restored>;

export const Seeded = named('Seeded', object({ documents: counts }));
export type Seeded = TypeOf<typeof Seeded>;

export const Reset = named('Reset', object({ space: nullable(space), documents: counts }));
export type Reset = TypeOf<typeof Reset>;

export const maintenance = group({
  title: 'Care of the data',
  description: 'Backup, restore, export, seed, reset. Only the operator of this server may call these.',
  endpoints: {
    backup: endpoint({
      method: 'GET',
      path: '/api/v1/admin/backup',
      summary: 'Get everything that is stored',
      description:
        'Documents and audio as they were at one moment, while other work goes on. An archive is whole if it ends with `backup.json`.',
      access: 'admin',
      answer: [backupType],
      responses: { 200: bytes('A tar archive: `documents.ndjson`, `audio/…`, `backup.json`.') },
      extension: true,
    }),
    restore: endpoint({
      method: 'POST',
      path: '/api/v1/admin/restore',
      summary: 'Replace everything by a backup',
      description:
        'The archive is checked as a whole first; one that is cut off, changed or foreign is refused and nothing is changed. Event streams end, since every list has to be read anew.',
      access: 'admin',
      body: bytes('What `GET /api/v1/admin/backup` gave.'),
      bodyTypes: [backupType],
      checksOwnInput: true,
      answer: 'envelope',
      responses: { 200: Restored },
      errors: ['SERVER_BUSY'],
      extension: true,
    }),
    export: endpoint({
      method: 'GET',
      path: '/api/v1/admin/export',
      summary: 'Get documents as readable lines',
      description: 'Without audio; and without secrets (keys, hashes, tokens) unless they are asked for.',
      access: 'admin',
      query: object(
        {},
        {
          collections: string({
            pattern: '^[a-z_]+(,[a-z_]+)*$',
            description: 'Which, joined by commas; default: all that hold no secrets alone.',
            examples: ['items,history'],
          }),
          secrets: boolean({ description: 'With secrets too.' }),
        },
      ),
      answer: [exportType],
      responses: { 200: bytes('A header, then `{"collection":…,"document":…}`, each on a line.') },
      extension: true,
    }),
    seed: endpoint({
      method: 'POST',
      path: '/api/v1/admin/seed',
      summary: 'Put documents from readable lines',
      description:
        'All or nothing: a line that is not right is told with its number. Documents with the same id are replaced. Spaces of test clients take test patients only.',
      access: 'admin',
      body: bytes('What `GET /api/v1/admin/export` gave, or the like.'),
      bodyTypes: [exportType],
      checksOwnInput: true,
      answer: 'envelope',
      responses: { 200: Seeded },
      errors: ['SERVER_BUSY'],
      extension: true,
    }),
    reset: endpoint({
      method: 'POST',
      path: '/api/v1/admin/reset',
      summary: 'Remove everything, or what one space holds',
      description:
        'Everything but the signing key and the built-in test client with its logins; or, of one space, its exams, records and jobs.',
      access: 'admin',
      body: named('ResetRequest', object({}, { space })),
      answer: 'envelope',
      responses: { 200: Reset },
      errors: ['SERVER_BUSY'],
      extension: true,
    }),
  },
});
