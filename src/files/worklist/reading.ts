/** The readings of a worklist file, and a person's options for the reading. */
import type { Message, Sentence } from '../../contract/messages/message.ts';
import type { WorklistMapping } from '../../contract/worklist-mapping.ts';
import type { ExamResources } from '../../domain/fhir-references.ts';
import type { Order } from '../../domain/orders.ts';
import type { MessageStamp } from '../../domain/message-stamp.ts';
import type { FormatName } from '../../domain/worklist-formats.ts';

/** A place in the file, counted from 1; `offset` counts bytes from 0. */
export interface Position {
  readonly line?: number;
  /** HL7 message. */
  readonly message?: number;
  /** Item, data set or resource. */
  readonly item?: number;
  readonly offset?: number;
}

/**
 * An exam, in the fields of the contract (`WorklistItemInput`). Absent fields leave a stored value, `null` clears it.
 */
export interface ItemReading {
  readonly kind: 'item';
  readonly item: Readonly<Record<string, unknown>>;
  readonly position: Position;
  /** The reader's omissions and assumptions, without patient data. */
  readonly warnings?: readonly Message[];
  /**
   * The exam's status according to the sender. Ingest knows no status, so a separate call sets it after the item was
   * taken. Only a cancelled order sets a status: "completed" means in HL7, DICOM and FHIR that the images were
   * taken, which is when the report begins.
   */
  readonly status?: 'cancelled';
  /** That the order was placed now, or is in force as far as the sender knows: what may bring a cancelled exam back. */
  readonly order?: 'placed' | 'standing';
  /** The orders under the accession number, as far as the file distinguishes them. */
  readonly orders?: readonly Order[];
  /** The exam is described by its modality, if it is new: its sender describes none. */
  readonly isDescribedByModality?: true;
  /** Its resources, where `ReadOptions.server` says who has them. */
  readonly resources?: ExamResources;
  /** The table by which it was read, of a format that has several: for advice. */
  readonly table?: string;
}

/** How far the exam itself is, as its sender says; what becomes of the report is another matter. */
export type ExamStatus = 'scheduled' | 'arrived' | 'in_progress' | 'completed';

/** A patient, as far as a message names one; `null` clears what is stored. */
export interface NamedPatient {
  readonly patient_id: string;
  readonly patient_id_issuer?: string;
  readonly patient_name?: string;
  readonly patient_birth_date?: string | null;
  readonly patient_sex?: string | null;
}

/** A change of a patient, for the stored exams (HL7 ADT). A worklist file has no use for it. */
export interface PatientReading {
  readonly kind: 'patient';
  /** The trigger event, as `A40`. */
  readonly event: string;
  /** The patient as is right from now on. */
  readonly patient: NamedPatient;
  /** When its message was made, and by whom. */
  readonly stamp: MessageStamp;
  /** Whose exams are the patient's from now on: an id that is given up, of the same person. Absent: only facts changed. */
  readonly merged?: Pick<NamedPatient, 'patient_id' | 'patient_id_issuer' | 'patient_name'>;
  /** Only the exams of that visit move, and are of the other visit from now on. Whose they were keeps the id. */
  readonly visit?: { readonly from: string; readonly to?: string };
  readonly position: Position;
  readonly warnings?: readonly Message[];
}

/** A line, message or item that could not be read; the reading goes on after it. */
export interface Problem {
  readonly kind: 'problem';
  readonly position: Position;
  /** One sentence, without patient data. */
  readonly message: Sentence;
  /** How to mend it. */
  readonly hint?: Sentence;
  /** Where in the format's own words, as `OBR-18.1` or `(0008,0050)`, where it is one place. */
  readonly place?: string;
  /** It is well formed, and none of those that are read: a message of another type or event. */
  readonly isForeign?: true;
  /** It lacks an accession number and a study UID, and nothing else is wrong. */
  readonly isUnidentified?: true;
  /** The fault of the value at the place. Absent: the whole cannot be read. */
  readonly fault?: PlaceFault;
  /** The fields of the exam, as far as they were read: patient data, by which its message is found. */
  readonly subject?: ItemReading['item'];
}

/** A place is empty, or its value has the wrong type, or no meaning here. */
export type PlaceFault = 'missing' | 'type' | 'value';

/** An entry that the rules of a mapping pass over. */
export interface SkippedReading {
  readonly kind: 'skipped';
  readonly position: Position;
  /** Which rule. */
  readonly why: Message;
}

export type Reading = ItemReading | PatientReading | Problem | SkippedReading;

/** A fact that the file does not state, and the reader's assumption. */
export interface Guess {
  readonly what:
    | 'format'
    | 'compression'
    | 'encoding'
    | 'delimiter'
    | 'decimal'
    | 'dates'
    | 'times'
    | 'columns'
    | 'rows'
    | 'sheet'
    | 'mapping'
    | 'modality';
  readonly value: string;
  readonly why: string;
}

/** Limits of memory, in bytes unless stated otherwise. */
export interface Limits {
  /** A line of NDJSON, a record of CSV; characters. */
  readonly line: number;
  /** An item of a JSON file, an HL7 message; characters. */
  readonly item: number;
  /** A DICOM file. */
  readonly dicomFile: number;
  /** All resources of a FHIR file, which are held until its end, since references may point forward; characters. */
  readonly bundle: number;
  /** How many times larger than its gzip the content may be, once past `unpackedFree`. */
  readonly ratio: number;
  readonly unpackedFree: number;
  /** Exams and patients; counted before they are read, as far as the format lets. */
  readonly subjects: number;
}

const MiB = 1024 * 1024;
export const defaultLimits: Limits = {
  line: MiB,
  item: 10 * MiB,
  dicomFile: 64 * MiB,
  bundle: 64 * MiB,
  ratio: 200,
  unpackedFree: 8 * MiB,
  subjects: Infinity,
};

export type DateOrder = 'dmy' | 'mdy' | 'ymd';

/** Options by which a person overrides the reader's assumptions. */
export interface ReadOptions {
  readonly format?: FormatName;
  /** A label of the Encoding Standard, such as `utf-8`, `windows-1252`, `iso-8859-2`. */
  readonly encoding?: string;
  /** CSV: the one character between columns. */
  readonly delimiter?: string;
  /** CSV: what numbers are written with. */
  readonly decimal?: ',' | '.';
  /** CSV: how dates such as 02/03/2026 are meant. */
  readonly dateOrder?: DateOrder;
  /** IANA name, for times without an offset. Default: the mapping's, else the machine's. */
  readonly timeZone?: string;
  /** Where fields stand, what values mean, and defaults. `checkedMapping` says what is wrong with one from outside. */
  readonly mapping?: WorklistMapping;
  readonly limits?: Partial<Limits>;
  /** FHIR: the address of the server from which the file is, whose ids its resources then have. */
  readonly server?: string;
  /** Hears for each value its field and its place, as in messages. */
  readonly onFound?: ((field: string, place: string) => void) | undefined;
}

export const problem = (
  position: Position,
  message: Message,
  hint?: Message,
  more: Pick<Problem, 'place' | 'isForeign' | 'isUnidentified' | 'fault' | 'subject'> = {},
): Problem => ({
  kind: 'problem',
  position,
  message,
  ...(hint !== undefined && { hint }),
  ...more,
});

/** A problem says what is wrong already. */
export const withWarnings = (reading: Reading, warnings: readonly Message[]): Reading =>
  reading.kind === 'problem' || reading.kind === 'skipped' || warnings.length === 0
    ? reading
    : { ...reading, warnings: [...(reading.warnings ?? []), ...warnings] };
