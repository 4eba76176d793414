/** What is kept, and by which keys it is found. The only place that knows both. */
import type { Client, User } from '../../src/contract/admin.ts';
import type { HistoryEntry, WorklistItem } from '../../src/contract/worklist.ts';
import type { Job, JobLogEntry } from '../../src/contract/job.ts';
import type { AudioType, MedicalRecord } from '../../src/contract/document.ts';
import type { GenerateRequest, RecordVersion } from '../../src/contract/record.ts';
import type { Delivery, Webhook } from '../../src/contract/webhook.ts';
import type { WebhookEvent } from '../../src/contract/events.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import type { Simulation } from '../plugins/simulate.ts';

/** Belongs to one space; nothing is ever visible across spaces. */
interface Owned {
  space: string;
}

/** Documents of each collection; every one has an `id`. */
export interface Documents {
  items: WorklistItem & Owned;
  history: HistoryEntry & Owned & { item_id: string };
  records: MedicalRecord & Owned & { audio_blob: string | null };
  /** A record as it was at one version; id `<record id>.<version, 6 digits>`. */
  versions: { id: string; record_id: string; record: MedicalRecord } & Pick<RecordVersion, 'at' | 'who' | 'change'>;
  jobs: Job &
    Owned & {
      client_id: string;
      who: string;
      test_mode: boolean;
      request: Omit<GenerateRequest, 'audio'>;
      audio: StoredAudio | null;
      log: JobLogEntry[];
      /** Not begun again before this instant: the engine was not available. */
      not_before?: string;
      /** What a test client asked for by `X-Laudio-Simulate`. */
      simulate?: NonNullable<Simulation['job']>;
    };
  clients: Client & Owned & { secret_hash: string };
  users: User & Owned & { password_hash: string };
  /** One consent and all tokens that came from it: the refresh token family. */
  grants: {
    id: string;
    client_id: string;
    user_id: string;
    /** `iss` and `aud` of its access tokens: where the server was reached when it was given. */
    issuer: string;
    scope: Scope[];
    space: string;
    revoked_at: string | null;
    /** `jti` of access tokens revoked singly. */
    revoked_tokens: string[];
    created_at: string;
    expires_at: string;
  };
  /** By the SHA-256 of the code. */
  codes: {
    id: string;
    client_id: string;
    user_id: string;
    redirect_uri: string;
    scope: Scope[];
    code_challenge: string | null;
    expires_at: string;
    /** Set when it is redeemed. */
    grant_id: string | null;
  };
  /** By the SHA-256 of the refresh token. */
  refresh_tokens: { id: string; grant_id: string; expires_at: string; used_at: string | null };
  /** By client, path and key. */
  idempotency: {
    id: string;
    fingerprint: string;
    status: number;
    data: unknown;
    headers: Record<string, string>;
    expires_at: string;
  };
  /** By the id of its client. */
  webhooks: Omit<Webhook, 'secret'> &
    Owned & {
      id: string;
      /** The present secret first, then those of a rotation that still sign, with their end. */
      secrets: { secret: string; until: string | null }[];
    };
  deliveries: Delivery & { event: WebhookEvent };
  /** What the server keeps for itself: signing keys, … */
  settings: { id: string; value: unknown };
}

/** Audio that came with a request, kept as a blob. */
export interface StoredAudio {
  blob: string;
  bytes: number;
  sha256: string;
  content_type: AudioType;
  seconds: number | null;
}

export type CollectionName = keyof Documents;

/** What a document is found by: one text, or one within another, as in a space. */
export type Key = string | readonly [within: string, name: string];

/** What documents are found by: a name, or `null` to leave one out, and what that is within. */
export interface IndexBy<D> {
  readonly within: (document: D) => string;
  readonly name: (document: D) => string | null;
}

type Indexes = { readonly [C in CollectionName]: Readonly<Record<string, IndexBy<Documents[C]>>> };

const spaceOf = (document: Owned): string => document.space;

const by = <D>(name: (document: D) => string | null): IndexBy<D> => ({ within: () => '', name });
const inSpaceBy = <D extends Owned>(name: (document: D) => string | null): IndexBy<D> => ({ within: spaceOf, name });

/** The texts are kept as they are, for one made of both would have to be made and hashed for every look-up. */
export const key = (within: string, name: string): Key => [within, name];

export const indexes = {
  items: {
    space: by(spaceOf),
    status: inSpaceBy((item) => item.status),
    accession: inSpaceBy((item) => item.accession_number),
    study: inSpaceBy((item) => item.study_uid),
    /** The day of the exam, where it is done. */
    day: inSpaceBy((item) => item.exam_datetime.slice(0, 10)),
  },
  history: { item: by((entry) => entry.item_id) },
  records: { space: by(spaceOf), item: inSpaceBy((record) => record.worklist_item_id) },
  versions: { record: by((version) => version.record_id) },
  jobs: { space: by(spaceOf), status: by((job) => job.status) },
  clients: {},
  users: { username: inSpaceBy((user) => user.username.toLowerCase()) },
  grants: { client: by((grant) => grant.client_id), user: by((grant) => grant.user_id) },
  codes: {},
  refresh_tokens: { grant: by((token) => token.grant_id) },
  idempotency: {},
  webhooks: { space: by(spaceOf) },
  deliveries: { client: by((delivery) => delivery.client_id), status: by((delivery) => delivery.status) },
  settings: {},
} as const satisfies Indexes;

export type IndexName<C extends CollectionName> = keyof (typeof indexes)[C] & string;
export const collectionNames = Object.keys(indexes) as CollectionName[];
