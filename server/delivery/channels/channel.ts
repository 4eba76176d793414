/**
 * The port of channels: what a kind of channel implements, and what it gets. A kind is a folder and a line in registry.ts; its
 * large modules load when a channel of the kind opens. runtime.ts opens and closes the channels of the store.
 *
 * An inbound message and its effects are one durable transaction (intake.ts); only then is the sender acknowledged. An outbound
 * message stays in the outbox (outbox.ts) until the receiver has it.
 */
import type { MessageChanges, MessageError } from '../../../src/contract/channel-message.ts';
import type { ExportFormat } from '../../../src/contract/export.ts';
import type { Schema, TypeOf } from '../../../src/contract/schema.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Report } from '../../../src/reporting/report-head.ts';
import type { FormatName } from '../../../src/domain/worklist-formats.ts';
import type { Hl7Settings } from '../formats/hl7/settings.ts';
import type { Log } from '../../runtime/log.ts';
import type { Documents, PerformedStep } from '../../storage/collections.ts';
import type { Period, Store } from '../../storage/store.ts';
import type { ChannelReaders } from './receiving/channel-readers.ts';
import { alarmSettings } from './alarms/alarm-settings.ts';
import type { ReadMessage } from './receiving/read-message.ts';

export type StoredChannel = Documents['channels'];
export type StoredMessage = Documents['messages'];
export type Exam = Documents['items'];

/** A channel with all of its settings, secrets included, valid by the schema of its kind. */
export interface ChannelConfig<S = Readonly<Record<string, unknown>>> extends Pick<
  StoredChannel,
  'id' | 'name' | 'space' | 'mapping'
> {
  readonly settings: S;
}

/** A kind of channel that receives messages. */
export interface InboundKind<S extends Schema = Schema> {
  readonly direction: 'in';
  /** Whether each member opens the channel, because senders choose a member. Others poll, which only one member does. */
  readonly isEverywhere?: true;
  /** Whether the channel can read everything that the other side has, if its note `export` asks for it. */
  readonly takesImport?: true;
  /** Describes the kind to people. */
  readonly title: string;
  /** Schema of the settings, an object. A secret is a string with `writeOnly`. */
  readonly settings: S;
  /** Rejects with AppError CONFIGURATION, with the reason as its message, if the channel cannot be opened now. */
  open(channel: ChannelConfig<TypeOf<S>>, deps: InboundDeps): Promise<OpenChannel>;
}

/** A kind of channel that sends messages. */
export interface OutboundKind<S extends Schema = Schema> {
  readonly direction: 'out';
  readonly isEverywhere?: never;
  readonly takesImport?: never;
  readonly title: string;
  readonly settings: S;
  /** Rejects as above. */
  open(channel: ChannelConfig<TypeOf<S>>, deps: OutboundDeps): Promise<Sender>;
}

export type AnyKind = InboundKind | OutboundKind;

/** Adds the settings that all kinds have. Makes the compiler check the parameters of `open` against the schema of the settings. */
export const channelKind = <S extends Schema>(kind: InboundKind<S> | OutboundKind<S>): AnyKind => {
  const { settings } = kind;
  const all = { ...settings, properties: { ...settings.properties, ...alarmSettings } };
  return { ...kind, settings: all } as unknown as AnyKind;
};

/** An open channel. */
export interface OpenChannel {
  /** Where it listens, polls or sends, for people. */
  readonly address?: string;
  /** Checks that the other side answers, without patient data. Rejects with an AppError if it does not. */
  test?(signal: AbortSignal): Promise<string>;
  /** The other side called the hook of the channel. `body`: parsed JSON or its bytes; `undefined`: none. Never throws. */
  notice?(body: unknown): void;
  /** Ends or awaits work in progress, and releases all resources. */
  close(): Promise<void>;
}

export interface Sender extends OpenChannel {
  /** Formats of a message's contents, in this order. */
  readonly formats: readonly ExportFormat[];
  /** HL7 settings of the receiver; MSH-10 comes from the message. */
  readonly hl7?: Omit<Hl7Settings, 'control_id'>;
  /** The FHIR server that receives the documents: references point to its own resources. */
  readonly server?: string;
  /** Whether an exam without a study UID gets a generated study. Default: its documents wait for the UID. */
  readonly makesStudies?: boolean;
  /** Maximum of messages in flight; default: 4. Messages about one exam never overlap. */
  readonly maxInFlight?: number;
  /** The bytes in which a content leaves, if they differ: for a person who looks at the message. */
  toSentBytes?(content: Uint8Array): Uint8Array;
  /** Makes one attempt. Rejects only because of a defect in Laudio. */
  send(message: OutboundMessage, signal: AbortSignal): Promise<SendResult>;
}

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  /** Numbers from 0 up to 1, for the jitter of retries. */
  readonly random: () => number;
  /** Shows the operator a problem of the open channel, without patient data; `null`: there is none. */
  reportProblem(problem: string | null): void;
}

export interface InboundDeps extends Deps {
  readonly intake: Intake;
  readonly readers: ChannelReaders;
}

export type OutboundDeps = Deps;

