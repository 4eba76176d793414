/** The indexes of each collection; no other module defines one. The shapes of the documents are in documents.ts. */
import { searchedLength } from '../../src/contract/record.ts';
import { parseInstant } from '../../src/domain/iso-time.ts';
import { additionalNumbers } from '../../src/domain/orders.ts';
import { findLongestWord } from '../../src/domain/same-name.ts';
import { readReport } from '../../src/domain/item-report.ts';
import { findSubspecialty } from '../../src/domain/subspecialties.ts';
import { readPriorityTerm } from '../../src/domain/turnaround.ts';
import { controlIdInKey } from '../../src/domain/message-key.ts';
import { controlIdOf, versionName } from './control-id.ts';
import type { CollectionName, Documents } from './documents.ts';

export type { CollectionName, Documents, PerformedStep, StoredAudio } from './documents.ts';

/** A document that belongs to a space. */
interface OwnedDocument {
  readonly space: string;
}

/** The names of a document in an index; `null`: it has none there. */
export type Names = string | null | readonly string[];

/** An index: the value that a document has in it, and whether many documents share a value. */
export type Index<D> =
  /** A name that few documents have. `within: 'space'`: the name is unique only within its space. */
  | {
      readonly kind: 'key';
      readonly of: (document: D) => string | null;
      readonly within?: 'space';
      readonly several?: never;
    }
  /** As before; a few documents have several names. */
  | { readonly kind: 'key'; readonly of: (document: D) => Names; readonly within?: 'space'; readonly several: true }
  /** A name that many documents share. */
  | { readonly kind: 'group'; readonly of: (document: D) => string | null }
  /** An instant, in ms since 1970, or another number that grows with time. `isOfStamp`: a new document gets it with its commit. */
  | { readonly kind: 'instant'; readonly of: (document: D) => number | null; readonly isOfStamp?: true }
  /** Texts in whose words a query searches (src/domain/search-text.ts). */
  | { readonly kind: 'text'; readonly of: (document: D) => readonly (string | null)[] };

/** Each collection has at most one text index. */
type Indexes = { readonly [C in CollectionName]: Readonly<Record<string, Index<Documents[C]>>> };

const key = <D>(of: (document: D) => string | null) => ({ kind: 'key', of }) as const;
const keys = <D>(of: (document: D) => Names) => ({ kind: 'key', of, several: true }) as const;
const keyInSpace = <D extends OwnedDocument>(of: (document: D) => string | null) =>
  ({ kind: 'key', of, within: 'space' }) as const;
const keysInSpace = <D extends OwnedDocument>(of: (document: D) => Names) =>
  ({ kind: 'key', of, within: 'space', several: true }) as const;
const group = <D>(of: (document: D) => string | null) => ({ kind: 'group', of }) as const;
const instant = <D>(of: (document: D) => string | null) =>
  ({
    kind: 'instant',
    of: (document: D) => {
      const at = of(document);
      return at === null ? null : parseMs(at);
    },
  }) as const;
const text = <D>(of: (document: D) => readonly (string | null)[]) => ({ kind: 'text', of }) as const;

/** Finds people who may be one although their ids differ: the birth date, and the longest word of the name. */
export const personKey = (person: PersonFacts): string | null =>
  person.patient_birth_date === null ? null : `${person.patient_birth_date} ${findLongestWord(person.patient_name)}`;
type PersonFacts = Pick<Documents['items'], 'patient_name' | 'patient_birth_date'>;

/** Two providers may give two people the same subject. */
export const providerKey = ({ issuer, subject }: NonNullable<Documents['users']['provider']>): string =>
  `${issuer}\n${subject}`;

/** Two systems may give two reports the same id. */
export const reportKey = (report: string, system: string | null): string => `${report}\n${system ?? ''}`;

/** Two channels may have messages of the same name. */
export const namedKey = (channel: string, name: string): string => `${channel}\n${name}`;

/** The names by which a modality may mean the exam, whoever gave its accession number. */
export const examNames = ({ accession_number, study_uid, metadata }: ModalityNamed): string[] => [
  ...(accession_number ? [`accession ${accession_number}`] : []),
  ...additionalNumbers(metadata).map((order) => `accession ${order.accession_number}`),
  ...(study_uid ? [`study ${study_uid}`] : []),
];
type ModalityNamed = { [F in 'accession_number' | 'study_uid' | 'metadata']?: Documents['items'][F] | undefined };

/** The name of all messages that wait for an order. */
export const anyExam = '';

/** The exams of a performed step that waits for their order. */
const awaitedExams = ({ direction, state, step }: Documents['messages']) =>
  direction === 'in' && state === 'waiting' ? step?.exams : undefined;

