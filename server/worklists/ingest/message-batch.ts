/** Reads a body of HL7 or FHIR as a batch for an ingest, by the readers of worklist files. */
import { textOf } from '../../../src/contract/messages/message.ts';
import type { FieldError } from '../../../src/contract/errors.ts';
import { validationFailed } from '../../../src/contract/errors.ts';
import { maxBatchItems } from '../../../src/contract/worklist.ts';
import type { FormatName } from '../../../src/domain/worklist-formats.ts';
import type { ItemReading, Problem, Reading } from '../../../src/files/worklist/reading.ts';
import { readItem } from '../check-item.ts';
import type { CheckedItem, ItemRules } from '../check-item.ts';
import { batchOf } from './ingest.ts';
import type { Batch } from './ingest.ts';
import type { PlainOptions, ReadFile } from './read-tasks.ts';

/** Throws what a batch of JSON throws, and what the readers say of a body of which nothing can be read. */
export async function readMessageBatch(
  raw: Uint8Array,
  format: FormatName,
  rules: ItemRules,
  read: (raw: Uint8Array, options: PlainOptions) => Promise<ReadFile>,
): Promise<Batch> {
  const { asSent } = await import('../../../src/sending/entries.ts');
  if (raw.length === 0) {
    throw validationFailed([{ field: '', message: 'the body is empty', code: 'FIELD_REQUIRED' }]);
  }
  const file = await read(whole(raw, format), {
    format,
    limits: { subjects: maxBatchItems },
    ...(rules.zone && { timeZone: rules.zone.name }),
  });
  return batchOf(
    file.readings.map((reading) =>
      reading.kind === 'item' ? checked(reading, asSent(reading, { format: file.format }), rules) : refused(reading),
    ),
  );
}

/** HTTP says itself whether a body is whole, which the readers conclude from how a file of HL7 ends. */
const whole = (raw: Uint8Array, format: FormatName): Uint8Array =>
  format === 'hl7' ? Buffer.concat([raw, segmentEnd]) : raw;

const segmentEnd = Buffer.from('\r');

function checked(reading: ItemReading, sent: unknown, rules: ItemRules): CheckedItem {
  const { status, order, warnings } = reading;
  const wanted = status ?? (order && 'new');
  return {
    ...readItem(sent, rules),
    ...(wanted && { status: wanted }),
    ...(order && { order }),
    ...(warnings && warnings.length > 0 && { notes: warnings.map(({ text }) => text) }),
  };
}

function refused(reading: Exclude<Reading, ItemReading>): CheckedItem {
  const error: FieldError = { field: '', message: messageOf(reading), code: 'INVALID_FORMAT' };
  return { fields: {}, extra: undefined, instructions: {}, errors: [error] };
}

function messageOf(reading: Exclude<Reading, ItemReading>): string {
  if (reading.kind === 'problem') return sentenceOf(reading);
  return `It changes a patient (ADT^${reading.event}), and no exam: a channel of kind hl7-in takes such messages.`;
}

const sentenceOf = ({ message, hint, place }: Problem): string =>
  [place === undefined ? '' : `${place}:`, textOf(message), textOf(hint ?? '')].filter((part) => part !== '').join(' ');
