/** Health, status and description of a server (extension). */
import { endpoint, group } from './endpoint.ts';
import { array, boolean, freeForm, integer, named, nullable, object, oneOf, string, timestamp } from './schema.ts';
import { HearingQueue } from './engine.ts';
import type { TypeOf } from './schema.ts';

/** `details.full` of a STORAGE_UNAVAILABLE that does not end without a person. */
export const memoryFull = 'memory';

const version = string({ description: 'Version of Laudio.', examples: ['0.1.0'] });
const uptime = integer({ description: 'Seconds since the server started.', examples: [86_400] });
const bytesOf = (description: string) => integer({ description: `${description}, in bytes.` });

const health = { status: oneOf(['ok'], { description: 'Always `ok`.' }), version, uptime_s: uptime };
export const Health = named('Health', object(health), 'Sign of life of a server.');

/** The parts without which a server is ready all the same. */
export const degradableParts = ['blobs'] as const;
export const readinessWarnings = ['disk_almost_full', 'backup_overdue', 'clock_apart'] as const;

export const Readiness = named(
  'Readiness',
  object(
    { ...health, queue: HearingQueue },
    {
      // Absent in earlier versions.
      degraded: array(
        oneOf(degradableParts, {
          description: '`blobs`: the service that keeps the audio refuses it; calls that need audio get 503.',
        }),
        { description: 'What does not work at the moment. Empty: everything works.' },
      ),
      warnings: array(
        oneOf(readinessWarnings, {
          description:
            '`disk_almost_full`: the disk of the data. `backup_overdue`: the last planned backup failed, or is twice as old as planned. `clock_apart`: the clock of this process’s computer is more than a minute from the database’s.',
        }),
        { description: 'What needs somebody soon. Empty: nothing.' },
      ),
    },
  ),
  'A server that takes requests, and how many dictations wait for its recogniser; it names nobody.',
);

export const BackupStatus = object(
  {
    to: string({
      description: 'Where the backups are: a directory, the address of a bucket, or the command that keeps them.',
    }),
    every_s: integer({ description: 'Seconds between two backups.' }),
    last_at: nullable(timestamp('The moment whose state the last whole backup holds. `null`: there is none.')),
    failed_at: nullable(timestamp('When the last attempt failed. `null`: it did not.')),
    failure: nullable(string({ description: 'Its error code; the log says more. `null`: it did not fail.' })),
    next_at: timestamp('When the next backup begins.'),
    overdue: boolean({
      description: 'Whether the last attempt failed, or the last backup is twice as old as planned.',
    }),
  },
  {},
  { description: 'Backups by schedule. Absent: the server makes none by itself.' },
);
export type BackupStatus = TypeOf<typeof BackupStatus>;

