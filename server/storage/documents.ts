/**
 * The schemas of the stored documents, by collection: the contract's shape, and the fields that only the server sees. The
 * types come from the schemas. The schemas also check documents from outside, as a restore or a seed brings them.
 */
import { Client, space, User } from '../../src/contract/admin.ts';
import { AuditEntry } from '../../src/contract/audit.ts';
import { audioTypeNames, MedicalRecord } from '../../src/contract/document.ts';
import { WebhookEvent } from '../../src/contract/events.ts';
import { HeardSound, OtherReading, Suppressed, UnknownWords } from './heard-documents.ts';
import { sharedDocuments } from './shared-documents.ts';
import { Subscription } from './subscription-document.ts';
import { Message } from '../../src/contract/channel-message.ts';
import { Channel } from '../../src/contract/channel.ts';
import { Finding } from '../../src/contract/finding.ts';
import { Job, JobLogEntry } from '../../src/contract/job.ts';
import { Macro } from '../../src/contract/macro.ts';
import { Prior, PriorVersion } from '../../src/contract/prior.ts';
import { HeardWord, Provenance } from '../../src/contract/provenance.ts';
import { GenerateRequest } from '../../src/contract/record.ts';
import { SpokenPiece } from '../../src/contract/spoken-piece.ts';
import { RecordVersion } from '../../src/contract/record-version.ts';
import {
  anyOf,
  anything,
  array,
  boolean,
  dictionary,
  extended,
  integer,
  literal,
  nullable,
  number,
  object,
  oneOf,
  only,
  string,
  timestamp,
  without,
} from '../../src/contract/schema.ts';
import type { Schema, TypeOf } from '../../src/contract/schema.ts';
import { allScopes } from '../../src/contract/scopes.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import { TemplateDefinition } from '../../src/contract/template.ts';
import { Transcription } from '../../src/contract/transcription.ts';
import { Term } from '../../src/contract/vocabulary.ts';
import { Delivery, Webhook } from '../../src/contract/webhook.ts';
import { HistoryEntry, WorklistItem } from '../../src/contract/worklist.ts';

const id = string({ minLength: 1, maxLength: 128 });
const at = timestamp('When.');
/** Granted scopes: registered ones, or narrower ones of FHIRcast. */
const scope = array(
  string({
    pattern: `^(${allScopes.map((word) => word.replace('*', '\\*')).join('|')}|fhircast/.+)$`,
  }) as Schema<Scope>,
);
const blob = string({ pattern: '^blb_[0-9A-Z]{26}$' });

const StoredAudio = object({
  blob,
  bytes: integer({ minimum: 0 }),
  sha256: string(),
  content_type: oneOf(audioTypeNames),
  seconds: nullable(number()),
});
/** Audio that came with a request, kept as a blob. */
export type StoredAudio = TypeOf<typeof StoredAudio>;

/** A performed procedure step, as far as a modality reported it. */
const PerformedStep = object({
  instance: string(),
  status: oneOf(['in_progress', 'completed', 'discontinued']),
  exams: array(object({}, { accession_number: string(), study_uid: string() })),
  /** SHA-256 of what the modality said. */
  digest: string(),
});
export type PerformedStep = TypeOf<typeof PerformedStep>;

/** Who decided to let a finding stand (src/reporting/versions/review.ts). */
const Dismissal = object({ id, by: string(), at });
/** The changes of a signature at the end of its grace period (server/records/grace.ts). */
const PendingSignature = extended(
  only(RecordVersion, 'signer', 'open_findings'),
  {
    /** Who signed, and may take that back. */
    user_id: id,
    source_system: nullable(string()),
  },
  {
    /** The record's status after the signature; absent: final. */
    as: literal('preliminary'),
    findings_to_review: array(Finding),
    dismissals: array(Dismissal),
  },
);

/** The time and the sender of a message (src/domain/message-stamp.ts). */
const messageStamp = { told_at: string(), told_by: string() };
/** `patient_id_issuer`: who gave the id; `null`: nobody knows. */
const identity = { patient_id: string(), patient_id_issuer: nullable(string()) };

