/** What can be wrong with an item, whatever is stored already. Messages never repeat a value. */
import type { FieldError } from '../../src/contract/errors.ts';
import { coreFieldNames } from '../../src/contract/worklist.ts';
import {
  hasControlCharacters,
  hasInvisibleCharacters,
  identifierNames,
  isDeeperThan,
  itemFieldNames,
} from '../../src/domain/normalise.ts';
import type { NormalisedItem } from '../../src/domain/normalise.ts';
import { isTestPatientName } from '../../src/domain/test-data.ts';

/** Checks an item against `WorklistItemInput`; `field` of what it finds is relative to the item. */
export type ItemValidator = (item: unknown) => FieldError[];

/** Levels of objects and arrays that metadata may have. */
const maxMetadataDepth = 32;

const identifiers = new Set<string>(identifierNames);
const place = new Map(itemFieldNames.map((name, at) => [name, at]));

/** At most one error a field, in the order in which the contract tells of the fields. */
export function checkItem(item: NormalisedItem, rules: { validate: ItemValidator; testMode: boolean }): FieldError[] {
  const found = [
    ...emptyCoreFields(item),
    ...missingIdentifiers(item),
    ...rules.validate(item.fields),
    ...unfitTexts(item),
    ...tooDeep(item),
  ];
  const { patient_name: name } = item.fields;
  if (rules.testMode && typeof name === 'string' && name !== '' && !isTestPatientName(name)) {
    found.push({
      field: 'patient_name',
      message: 'test clients may only send test patients, for example Test Patient or TESTE^PACIENTE',
      code: 'TEST_DATA_REQUIRED',
    });
  }
  return found.length === 0 ? found : inOrder(found);
}

/** The core fields that an item lacks which would be new. */
export const missingCoreFields = ({ fields }: NormalisedItem): FieldError[] =>
  coreFieldNames
    .filter((name) => !(name in fields))
    .map((field) => ({ field, message: `${field} is required for a new item`, code: 'FIELD_REQUIRED' }));

/** The first error of each field, in the contract's order. */
export function inOrder(found: readonly FieldError[]): FieldError[] {
  const first = new Map<string, FieldError>();
  for (const error of found) if (!first.has(error.field)) first.set(error.field, error);
  const at = (error: FieldError): number => place.get(error.field) ?? place.size;
  return [...first.values()].toSorted((a, b) => at(a) - at(b));
}

const emptyCoreFields = ({ fields }: NormalisedItem): FieldError[] =>
  coreFieldNames
    .filter((name) => fields[name] === '' || fields[name] === null)
    .map((field) => ({ field, message: `${field} is required and cannot be empty`, code: 'FIELD_REQUIRED' }));

function missingIdentifiers({ fields }: NormalisedItem): FieldError[] {
  if (identifierNames.some((name) => name in fields)) return [];
  const [field] = identifierNames;
  return [{ field, message: `${identifierNames.join(' or ')} is required`, code: 'FIELD_REQUIRED' }];
}

function unfitTexts({ fields }: NormalisedItem): FieldError[] {
  const found: FieldError[] = [];
  for (const field of Object.keys(fields)) {
    const value = fields[field];
    if (typeof value !== 'string') continue;
    if (hasControlCharacters(value) || (identifiers.has(field) && hasInvisibleCharacters(value))) {
      found.push({ field, message: `${field} must not contain control characters`, code: 'INVALID_FORMAT' });
    }
  }
  return found;
}

function tooDeep({ fields, extra }: NormalisedItem): FieldError[] {
  // Fields that become metadata.extra lie two levels down.
  const isTooDeep = isDeeperThan(fields['metadata'], maxMetadataDepth) || isDeeperThan(extra, maxMetadataDepth - 1);
  const message = `metadata must not be nested deeper than ${maxMetadataDepth} levels`;
  return isTooDeep ? [{ field: 'metadata', message, code: 'INVALID_VALUE' }] : [];
}
