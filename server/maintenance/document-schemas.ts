/** What a stored document of each collection looks like: the contract's shape and what the server keeps beside it. */
import { Client, space, User } from '../../src/contract/admin.ts';
import { audioTypeNames, MedicalRecord } from '../../src/contract/document.ts';
import { WebhookEvent } from '../../src/contract/events.ts';
import { Job, JobLogEntry } from '../../src/contract/job.ts';
import { GenerateRequest, RecordVersion } from '../../src/contract/record.ts';
import {
  anyOf,
  array,
  boolean,
  freeForm,
  integer,
  nullable,
  number,
  object,
  oneOf,
  string,
  timestamp,
} from '../../src/contract/schema.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { allScopes } from '../../src/contract/scopes.ts';
import { Delivery, Webhook } from '../../src/contract/webhook.ts';
import { HistoryEntry, WorklistItem } from '../../src/contract/worklist.ts';
import type { CollectionName } from '../store/collections.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

/** The closed object with further fields. */
const extended = (schema: JsonSchema, required: Properties, optional: Properties = {}): JsonSchema => ({
  ...schema,
  properties: { ...schema.properties, ...required, ...optional },
  required: [...new Set([...(schema.required ?? []), ...Object.keys(required)])],
});

const without = (schema: JsonSchema, ...names: readonly string[]): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))),
  required: (schema.required ?? []).filter((name) => !names.includes(name)),
});

const id = string({ minLength: 1, maxLength: 128 });
const at = timestamp('When.');
const scope = array(oneOf(allScopes));
const blob = string({ pattern: '^blb_[0-9A-Z]{26}$' });
const { at: versionAt, who, change } = RecordVersion.properties!;

const StoredAudio = object({
  blob,
  bytes: integer({ minimum: 0 }),
  sha256: string(),
  content_type: oneOf(audioTypeNames),
  seconds: nullable(number()),
});

const Simulated = anyOf([object({ fail: { type: 'boolean', const: true } }), object({ slowMs: integer() })]);

export const documentSchemas: Readonly<Record<CollectionName, JsonSchema>> = {
  items: extended(WorklistItem, { space }),
  history: extended(HistoryEntry, { space, item_id: id }),
  records: extended(MedicalRecord, { space, audio_blob: nullable(blob) }),
  versions: extended(object({ id, record_id: id, record: MedicalRecord }), {
    at: versionAt!,
    who: who!,
    change: change!,
  }),
  jobs: extended(
    Job,
    {
      space,
      client_id: id,
      who: string(),
      test_mode: boolean(),
      request: without(GenerateRequest, 'audio'),
      audio: nullable(StoredAudio),
      log: array(JobLogEntry),
    },
    { not_before: at, simulate: Simulated },
  ),
  clients: extended(without(Client, 'secret'), { space, secret_hash: string() }),
  users: extended(User, { password_hash: string() }),
  grants: object({
    id,
    client_id: id,
    user_id: id,
    issuer: string(),
    scope,
    space,
    revoked_at: nullable(at),
    revoked_tokens: array(string()),
    created_at: at,
    expires_at: at,
  }),
  codes: object({
    id,
    client_id: id,
    user_id: id,
    redirect_uri: string(),
    scope,
    code_challenge: nullable(string()),
    expires_at: at,
    grant_id: nullable(id),
  }),
  refresh_tokens: object({ id, grant_id: id, expires_at: at, used_at: nullable(at) }),
  idempotency: object({ id, fingerprint: string(), status: integer(), data: {}, headers: freeForm(), expires_at: at }),
  webhooks: extended(without(Webhook, 'secret'), {
    id,
    space,
    secrets: array(object({ secret: string(), until: nullable(at) })),
  }),
  deliveries: extended(Delivery, { event: WebhookEvent }),
  settings: object({ id, value: {} }),
};