/** Every document has an `id`. A document with a `space` belongs to that space, and no other space ever sees it. */
export const documentSchemas = {
  items: extended(
    WorklistItem,
    { space },
    {
      commit: integer(),
      /** The time and the sender of the message that named the patient. */
      patient_told: object({}, messageStamp),
      /** The time and the sender of the message that gave `exam_status`. */
      exam_status_told: object({}, messageStamp),
      /** The ids by which FHIR servers have the exam, whose it was then, and what study and visit those are of. */
      fhir: array(
        object(
          { server: string(), ...identity, requests: array(string()) },
          { patient: string(), study: string(), study_uid: nullable(string()), encounter: string(), visit: string() },
        ),
      ),
      /** The last report of the exam that was signed and deleted. */
      deleted_report: object({ record_id: id, version: integer() }),
    },
  ),
  history: extended(HistoryEntry, { space, item_id: id }),
  records: extended(
    MedicalRecord,
    { space, audio_blob: nullable(blob) },
    {
      heard_words: array(HeardWord),
      suppressed: array(Suppressed),
      other_readings: array(OtherReading),
      unknown_words: array(UnknownWords),
      heard_sound: HeardSound,
      dismissals: array(Dismissal),
      /** Together with `signing`. */
      pending_signature: PendingSignature,
      /** The resident whose signature `preliminary` is. */
      signatory_id: id,
      /** Pieces of live transcriptions whose words are still heard again. */
      checking: array(SpokenPiece),
    },
  ),
  /** A record as it was at one version; id `<record id>.<version, 6 digits>`. */
  versions: extended(
    only(RecordVersion, 'at', 'who', 'change', 'signer', 'open_findings', 'note'),
    { id, record_id: id, record: MedicalRecord },
    {
      provenance: without(Provenance, 'id', 'version', 'heard_words'),
      /** The effect of the instruction that made the version. Absent: none made it, or the version is older than this field. */
      instruction: oneOf(['carried_out', 'taken_back']),
    },
  ),
  /** A patient according to HL7 ADT: for as long as older messages may come, or for good where ids were merged. */
  told_patients: object(
    {
      id,
      space,
      ...identity,
      facts: object(
        {},
        { patient_name: string(), patient_birth_date: nullable(string()), patient_sex: nullable(string()) },
      ),
      expires_at: nullable(at),
    },
    {
      ...messageStamp,
      /** The last merge that the patient had part in. `into`: who has the exams since; `null`: the patient has them. */
      merge: object({ event: string(), into: nullable(object(identity)) }, messageStamp),
    },
  ),
  /** Those imported; our own are records. */
  priors: extended(Prior, { space }),
  /** The text before a correction; id `<prior id>.<version, 6 digits>`. */
  prior_versions: extended(PriorVersion, { id, prior_id: id }),
  jobs: extended(
    without(Job, 'waiting_for'),
    {
      space,
      client_id: id,
      who: string(),
      test_mode: boolean(),
      request: without(GenerateRequest, 'audio'),
      audio: nullable(StoredAudio),
      log: array(JobLogEntry),
    },
    {
      /** Who asked for the document: whose macros can be called in it. */
      user_id: id,
      /** The member that works on the job, or queued it: that one has the live transcriptions of the request. */
      holder: id,
      /** The server does not try the job again before this instant, as an engine or storage was unavailable. */
      not_before: at,
      /** How often the recogniser refused the audio because it could not serve; such attempts are not in `attempts`. */
      refusals: integer({ minimum: 1 }),
      /** The effect of a fault on the job: `stuck` is the name of the fault that holds it. */
      simulate: anyOf([
        object({ fail: literal(true) }, { code: string() }),
        object({ slowMs: integer() }),
        object({ stuck: string() }),
      ]),
    },
  ),
  /** `user_id`: whose it is; `null`: the space's. */
  macros: extended(Macro, { space, user_id: nullable(id) }),
  /** As of macros. */
  vocabulary: extended(Term, { space, user_id: nullable(id) }),
  transcriptions: extended(
    only(Transcription, 'status', 'language', 'template_id', 'worklist_item_id', 'error', 'created_at'),
    { id, space, client_id: id, grant_id: id, test_mode: boolean(), updated_at: at },
    {
      /** Covers the checked phrases. */
      heard_sound: HeardSound,
      /** All words are final, and some are still heard again. */
      checking: boolean(),
      /** The record that has the words, and waits for their check. */
      record_id: id,
    },
  ),
  /**
   * A piece of the sound of a transcription: the bytes of the sound from `at` on. A small piece is in `content`, as base64;
   * a larger one is a blob of that id, with that `sha256`.
   */
  sounds: object(
    { id: blob, transcription_id: id, at: integer({ minimum: 0 }), bytes: integer() },
    { content: string(), sha256: string() },
  ),
  /** The final phrases of a transcription; id `<transcription id>.<number, 6 digits>`. Seconds from the beginning of the sound. */
  phrases: object(
    { id, transcription_id: id, n: integer({ minimum: 1 }), text: string(), from: number(), to: number() },
    /** `unchecked`: its words are still heard again. */
    {
      words: array(HeardWord),
      suppressed: array(Suppressed),
      other_readings: array(OtherReading),
      unchecked: literal(true),
    },
  ),
  clients: extended(
    without(Client, 'secret'),
    /** `secret_hash`: `null` for a client that logs in by its keys. */
    { space, secret_hash: nullable(string()) },
    /** The secret before the last rotation. */
    { former_secret: object({ hash: string(), until: at }) },
  ),
  users: extended(
    User,
    /** Empty: the user has no password. */
    { space, password_hash: string() },
    /** The PIN by which the user signs; `failures`: wrong ones in a row. */
    { pin: object({ hash: string(), failures: integer({ minimum: 0 }) }) },
  ),
  /** One consent and all tokens that came from it: the refresh token family; or one token of a client that acts for itself. */
  grants: object(
    {
      id,
      client_id: id,
      /** Who consented; `null`: nobody, the client acts for itself. */
      user_id: nullable(id),
      /** `iss` and `aud` of the grant's access tokens: the address of the server at the time of consent. */
      issuer: string(),
      scope,
      space,
      revoked_at: nullable(at),
      /** `jti` of access tokens revoked singly. */
      revoked_tokens: array(string()),
      created_at: at,
      expires_at: at,
    },
    {
      /** No refresh extends the grant beyond it: a login provider may have ended the person's account. */
      ends_at: at,
    },
  ),
  /** Authorization codes. The id is the SHA-256 of the code. */
  codes: object({
    id,
    client_id: id,
    user_id: id,
    redirect_uri: string(),
    scope,
    code_challenge: nullable(string()),
    expires_at: at,
    /** Set when a client redeems the code. */
    grant_id: nullable(id),
  }),
  /** The id is the SHA-256 of the refresh token. */
  refresh_tokens: object({ id, grant_id: id, expires_at: at, used_at: nullable(at) }),
  /** Logins of devices (RFC 8628). The id is the SHA-256 of the device code. */
  devices: object({
    id,
    /** The hash of the code that the person types. */
    user_code: string(),
    client_id: id,
    scope,
    /** The address of the server at which the device asked. */
    issuer: string(),
    /** Where the device asked from. */
    address: string(),
    created_at: at,
    expires_at: at,
    decision: nullable(oneOf(['approved', 'denied'])),
    /** Who approved it. */
    user_id: nullable(id),
    /** Set when the device gets its tokens. */
    grant_id: nullable(id),
  }),
  /** Assertions of clients that were used. The id is the SHA-256 of client and `jti`. */
  assertions: object({ id, client_id: id, expires_at: at }),
  /** Answers to repeated requests. The id is made of client, path and idempotency key. */
  idempotency: object({
    id,
    fingerprint: string(),
    status: integer(),
    data: anything,
    headers: dictionary(string()),
    expires_at: at,
  }),
  /** The id is that of the client. */
  webhooks: extended(without(Webhook, 'secret'), {
    id,
    space,
    /** The present secret first, then former secrets that still sign during a rotation, each with its end. */
    secrets: array(object({ secret: string(), until: nullable(at) })),
  }),
  /**
   * A version of a space's own template; a template may have been changed or deleted since, while documents keep to the
   * version.
   */
  templates: object({
    id,
    space,
    template_id: id,
    version: integer({ minimum: 1 }),
    /** `present`: people may choose it. `former`: it was changed or deleted. */
    state: oneOf(['present', 'former']),
    /** Whether a document or a job was made by it. */
    used: boolean(),
    who: string(),
    at,
    definition: TemplateDefinition,
  }),
  /** Subscriptions of FHIR clients to events about reports. */
  subscriptions: Subscription,
  deliveries: extended(
    Delivery,
    { event: WebhookEvent },
    { /** Number of the event in its subscription. */ number: integer() },
  ),
  channels: extended(
    without(Channel, 'direction', 'state', 'certificates', 'counts', 'oldest_open_at', 'last_message_at'),
    {
      /** The settings that are secrets. */
      secrets: dictionary(string()),
    },
  ),
  messages: extended(
    Message,
    { space },
    {
      /** SHA-256 of the bytes that came in. */
      hash: string(),
      /** Those bytes, as base64, where they are kept. */
      content: string(),
      /** The acknowledgement that was given for them. */
      answer: string(),
      /** Operators look for it by these, as they were when the message was stored. */
      subject: object({
        patient_ids: array(string()),
        accession_numbers: array(string()),
      }),
      /** The key of messages that go out strictly one after the other: the channel and the exam. */
      lane: string(),
      step: PerformedStep,
    },
  ),
  /**
   * Stretches of the audit trail that were moved out of the store, the id being made of the number of the first entry. The entries
   * are in a blob.
   */
  audit_segments: object(
    {
      id,
      /** Numbers of the first and the last entry. */
      first: integer({ minimum: 1 }),
      last: integer({ minimum: 1 }),
      /** Hash of the entry before the first one. */
      previous: string(),
      /** Hash of the last entry. */
      hash: string(),
      /** Times of the earliest and the latest entry. */
      from: at,
      to: at,
      /** `null`: retention removed the entries. */
      blob: nullable(blob),
      sha256: nullable(string()),
    },
    {
      /** The setting by which they were removed, in seconds. */
      kept_s: integer({ minimum: 1 }),
    },
  ),
  /** Entries of the audit trail that are in no segment yet; the id is made of the number. */
  audit: extended(AuditEntry, { id }),
  /** Facts of commits of several members, which have no number yet; the id is made in the order of time. */
  audit_facts: object({ id, facts: array(without(AuditEntry, 'number', 'previous')) }),
  /** The end of the audit trail, one document. */
  audit_head: object({ id, number: integer({ minimum: 0 }), hash: string() }),
  ...sharedDocuments,
  /** Documents that retention removed, for as long as it can be brought back; the id is that of the exam, report or job. */
  trash: object({
    id,
    space,
    /** `audio`: that of a report, which stayed. */
    kind: oneOf(['exam', 'report', 'job', 'audio', 'patient']),
    removed_at: at,
    /** `null`: it stays until somebody brings it back, because the patient’s data is restricted. */
    expires_at: nullable(at),
    documents: array(object({ collection: string(), document: anything })),
    audio: array(blob),
  }),
  /**
   * Patients that were erased, without a word about them: a restore brings back what an earlier backup holds, and it is
   * erased again.
   */
  erasures: object({
    id,
    space: id,
    at,
    /** Ids of the documents that were erased. */
    documents: array(id),
    /** Keyed hash of the patient's id and name, for documents of a backup that had other ids; `null`: no patient was named. */
    person: nullable(object({ key: string(), hash: string() })),
    /** `null`: not since the documents of a backup came. */
    applied_at: nullable(at),
  }),
  /** The server's own settings: signing keys, … */
  settings: object({ id, value: anything }),
} as const;

/** Documents of each collection. */
export type Documents = { [C in keyof typeof documentSchemas]: TypeOf<(typeof documentSchemas)[C]> };

export type CollectionName = keyof Documents;
