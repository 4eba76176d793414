/** Normalises and validates one item without the store. Messages never repeat a value. */
import type { FieldError } from '../../src/contract/errors.ts';
import { coreFieldNames } from '../../src/contract/exam.ts';
import type { WorklistStatus } from '../../src/contract/worklist.ts';
import type { OffsetAt } from '../../src/files/worklist/zone.ts';
import type { ExamResources } from '../../src/domain/fhir-references.ts';
import { parseInstant, isIsoDateTime, isLocalTime } from '../../src/domain/iso-time.ts';
import { isFreeFit } from '../../src/domain/characters.ts';
import { isFlawless } from '../../src/domain/flawless-item.ts';
import { takeInstructions } from '../../src/domain/item-instructions.ts';
import type { Instructions } from '../../src/domain/item-instructions.ts';
import { identifierNames, isDeeperThan, itemFieldNames, normaliseItem } from '../../src/domain/normalise.ts';
import type { AccessionNumber, Order } from '../../src/domain/orders.ts';
import type { NormalisedItem } from '../../src/domain/normalise.ts';
import { maxMetadataWeight } from '../../src/contract/shared.ts';
import { nearestWord } from '../../src/domain/nearest-word.ts';
import { isTestPatientName } from '../../src/domain/test-data.ts';
import type { MessageStamp } from '../../src/domain/message-stamp.ts';
import { measureWeight } from '../../src/domain/weight.ts';
import { findChangedOrders, findPlacerNumber } from './ingest/message-orders.ts';

/** Validates an item against `WorklistItemInput`. The `field` of each error is relative to the item. */
export type ItemValidator = (item: unknown) => FieldError[];

/** Maximum nesting of metadata. */
const maxMetadataDepth = 32;

const place = new Map(itemFieldNames.map((name, at) => [name, at]));

export interface ItemRules {
  readonly validate: ItemValidator;
  /** Whether only test patients are allowed. */
  readonly testMode: boolean;
  /** The zone of times without an offset. By default they are kept as they are. */
  readonly zone?: Zone;
}

/** A time zone with its offsets. */
export interface Zone {
  readonly name: string;
  readonly offsetAt: OffsetAt;
}

/**
 * `all`, `status`: a later message has it already; `repeated`: this message has set the status before, and it changed
 * since.
 */
export type OutdatedPart = 'all' | 'status' | 'repeated';

/** A normalised item with its errors; without errors it can be stored. */
export interface CheckedItem extends NormalisedItem {
  readonly instructions: Instructions;
  /** The requested status of the exam, if any. */
  readonly status?: WorklistStatus;
  /** Whether the status comes from an order that was just placed, or that the sender knows to be in force. */
  readonly order?: 'placed' | 'standing';
  /** The item's orders, once it is matched to an exam. By default those in its metadata. */
  readonly orders?: readonly Order[];
  /** Its accession number replaces that of another order of the exam. */
  readonly moved?: { readonly from: AccessionNumber; readonly to: AccessionNumber };
  /** The parts that the exam has already, from a later message or this one. */
  readonly outdated?: OutdatedPart;
  /** Values that the reader of a message left out or assumed. */
  readonly notes?: readonly string[];
  /** The zone and offset that were assumed for its date-time, if it had no offset. */
  readonly zone?: string;
  /** Stamp of the message that named the patient. */
  readonly patient_told?: MessageStamp;
  /** Stamp of the message that set the progress of the exam. */
  readonly exam_status_told?: MessageStamp;
  /** The exam's resource ids on a FHIR server. */
  readonly resources?: ExamResources;
  readonly errors: readonly FieldError[];
}

const nothing: readonly FieldError[] = [];
const noInstructions: Instructions = {};

/** Normalises and validates a value. An error with an empty `field` means that the value is no item. */
export function readItem(value: unknown, rules: ItemRules): CheckedItem {
  const item = readAsSent(value, rules);
  const at = item.fields['exam_datetime'];
  if (!rules.zone || typeof at !== 'string' || !isLocalTime(at) || !isIsoDateTime(at)) return item;
  const offset = rules.zone.offsetAt(parseInstant(at));
  return {
    ...item,
    fields: { ...item.fields, exam_datetime: `${at}${offset}` },
    zone: `${rules.zone.name} (${offset})`,
  };
}

function readAsSent(value: unknown, rules: ItemRules): CheckedItem {
  if (isFlawless(value) && (!rules.testMode || !hasForbiddenPatient(value))) {
    const { fields, instructions, wrong } = takeInstructions(value);
    const isAccepted = wrong.length === 0 && !isDeeperThan(fields['metadata'], maxMetadataDepth);
    if (isAccepted) return { fields, extra: undefined, instructions, errors: nothing };
  }
  const item = normaliseItem(value);
  if (item) {
    const { fields, instructions, wrong } = takeInstructions(item.fields);
    const errors = checkItem({ ...item, fields }, { instructions, wrong }, rules);
    return { ...withoutStatus(fields), extra: item.extra, instructions, errors };
  }
  const error: FieldError = { field: '', message: 'an item must be an object', code: 'INVALID_TYPE' };
  return { fields: {}, extra: undefined, instructions: noInstructions, errors: [error] };
}

