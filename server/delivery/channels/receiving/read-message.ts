/** Parses a received message with the readers of worklist files. */
import { textOf } from '../../../../src/contract/messages/message.ts';
import type { MessageError } from '../../../../src/contract/channel-message.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import type { DetailCode } from '../../../../src/contract/errors.ts';
import type { WorklistMapping } from '../../../../src/contract/worklist-mapping.ts';
import type { FormatName } from '../../../../src/domain/worklist-formats.ts';
import type { SentItem } from '../../../../src/files/worklist/advice.ts';
import type { ExamResources } from '../../../../src/domain/fhir-references.ts';
import type { OrderChange } from '../../../../src/sending/order-changes.ts';
import type { PatientReading, PlaceFault, Position, Problem, Reading } from '../../../../src/files/worklist/reading.ts';
import type { Documents } from '../../../storage/collections.ts';
import type { Readers } from '../../../worklists/ingest/readers.ts';
import { normaliseUrl } from '../kinds/fhir/normalise-url.ts';

/** An exam as ingest takes it, and what its orders request. */
export interface ReadExam {
  readonly item: Readonly<Record<string, unknown>>;
  readonly order: OrderChange | undefined;
  /** Absent: no mapping reads it. */
  readonly sent?: SentItem;
  /** Ids on the server that was polled. */
  readonly resources?: ExamResources;
}

/** An exam that could not be read, as far as it is known. */
interface UnreadExam {
  readonly item: ReadExam['item'];
  /** Its place among all exams of the message, from 0. */
  readonly at: number;
}

export interface ReadMessage {
  /** `undefined`: the format is unknown. */
  readonly format: FormatName | undefined;
  readonly exams: readonly ReadExam[];
  /** Changes of patients. */
  readonly patients: readonly PatientReading[];
  readonly problems: readonly MessageError[];
  readonly unread?: readonly UnreadExam[];
  /** Assumptions of the readers, and what they skipped. */
  readonly warnings: readonly string[];
  /** The sender only adds facts: the exams keep the system that sent them. */
  readonly isAddition?: true;
}

/** The settings of a channel that its readers use. */
export interface ReadingSettings {
  readonly format?: FormatName;
  readonly encoding?: string;
  readonly time_zone?: string;
  /** The FHIR server that is polled. */
  readonly base_url?: string;
}

/** Reads a whole file. An unreadable one results in a problem, like unreadable parts. */
export async function readMessage(
  raw: Uint8Array,
  named: FormatName | undefined,
  { id, settings, mapping }: Pick<Documents['channels'], 'id' | 'settings' | 'mapping'>,
  readers: Readers,
): Promise<ReadMessage> {
  const { format = named, encoding, time_zone: timeZone, base_url: server } = settings as ReadingSettings;
  try {
    const options = {
      ...(format && { format }),
      ...(encoding !== undefined && { encoding }),
      ...(timeZone !== undefined && { timeZone }),
      ...(server !== undefined && { server: normaliseUrl(server) }),
      ...(mapping && { mapping: mapping as WorklistMapping }),
    };
    const file = await readers.file(raw, options, id);
    const sorted = (await createReadingSorter())(file.readings, file.format);
    // Assumptions, except how the format was recognised.
    const guesses = file.guesses.filter(({ what }) => what !== 'format').map(({ why }) => why);
    return { ...sorted, warnings: [...new Set([...sorted.warnings, ...guesses])] };
  } catch (error) {
    // If the queue is full, the sender repeats the message.
    if (!(error instanceof AppError) || error.code === 'SERVER_BUSY') throw error;
    const { code, message, hint } = error;
    const problem = { code, message, ...(hint !== undefined && { hint }) };
    return { format, exams: [], patients: [], problems: [problem], warnings: [] };
  }
}

/** Groups the readings of a message by kind. */
export type ReadingSorter = (readings: readonly Reading[], format: FormatName) => ReadMessage;

/** Loads the rules that turn readings into ingest items. */
export async function createReadingSorter(): Promise<ReadingSorter> {
  const [{ asSent, describeSent }, { readOrderChange }] = await Promise.all([
    import('../../../../src/sending/entries.ts'),
    import('../../../../src/sending/order-changes.ts'),
  ]);
  return (readings, format) => {
    const exams: ReadExam[] = [];
    const patients: PatientReading[] = [];
    const problems: MessageError[] = [];
    const unread: UnreadExam[] = [];
    const warnings = new Set<string>();
    let skipped = 0;
    for (const reading of readings) {
      if (reading.kind === 'problem') {
        problems.push(toMessageError(reading));
        const { subject } = reading;
        if (subject) unread.push({ item: subject, at: exams.length + unread.length });
        continue;
      }
      if (reading.kind === 'skipped') {
        skipped += 1;
        warnings.add(reading.why.text);
        continue;
      }
      for (const warning of reading.warnings ?? []) warnings.add(warning.text);
      if (reading.kind === 'patient') patients.push(reading);
      else {
        const { resources } = reading;
        const order = readOrderChange(reading);
        const item = asSent(reading, { format });
        const sent = describeSent(reading, item, format);
        exams.push({ item, order, sent, ...(resources && { resources }) });
      }
    }
    if (exams.length + patients.length + problems.length + skipped === 0) {
      problems.push({ code: 'EMPTY', message: 'There is no exam in it.' });
    }
    return { format, exams, patients, problems, unread, warnings: [...warnings] };
  };
}

function toMessageError({
  message,
  hint,
  position,
  place = describePosition(position),
  fault,
  isUnidentified,
}: Problem): MessageError {
  const code = isUnidentified ? codes.missing : fault === undefined ? 'UNREADABLE' : codes[fault];
  return {
    code,
    message: textOf(message),
    ...(place && { place }),
    ...(hint !== undefined && { hint: textOf(hint) }),
  };
}
const codes: Readonly<Record<PlaceFault, DetailCode>> = {
  missing: 'FIELD_REQUIRED',
  type: 'INVALID_FORMAT',
  value: 'INVALID_VALUE',
};

const describePosition = ({ line, message, item, offset }: Position): string | undefined => {
  const parts = Object.entries({ message, line, item, byte: offset }).filter(([, at]) => at !== undefined);
  return parts.length === 0 ? undefined : parts.map(([what, at]) => `${what} ${at}`).join(', ');
};