/** MSH-10 of what came in, or the name that its sender gave it; of what goes out, as a message and as an export. */
function readControlIds({ id, direction, key: name, record_id, record_version }: Documents['messages']): Names {
  if (direction === 'in') return name === null ? null : controlIdInKey(name);
  const version = record_id === undefined ? undefined : versionName({ id: record_id, version: record_version ?? 0 });
  return [controlIdOf(id), ...(version === undefined ? [] : [controlIdOf(version)])];
}

/** The name of an exam by its accession number, which is unique for its issuer; `null`: it has no number. */
export const accessionKey = <N extends string | null>(number: N, issuer: string | null | undefined): N | string =>
  number === null || !issuer ? number : `${issuer}\n${number}`;

type NumberedExam = Pick<Documents['items'], 'accession_number' | 'accession_issuer' | 'metadata'>;

/** The names of an exam by its accession number and by those that some of its orders have instead. */
export function accessionNames({ accession_number: number, accession_issuer: issuer, metadata }: NumberedExam): Names {
  const own = accessionKey(number, issuer);
  const others = additionalNumbers(metadata);
  if (others.length === 0) return own;
  const names = others.map((order) => accessionKey(order.accession_number, order.accession_issuer));
  return [...new Set(own === null ? names : [own, ...names])];
}

/** The numbers alone, where their issuers are named. */
function issuedNumbers({ accession_number: number, accession_issuer: issuer, metadata }: NumberedExam): Names {
  const own = issuer ? number : null;
  const others = additionalNumbers(metadata).filter((order) => order.accession_issuer !== undefined);
  if (others.length === 0) return own;
  const names = others.map((order) => order.accession_number);
  return [...new Set(own === null ? names : [own, ...names])];
}

/** The last parsed instant: documents that arrive together mostly share their instant. */
let last = { at: '', ms: 0 };
function parseMs(at: string): number {
  if (at !== last.at) last = { at, ms: Date.parse(at) };
  return last.ms;
}

const space = group((document: OwnedDocument) => document.space);
const expires = instant((document: { expires_at: string | null }) => document.expires_at);
const created = instant((document: { created_at: string }) => document.created_at);
const owned = {
  space,
  /** Whose it is. */
  user: key((document: { user_id: string | null }) => document.user_id),
  /** The space, for what belongs to the space. */
  shared: key((document: { user_id: string | null; space: string }) =>
    document.user_id === null ? document.space : null,
  ),
};
/** The step of the numbers of commits (commit-numbers.ts). */
export const msPerCommitNumber = 1 / 1000;

const changed = instant((document: { updated_at: string }) => document.updated_at);