/** Separates the status, which is not merged like other fields. Drops an issuer without a number. */
function withoutStatus(fields: NormalisedItem['fields']): Pick<CheckedItem, 'fields' | 'status'> {
  const { status, accession_issuer: issuer, ...others } = fields;
  const isMeant = issuer !== undefined && fields['accession_number'] !== undefined;
  return {
    fields:
      status === undefined && issuer === undefined
        ? fields
        : { ...others, ...(isMeant && { accession_issuer: issuer }) },
    ...(status !== undefined && { status: status as WorklistStatus }),
  };
}

export const withNote = (sent: CheckedItem, note: string): CheckedItem => ({
  ...sent,
  notes: [...(sent.notes ?? []), note],
});

/** Returns at most one error per field, in the contract's order of fields. */
function checkItem(
  item: NormalisedItem,
  { instructions, wrong }: { readonly instructions: Instructions; readonly wrong: readonly string[] },
  rules: ItemRules,
): readonly FieldError[] {
  const problems: FieldError[] = [];
  const report: Report = (field, message, code) => void problems.push({ field, message, code });
  checkCoreFields(item, report);
  // An order may be matched by its own numbers, which needs the store.
  const sent = { ...item, instructions };
  if (!isIdentified(item) && !findChangedOrders(sent) && findPlacerNumber(sent) === undefined)
    reportMissingIdentifier(item, report);
  problems.push(...rules.validate(item.fields));
  checkExtras(item, report);
  for (const name of wrong) report('metadata', `metadata.${name} must be true or false`, 'INVALID_TYPE');
  if (rules.testMode && hasForbiddenPatient(item.fields)) {
    const message = 'test clients may only send test patients, for example Test Patient or TESTE^PACIENTE';
    report('patient_name', message, 'TEST_DATA_REQUIRED');
  }
  return problems.length === 0 ? problems : inOrder(problems);
}

/** Returns an error for each core field that a new item lacks. */
export function missingCoreFields({ fields, extra }: NormalisedItem): readonly FieldError[] {
  if (coreFieldNames.every((name) => name in fields)) return nothing;
  return coreFieldNames
    .filter((name) => !(name in fields))
    .map((field) => ({
      field,
      message: `${field} is required for a new item${suggestMistyped([field], extra)}`,
      code: 'FIELD_REQUIRED',
    }));
}

/** An item with more unknown fields has none of them by a slip, and a batch of such items must not take long. */
const maxCompared = 20;

/** `; patientid is not a field`: an item may have any other field, so that a mistyped one is no error by itself. */
function suggestMistyped(missing: readonly string[], extra: NormalisedItem['extra'] = {}): string {
  const others = Object.keys(extra);
  if (others.length > maxCompared) return '';
  const typed = missing
    .map((field) =>
      nearestWord(
        field,
        others.filter(({ length }) => length < 2 * field.length),
      ),
    )
    .find((name) => name !== undefined);
  return typed === undefined ? '' : `; ${typed} is not a field`;
}

function hasForbiddenPatient({ patient_name: name }: NormalisedItem['fields']): boolean {
  return typeof name === 'string' && name !== '' && !isTestPatientName(name);
}

/** Keeps the first error of each field, in the contract's order. */
export function inOrder(problems: readonly FieldError[]): FieldError[] {
  const first = new Map<string, FieldError>();
  for (const error of problems) if (!first.has(error.field)) first.set(error.field, error);
  const at = (error: FieldError): number => place.get(error.field) ?? place.size;
  return [...first.values()].toSorted((a, b) => at(a) - at(b));
}

type Report = (field: string, message: string, code: FieldError['code']) => void;

function checkCoreFields({ fields }: NormalisedItem, report: Report): void {
  for (const name of coreFieldNames) {
    const value = fields[name];
    if (value === '' || value === null) report(name, `${name} is required and cannot be empty`, 'FIELD_REQUIRED');
  }
}

export const isIdentified = ({ fields }: NormalisedItem): boolean => identifierNames.some((name) => name in fields);

function reportMissingIdentifier({ extra }: NormalisedItem, report: Report): void {
  const message = `${identifierNames.join(' or ')} is required${suggestMistyped([...identifierNames, 'items'], extra)}`;
  report(identifierNames[0], message, 'FIELD_REQUIRED');
}

function checkExtras({ fields, extra }: NormalisedItem, report: Report): void {
  // Fields of metadata.extra are two levels deep.
  if (isDeeperThan(fields['metadata'], maxMetadataDepth) || isDeeperThan(extra, maxMetadataDepth - 1)) {
    report('metadata', `metadata must not be nested deeper than ${maxMetadataDepth} levels`, 'INVALID_VALUE');
  }
  if (!isFreeFit(extra)) {
    report('metadata', 'the fields that become metadata.extra must not contain control characters', 'INVALID_FORMAT');
  }
  if (measureWeight(extra, maxMetadataWeight) > maxMetadataWeight) {
    report('metadata', 'the fields that become metadata.extra are too large', 'TOO_LONG');
  }
}