export const ServerStatus = named(
  'ServerStatus',
  object(
    {
      version,
      started_at: timestamp('When the server started.'),
      uptime_s: uptime,
      rate_limit: integer({
        description: 'How many requests a minute each client may make. 0: there is no limit.',
        examples: [100],
      }),
      recogniser: nullable(
        string({
          description:
            'Name of the speech recogniser for real patients. `null`: there is none; text is accepted, and audio waits as jobs.',
        }),
      ),
      writer: string({ description: 'Name of the writer, which makes documents of text.', examples: ['rules'] }),
      store: string({ description: 'Kind of the store of documents.', examples: ['lowdb'] }),
      blobs: string({ description: 'Kind of the store of audio.', examples: ['files'] }),
      encrypted: boolean({ description: 'Whether documents and audio on disk are encrypted.' }),
      queue: HearingQueue,
      waiting: object(
        {
          jobs: integer({ description: 'Number of jobs.' }),
          audio_bytes: bytesOf('Size of the audio that the server keeps for them'),
          limit_bytes: bytesOf(
            'Size of the audio that may wait for the speech recogniser; a client may fill half of it. Past that the server refuses audio for jobs with 503 SERVER_BUSY',
          ),
        },
        {},
        { description: 'All jobs that wait, also those that need no recogniser.' },
      ),
      retention: object(
        {
          completed_s: nullable(
            integer({
              description:
                'Seconds for which the server keeps exams that are completed or cancelled. `null`: it never deletes them.',
            }),
          ),
          audio_s: nullable(
            integer({
              description:
                'Seconds for which the server keeps the audio of signed records. `null`: it never deletes it.',
            }),
          ),
          trash_s: integer({
            description:
              'Seconds after that for which what was removed of exams and audio can still be brought back; then it is gone for good.',
          }),
          audit_s: nullable(
            integer({
              description:
                'Seconds for which the server keeps entries of the audit trail. `null`: it never deletes them.',
            }),
          ),
        },
        {},
        { description: 'What the server deletes by itself.' },
      ),
      documents_bytes: bytesOf('Size of the documents on disk'),
      audio_files: nullable(
        integer({ description: 'Number of audio files. `null`: the service that keeps them has not answered yet.' }),
      ),
      audio_bytes: nullable(bytesOf('Size of the audio files')),
      last_snapshot_at: nullable(
        timestamp('When the server last wrote a snapshot of all documents. `null`: not yet, or the store has none.'),
      ),
      memory_bytes: bytesOf('Memory that the server uses'),
      memory_limit_bytes: bytesOf(
        'Memory that the server may use; it refuses new work with 503 before all of it is used',
      ),
      stored: freeForm({
        description: 'Number of documents in each collection.',
        examples: [{ items: 120, records: 80 }],
      }),
    },
    {
      backup: BackupStatus,
      models: array(string({ description: 'Id of a model.', examples: ['whisper-base'] }), {
        description:
          'Speech models of this computer that the recogniser uses, also the one that only hears a second time. Absent: it uses none.',
      }),
      // Absent in earlier versions.
      clock_lead_s: integer({
        description:
          'Seconds by which the clock of this computer is ahead of the database’s; negative: behind. 0 with a store without a clock.',
      }),
      disk: object(
        { free_bytes: bytesOf('Room on the disk of the data'), total_bytes: bytesOf('Size of that disk') },
        {},
        { description: 'Absent: the data is in memory, or the system does not say.' },
      ),
      // Absent in earlier versions.
      scrub: object(
        {
          completed_at: nullable(
            timestamp(
              'When the server last read all files of the documents and compared them with their checksums. `null`: not since its start, or the store has no files.',
            ),
          ),
          faults: integer({
            description:
              'Faults found then. The log names the files; the server has written everything to fresh files. See the disk, and have a backup at hand.',
          }),
        },
        {},
        { description: 'What a daily reading of the stored documents found on the disk.' },
      ),
    },
  ),
  'What the operator wants to know of the server.',
);
export type ServerStatus = TypeOf<typeof ServerStatus>;

export const system = group({
  title: 'Server',
  description: 'Health of the server, the description of its API, and its status for the operator.',
  endpoints: {
    health: endpoint({
      method: 'GET',
      path: '/healthz',
      summary: 'Check that the server runs',
      description: 'For a supervisor that restarts the server where it does not answer. It does not look at the disk.',
      access: 'public',
      answer: 'plain',
      responses: { 200: Health },
      extension: true,
    }),
    ready: endpoint({
      method: 'GET',
      path: '/readyz',
      summary: 'Check that the server takes requests',
      description:
        'For a load balancer: 503 STORAGE_UNAVAILABLE while the server cannot store anything. A server whose audio is in S3 is ready without it too, and says so in `degraded`: if S3 is down, no balancer has to take away all servers. For whoever watches a department’s server: how many dictations wait, and whether the recogniser serves. A server whose recogniser is down is ready all the same, since text works and sound waits.',
      access: 'public',
      answer: 'plain',
      responses: { 200: Readiness },
      errors: ['STORAGE_UNAVAILABLE'],
      extension: true,
    }),
    metrics: endpoint({
      method: 'GET',
      path: '/metrics',
      summary: 'Get the numbers of the server for Prometheus',
      description:
        'Counters, gauges and histograms in the text format of Prometheus, without a word about patients. The token is the one in the file of `laudio serve --metrics-token-file`; the operator’s own will do as well.',
      access: 'admin',
      takesMonitor: true,
      answer: ['text/plain'],
      responses: { 200: string({ description: 'The numbers, in the text format 0.0.4.' }) },
      extension: true,
    }),
    openapi: endpoint({
      method: 'GET',
      path: '/openapi.json',
      summary: 'Get this API as an OpenAPI 3.1 document',
      description: 'Generate a client or import it into your tools. `/docs` shows the same to people.',
      access: 'public',
      query: object(
        {},
        {
          webhooks: oneOf(['0', '1'], {
            default: '1',
            description:
              '`1`: with the calls that the service makes; `0`: without them, for generators that take them for yours.',
          }),
        },
      ),
      answer: ['application/json'],
      responses: { 200: freeForm({ description: 'The OpenAPI document.' }) },
      fixed: true,
      extension: true,
    }),
    status: endpoint({
      method: 'GET',
      path: '/api/v1/admin/status',
      summary: 'Get the status of the server',
      description: 'Versions, engines, sizes and limits, without patient data.',
      access: 'admin',
      answer: 'envelope',
      responses: { 200: ServerStatus },
      extension: true,
    }),
  },
});