/** Every look-up goes through one of these indexes. Their names stay inside the store: no answer shows them. */
export const indexes = {
  items: {
    space,
    status: group((item) => item.status),
    modality: group((item) => item.modality),
    hospital: group((item) => item.hospital_name ?? null),
    subspecialty: group(findSubspecialty),
    priority: group(readPriorityTerm),
    report: group((item) => readReport(item)?.status ?? null),
    exam_status: group((item) => item.exam_status ?? null),
    source_system: group((item) => item.source_system),
    assigned_to: group((item) => item.assigned_to),
    accession: keysInSpace((item) => accessionNames(item)),
    issued: keysInSpace((item) => issuedNumbers(item)),
    study: keyInSpace((item) => item.study_uid),
    patient: keyInSpace((item) => item.patient_id),
    person: keyInSpace((item) => personKey(item)),
    exam: { kind: 'instant', of: (item) => parseInstant(item.exam_datetime) },
    changed: { ...changed, isOfStamp: true },
    /** The number of the commit. An item of before there were numbers has its time. */
    commit: {
      kind: 'instant',
      of: (item) => item.commit ?? parseMs(item.updated_at) / msPerCommitNumber,
      isOfStamp: true,
    },
    text: text((item) => [
      item.patient_name,
      item.display_name,
      item.patient_id,
      item.accession_number,
      item.exam_description,
    ]),
  },
  history: { item: key((entry) => entry.item_id) },
  records: {
    space,
    status: group((record) => record.status),
    template: group((record) => record.template_id),
    item: key((record) => record.worklist_item_id),
    critical: group((record) => (record.critical_results?.some(({ status }) => status === 'open') ? 'open' : null)),
    audio: key((record) => record.audio_blob),
    sound: group((record) => (record.audio_blob === null ? null : 'kept')),
    created,
    changed,
    /** When the signatures that can still be taken back become final. */
    signing: instant((record) => record.signing?.final_at ?? null),
    text: text((record) => [record.title, record.text.slice(0, searchedLength)]),
  },
  versions: {
    record: key((version) => version.record_id),
    /** The id of the record, for versions that were signed. */
    signature: key((version) => (version.change === 'signed' ? version.record_id : null)),
  },
  told_patients: {
    space,
    /** The space, to see whether it has any. */
    any: key((patient) => patient.space),
    patient: keyInSpace((patient) => patient.patient_id),
    expires,
  },
  priors: {
    space,
    source_system: group((prior) => prior.source_system),
    patient: keyInSpace((prior) => prior.patient_id),
    person: keyInSpace((prior) => personKey(prior)),
    report: keyInSpace(({ report_id, source_system }) =>
      report_id === null ? null : reportKey(report_id, source_system),
    ),
    accession: keyInSpace((prior) => prior.accession_number),
    exam: { kind: 'instant', of: (prior) => parseInstant(prior.exam_datetime) },
  },
  prior_versions: { prior: key((version) => version.prior_id) },
  jobs: {
    space,
    status: group((job) => job.status),
    type: group((job) => job.type),
    item: key((job) => job.worklist_item_id),
    audio: key((job) => job.audio && job.audio.blob),
    created,
    changed,
  },
  macros: owned,
  vocabulary: owned,
  transcriptions: { space, grant: key((transcription) => transcription.grant_id) },
  sounds: { transcription: key((piece) => piece.transcription_id) },
  phrases: { transcription: key((phrase) => phrase.transcription_id) },
  clients: { space },
  users: {
    space,
    username: keyInSpace((user) => user.username.toLowerCase()),
    provider: keyInSpace(({ provider }) => (provider ? providerKey(provider) : null)),
  },
  grants: { client: group((grant) => grant.client_id), user: key((grant) => grant.user_id), expires },
  codes: { client: group((code) => code.client_id), user: key((code) => code.user_id), expires },
  refresh_tokens: { grant: key((token) => token.grant_id), expires },
  devices: {
    client: group((device) => device.client_id),
    user: key((device) => device.user_id),
    user_code: key((device) => device.user_code),
    expires,
  },
  assertions: { expires },
  idempotency: { expires },
  webhooks: { space },
  subscriptions: { space, client: group((subscription) => subscription.client_id) },
  templates: {
    space,
    state: group((template) => template.state),
    name: keyInSpace((template) => template.template_id),
  },
  deliveries: {
    client: group((delivery) => delivery.client_id),
    status: group((delivery) => delivery.status),
    created,
  },
  channels: { space, name: key((channel) => channel.name) },
  messages: {
    space,
    channel: group((message) => message.channel_id),
    state: group((message) => message.state),
    /** The name that its sender gave it. */
    named: key(({ channel_id, key: name }) => (name === null ? null : namedKey(channel_id, name))),
    /** And with the same bytes. */
    repeated: key(({ channel_id, key: name, hash }) =>
      name === null || hash === undefined ? null : `${namedKey(channel_id, name)}\n${hash}`,
    ),
    lane: key((message) => message.lane ?? null),
    patient: keys((message) => message.subject?.patient_ids ?? null),
    accession: keys((message) => message.subject?.accession_numbers ?? null),
    control: keys(readControlIds),
    /** For a performed step: the step, its exams, and its exams while no order has named them. */
    step: key(({ channel_id, step }) => (step ? namedKey(channel_id, step.instance) : null)),
    exam: keys(({ channel_id, step }) =>
      step ? step.exams.flatMap((exam) => examNames(exam).map((name) => namedKey(channel_id, name))) : null,
    ),
    awaited: keys((message) => {
      const exams = awaitedExams(message);
      if (!exams) return null;
      return [anyExam, ...exams.flatMap(examNames).map((name) => namedKey(message.space, name))];
    }),
    changed,
  },
  trash: { space, expires, audio: keys((entry) => entry.audio) },
  erasures: { pending: group((erasure) => (erasure.applied_at === null ? 'pending' : null)) },
  audit_segments: { audio: key((segment) => segment.blob) },
  audit: {},
  audit_facts: {},
  audit_head: {},
  settings: {},
  shared_files: { directory: key((file) => file.directory) },
  shared_pieces: { directory: key((piece) => piece.directory) },
  app_sessions: { desk: key((session) => session.desk) },
  operator_sessions: {},
} as const satisfies Indexes;

type IndexesOf<C extends CollectionName> = (typeof indexes)[C];
type IndexOf<C extends CollectionName, Kind extends Index<never>['kind']> = {
  [I in keyof IndexesOf<C>]: IndexesOf<C>[I] extends { readonly kind: Kind } ? I : never;
}[keyof IndexesOf<C>] &
  string;

export type KeyIndex<C extends CollectionName> = IndexOf<C, 'key'>;
export type GroupIndex<C extends CollectionName> = IndexOf<C, 'group'>;
export type InstantIndex<C extends CollectionName> = IndexOf<C, 'instant'>;

export const collectionNames = Object.keys(indexes) as CollectionName[];
