/**
 * The port of channels: what a kind of channel is, and what it works with. A kind is a folder and a line in registry.ts; what
 * is large in it loads when a channel of the kind opens. Runtime.ts opens and closes the channels of the store.
 *
 * What a message that came in did, and that it came in, are one durable transaction (intake.ts); only then the other system
 * hears of it. What goes out stands in the outbox (outbox.ts) until the other system has it.
 */
import type { MessageChanges, MessageError } from '../../../src/contract/channel.ts';
import type { ExportFormat } from '../../../src/contract/export.ts';
import type { Schema, TypeOf } from '../../../src/contract/schema.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Report } from '../../../src/reporting/report-head.ts';
import type { FormatName } from '../../../src/domain/worklist-formats.ts';
import type { Hl7Settings } from '../formats/hl7/settings.ts';
import type { Log } from '../../runtime/log.ts';
import type { Documents, PerformedStep } from '../../storage/collections.ts';
import type { Period } from '../../storage/store.ts';
import type { ChannelReaders } from './receiving/channel-readers.ts';
import { alarmSettings } from './alarms/alarm-settings.ts';
import type { ReadMessage } from './receiving/reading.ts';

export type StoredChannel = Documents['channels'];
export type StoredMessage = Documents['messages'];

/** A channel with all of its settings, the secret ones too; they are valid by the schema of its kind. */
export interface OpenedChannel<S = Readonly<Record<string, unknown>>> extends Pick<
  StoredChannel,
  'id' | 'name' | 'space' | 'mapping'
> {
  readonly settings: S;
}

/** How a kind that takes messages is opened. */
export interface InboundKind<S extends Schema = Schema> {
  readonly direction: 'in';
  /** What such a channel does, for people. */
  readonly title: string;
  /** The schema of its settings, an object; a secret is a text with `writeOnly`. */
  readonly settings: S;
  /** Rejects with AppError CONFIGURATION, whose message says why, where the channel cannot be opened now. */
  open(channel: OpenedChannel<TypeOf<S>>, deps: InboundDeps): Promise<Running>;
}

/** How a kind that sends messages is opened. */
export interface OutboundKind<S extends Schema = Schema> {
  readonly direction: 'out';
  readonly title: string;
  readonly settings: S;
  /** Rejects as above. */
  open(channel: OpenedChannel<TypeOf<S>>, deps: OutboundDeps): Promise<Sender>;
}

export type AnyKind = InboundKind | OutboundKind;

/** Returns the kind, with the settings of all kinds; through this call the compiler holds `open` to the settings of the schema. */
export const channelKind = <S extends Schema>(kind: InboundKind<S> | OutboundKind<S>): AnyKind => {
  const { settings } = kind;
  const all = { ...settings, properties: { ...settings.properties, ...alarmSettings } };
  return { ...kind, settings: all } as unknown as AnyKind;
};

/** An open channel. */
interface Opened {
  /** Where it listens, looks or sends to, for people. */
  readonly address?: string;
  /** Looks whether the other side answers, without anything about a patient. Rejects with an AppError where it does not. */
  test?(signal: AbortSignal): Promise<string>;
  /** The other side says that something changed: asks for it soon. */
  hurry?(): void;
  /** Ends what is under way, or lets it end, and lets go of everything. */
  close(): Promise<void>;
}

export type Running = Opened;

export interface Sender extends Opened {
  /** What letters contain, in that order. */
  readonly formats: readonly ExportFormat[];
  /** How the other side wants messages of HL7; MSH-10 is the letter's. */
  readonly hl7?: Omit<Hl7Settings, 'control_id'>;
  /** The FHIR server that gets them, whose own resources they then refer to. */
  readonly server?: string;
  /** Whether an exam without a study UID gets a study of our own. Default: its documents wait for the UID. */
  readonly makesStudies?: boolean;
  /** The most letters that may be under way at once; default: 4. Those about one exam never are. */
  readonly atOnce?: number;
  /** One attempt; rejects only where that is a mistake of ours. */
  send(letter: Letter, signal: AbortSignal): Promise<Delivered>;
}

interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  /** Numbers from 0 up to 1, for the jitter of retries. */
  readonly random: () => number;
  /** Shows the operator what is wrong with the open channel, without patient data; `null`: nothing any more. */
  tell(problem: string | null): void;
}

export interface InboundDeps extends Deps {
  readonly intake: Intake;
  readonly readers: ChannelReaders;
}

export type OutboundDeps = Deps;

/** Takes over what came in. */
export interface Intake {
  /** Rejects with AppError STORAGE_UNAVAILABLE where the store takes nothing: then nothing was taken. */
  take(sent: Sent): Promise<Taken>;
  /** What modalities told of that performed step, newest first. */
  stepsOf(instance: string): Promise<readonly PerformedStep[]>;
  /** Cancels the exams that this channel sent, that nobody has taken, and that the other side no longer names. */
  withdraw(unnamed: Unnamed): Promise<void>;
  /** Until when the other side was read, ISO 8601 by its clock; `undefined`: never. */
  readUntil(): Promise<string | undefined>;
  /** Writes down until when it was read, once all of that is taken over. */
  markRead(until: string): Promise<void>;
}

/** Which exams the other side would name, and which it names. */
export interface Unnamed {
  /** Exams from one instant to another, both included; ms since 1970. */
  readonly during: Period;
  isNamed(exam: Pick<Documents['items'], 'study_uid' | 'accession_number' | 'metadata'>): boolean;
}

/** What came in. */
export interface Sent {
  readonly raw: Uint8Array;
  /** By what its sender names it; the same name and bytes again are a repetition. */
  readonly key?: string;
  /**
   * It was asked for, and will be again: it is kept only where it is refused, once for its name, until what comes of that name is
   * taken.
   */
  readonly isPolled?: boolean;
  readonly format?: FormatName;
  /** Its bytes are of no use to anybody, and are not kept. */
  readonly isForgotten?: boolean;
  /** What its kind has read of it already. */
  readonly read?: ReadMessage;
  /** The performed step that it tells of, in place of `read`. */
  readonly step?: PerformedStep;
  /** Where its format has a field of the contract, as `PID-3` for `patient_id`. */
  readonly placeOf?: (field: string) => string | undefined;
  /** Makes the acknowledgement, which is kept with the message: a repetition gets it again. May be called more than once. */
  readonly answer?: (outcome: Outcome) => string;
}

export type Outcome =
  | { readonly state: 'taken'; readonly changes: MessageChanges; readonly warnings: readonly string[] }
  | {
      readonly state: 'refused';
      readonly error: MessageError;
      /** What was taken all the same, of a message about several exams. */
      readonly changes: MessageChanges;
      readonly warnings: readonly string[];
    };

export type Taken = Outcome & {
  /** `null`: it is not kept. */
  readonly id: string | null;
  /** Whether it had come before: then nothing was done, and this is the outcome of then. */
  readonly repeated: boolean;
  readonly answer?: string;
};

/** A message to send: a version of a document. */
export interface Letter {
  /** The same at every attempt. */
  readonly id: string;
  /** From 1. */
  readonly attempt: number;
  readonly event: string;
  readonly report: Report;
  /** The document in each of the formats of the sender. */
  readonly contents: readonly Uint8Array[];
}

export type Delivered =
  | { readonly state: 'delivered' }
  /** Sending it again unchanged is of no use. */
  | { readonly state: 'refused'; readonly error: MessageError }
  | {
      readonly state: 'again';
      readonly error: MessageError;
      readonly retryAfterMs?: number;
      /** Something about the exam is missing: the other side may well take other messages. */
      readonly isOfExam?: true;
    };

/** Sends what waits for the open channels that send: outbox.ts and dispatcher.ts. */
export interface Dispatch {
  /** `tell` shows the operator what is wrong with the other side. */
  attach(channel: OpenedChannel, sender: Sender, tell: (problem: string | null) => void): void;
  /** Resolves once nothing of the channel is under way. */
  detach(channelId: string): Promise<void>;
  /** Looks at all that waits. Call it when every document may have changed. */
  renew(): void;
}
