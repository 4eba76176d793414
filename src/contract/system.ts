/** What a server says of itself (extension). */
import { endpoint, group } from './endpoint.ts';
import { boolean, freeForm, integer, named, nullable, object, oneOf, string, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';

export const Health = named('Health', object({ status: oneOf(['ok']), version: string(), uptime_s: integer() }));

export const ServerStatus = named(
  'ServerStatus',
  object({
    version: string(),
    started_at: string(),
    uptime_s: integer(),
    rate_limit: integer({ description: 'Requests a minute and client; 0: none.' }),
    recogniser: nullable(string({ description: 'Who hears real patients; `null`: nobody, and only text is taken.' })),
    writer: string(),
    store: string(),
    encrypted: boolean({ description: 'Whether what is stored is encrypted.' }),
    retention: object({
      completed_s: nullable(integer({ description: 'How long exams that are over are kept; `null`: for ever.' })),
      audio_s: nullable(integer({ description: 'How long the audio of signed records is kept.' })),
    }),
    documents_bytes: integer({ description: 'On disk.' }),
    audio_files: integer(),
    audio_bytes: integer(),
    last_snapshot_at: nullable(timestamp('When all documents were last written anew.')),
    memory_bytes: integer({ description: 'In use.' }),
    memory_limit_bytes: integer({ description: 'What may be used; new work is refused before all of it is.' }),
    stored: freeForm({ description: 'Number of documents a collection.' }),
  }),
);
export type ServerStatus = TypeOf<typeof ServerStatus>;

export const system = group({
  title: 'Server',
  description: 'Health, the description of the API, and its operator’s view.',
  endpoints: {
    health: endpoint({
      method: 'GET',
      path: '/healthz',
      summary: 'Is it alive?',
      access: 'public',
      answer: 'plain',
      responses: { 200: Health },
      extension: true,
    }),
    ready: endpoint({
      method: 'GET',
      path: '/readyz',
      summary: 'Does it take requests?',
      access: 'public',
      answer: 'plain',
      responses: { 200: Health },
      errors: ['STORAGE_UNAVAILABLE'],
      extension: true,
    }),
    openapi: endpoint({
      method: 'GET',
      path: '/openapi.json',
      summary: 'This API as an OpenAPI 3.1 document',
      access: 'public',
      answer: 'plain',
      responses: { 200: freeForm() },
      extension: true,
    }),
    status: endpoint({
      method: 'GET',
      path: '/api/v1/admin/status',
      summary: 'How the server does',
      access: 'admin',
      answer: 'envelope',
      responses: { 200: ServerStatus },
      extension: true,
    }),
  },
});