/** Applies received messages. */
export interface Intake {
  /** Rejects with AppError STORAGE_UNAVAILABLE if the store cannot write; then nothing was applied. */
  take(sent: InboundMessage): Promise<IntakeResult>;
  /** The states of that performed step as modalities reported them: its end, if it has ended, before its beginning. */
  findSteps(instance: string): Promise<readonly PerformedStep[]>;
  /** Cancels the exams of this channel that nobody has taken and that the other side no longer lists. */
  cancelMissing(unnamed: MissingExams): Promise<void>;
  /** The exams of the channel's space in that period that need a report, in pieces. */
  openExams(during: Period): AsyncIterable<readonly Exam[]>;
  /** Those, and the ones that have their report, and no study yet. */
  examsForPacs(during: Period): AsyncIterable<readonly Exam[]>;
  /** The exams with these ids that are in the channel's space, and such. */
  readExams(ids: Iterable<string>): Promise<readonly Exam[]>;
  /** Calls the listener with the ids of changed exams. The returned function ends that. */
  watchExams(listener: (ids: readonly string[]) => void): () => void;
  /** Whether the channel brought the report with that id. */
  hasReport(id: string): Promise<boolean>;
  /** Whether the report of that exam is written here. */
  isReportedHere(exam: Pick<Exam, 'study_uid' | 'accession_number'>): Promise<boolean>;
  /** Takes a report, a DICOM object of that UID as a file, as a prior. A refused one is stored as a refused message. */
  takeReport(instance: string, file: Uint8Array, facts: StudyFacts): Promise<'taken' | 'refused' | 'wordless'>;
  /** Time up to which the other side was read, ISO 8601 by its clock; `undefined`: never. */
  readUntil(): Promise<string | undefined>;
  /** Stores the time up to which everything was read and applied. */
  markRead(until: string): Promise<void>;
  /** A note that the channel stored, gone with the channel; `undefined`: none. */
  recall(note: ChannelNote): Promise<unknown>;
  /** Stores a note, JSON without patient data; `undefined` removes it. */
  remember(note: ChannelNote, value: unknown): Promise<void>;
}

/** Notes of channels that outlast a restart. */
export const channelNotes = ['subscription', 'export'] as const;
export type ChannelNote = (typeof channelNotes)[number];

/** The period that was polled, and which exams the other side listed. */
export interface MissingExams {
  /** Time range of the exams, both ends included; ms since 1970. */
  readonly during: Period;
  isNamed(exam: Pick<Documents['items'], 'study_uid' | 'accession_number' | 'metadata' | 'fhir'>): boolean;
}

/** Facts of a PACS about the study of a report. */
export interface StudyFacts {
  /** That of its images. */
  readonly modality: string | undefined;
  /** Applies if the report describes no exam. */
  readonly exam_description: string;
}

/** A message that a channel received. */
export interface InboundMessage {
  readonly raw: Uint8Array;
  /** The sender's name of the message; the same name with the same bytes is a repetition. */
  readonly key?: string;
  /** The message was polled, and will be again: it is stored only if it is refused, once per key, until the key is accepted. */
  readonly isPolled?: boolean;
  readonly format?: FormatName;
  /** The bytes are useless to people and are not stored. */
  readonly isForgotten?: boolean;
  /** The part that the kind has already parsed. */
  readonly read?: ReadMessage;
  /** The performed step of the message, instead of `read`. */
  readonly step?: PerformedStep;
  /** Location of a contract field in the message's format, such as `PID-3` for `patient_id`. */
  readonly placeOf?: (field: string) => string | undefined;
  /**
   * Makes the acknowledgement, which is stored with the message and repeated for a repetition; `undefined`: none is wanted. May be
   * called more than once.
   */
  readonly answer?: (outcome: IntakeOutcome) => string | undefined;
}

export type IntakeOutcome =
  | { readonly state: 'taken'; readonly changes: MessageChanges; readonly warnings: readonly string[] }
  | {
      readonly state: 'refused';
      readonly error: MessageError;
      /** The applied part, if the message was about several exams. */
      readonly changes: MessageChanges;
      readonly warnings: readonly string[];
    };

export type IntakeResult = IntakeOutcome & {
  /** `null`: the message is not stored. */
  readonly id: string | null;
  /** Whether the message came before: nothing was applied, and this is its earlier outcome. */
  readonly repeated: boolean;
  readonly answer?: string;
};

/** An outbound message: a version of a document. */
export interface OutboundMessage {
  /** Unchanged in every attempt. */
  readonly id: string;
  /** Starts at 1. */
  readonly attempt: number;
  readonly event: string;
  readonly report: Report;
  /** The document in each format of the sender. */
  readonly contents: readonly Uint8Array[];
  /** Name the parts that are left out. */
  readonly warnings: readonly string[];
}

export type SendResult =
  | { readonly state: 'delivered'; readonly warnings?: readonly string[] }
  /** A retry of the same message would fail again. */
  | { readonly state: 'refused'; readonly error: MessageError }
  | {
      readonly state: 'again';
      readonly error: MessageError;
      readonly retryAfterMs?: number;
      /** The exam lacks something: the receiver may well accept other messages. */
      readonly isOfExam?: true;
    };

/** The lease under which a member sends the messages of a channel. */
export interface SendingLease {
  /** Its commits depend on the lease. */
  readonly store: Store;
  isHeld(): boolean;
}

/** Sends the pending messages of open outbound channels: `sending/dispatcher.ts`. */
export interface Dispatch {
  /** `reportProblem` shows the operator a problem of the receiver. Without a lease this member sends alone. */
  attach(
    channel: ChannelConfig,
    sender: Sender,
    reportProblem: (problem: string | null) => void,
    lease?: SendingLease,
  ): void;
  /** Resolves once no message of the channel is in flight. */
  detach(channelId: string): Promise<void>;
  /** Reads all pending messages. Call it if every document may have changed. */
  renew(): void;
}
