/** Reads a body of HL7 or FHIR as a batch, with the readers of worklist files. */
import { textOf } from '../../../src/contract/messages/message.ts';
import type { FieldError } from '../../../src/contract/errors.ts';
import { validationFailed } from '../../../src/contract/errors.ts';
import { maxBatchItems } from '../../../src/contract/worklist.ts';
import type { FormatName } from '../../../src/domain/worklist-formats.ts';
import type { ItemReading, Problem, Reading } from '../../../src/files/worklist/reading.ts';
import { readItem } from '../check-item.ts';
import type { CheckedItem, ItemRules } from '../check-item.ts';
import { createBatch } from './ingest.ts';
import type { Batch } from './ingest.ts';
import type { PlainOptions, ReadFile } from './read-tasks.ts';

/** Throws the errors of a JSON batch, and the readers' errors for an unreadable body. */
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
  return createBatch(
    file.readings.map((reading) =>
      reading.kind === 'item'
        ? checkReading(reading, asSent(reading, { format: file.format }), rules)
        : refuseReading(reading),
    ),
  );
}

/** HTTP guarantees that the body is complete, so a missing final segment end is added. */
const whole = (raw: Uint8Array, format: FormatName): Uint8Array =>
  format === 'hl7' ? Buffer.concat([raw, segmentEnd]) : raw;

const segmentEnd = Buffer.from('\r');

function checkReading(reading: ItemReading, sent: unknown, rules: ItemRules): CheckedItem {
  const { status, order, warnings } = reading;
  const wanted = status ?? (order && 'new');
  return {
    ...readItem(sent, rules),
    ...(wanted && { status: wanted }),
    ...(order && { order }),
    ...(warnings && warnings.length > 0 && { notes: warnings.map(({ text }) => text) }),
  };
}

function refuseReading(reading: Exclude<Reading, ItemReading>): CheckedItem {
  const error: FieldError = { field: '', message: describeReading(reading), code: 'INVALID_FORMAT' };
  return { fields: {}, extra: undefined, instructions: {}, errors: [error] };
}

function describeReading(reading: Exclude<Reading, ItemReading>): string {
  if (reading.kind === 'problem') return sentenceOf(reading);
  if (reading.kind === 'skipped') return textOf(reading.why);
  return `It changes a patient (ADT^${reading.event}), not an exam: send it to a channel of kind hl7-in.`;
}

const sentenceOf = ({ message, hint, place }: Problem): string =>
  [place === undefined ? '' : `${place}:`, textOf(message), textOf(hint ?? '')].filter((part) => part !== '').join(' ');
