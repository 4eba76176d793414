/**
 * Most items arrive in the form in which the service stores them, and break no rule. A quick check finds these items and
 * saves them the full one. The check reads its rules from the contract, so that there is one table of rules.
 */
import type { JsonSchema } from '../contract/schema.ts';
import { WorklistItemInput } from '../contract/worklist.ts';
import { isFreeFit } from './characters.ts';
import { isIsoDate, normaliseIsoDateTime } from './iso-time.ts';
import { identifierNames, isPlainObject } from './normalise.ts';
import { measureWeight } from './weight.ts';

/** Whether a value certainly meets its schema. `false` means only that the value needs the full check. */
type Glance = (value: unknown) => boolean;

/** Whether a UTF-16 unit is a space, or a visible character that is composed (NFC) in any text. */
const tidyUnits = Uint8Array.from({ length: 0x300 }, (_, unit) =>
  Number(/[ -~\u00a1-\u00ac\u00ae-\u02ff]/.test(String.fromCharCode(unit))),
);

/** Whether a text is trimmed, composed, and without invisible characters. */
function isTidy(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (tidyUnits[text.charCodeAt(i)] !== 1) return false;
  return text !== '' && !text.startsWith(' ') && !text.endsWith(' ');
}

/** Formats of the contract as the service stores them; a text in one of them is tidy. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isIsoDate,
  'iso-datetime': (text) => normaliseIsoDateTime(text) === text,
};

const texts = new Set(['type', 'enum', 'format', 'pattern', 'minLength', 'maxLength']);
const integers = new Set(['type', 'minimum', 'maximum']);
const freeForms = new Set(['type', 'additionalProperties', 'x-max-weight']);
/** Tidy texts hold no character that any kind of text refuses. */
const annotations = new Set(['description', 'examples', 'x-text', 'x-error-code', 'x-error-message']);

const never: Glance = () => false;

/** A schema of another kind, or with a keyword that this check does not know, sends its values to the full check. */
function createGlance(schema: JsonSchema): Glance {
  const [type, second] = [schema.type ?? []].flat();
  const mayBeNull = second === 'null';
  const asked = Object.keys(schema).filter((keyword) => !annotations.has(keyword));
  const isOneOf = (keywords: ReadonlySet<string>): boolean => asked.every((keyword) => keywords.has(keyword));
  const fits = type === 'string' && isOneOf(texts) ? textGlance(schema) : undefined;
  const counts = type === 'integer' && isOneOf(integers) ? integerGlance(schema) : undefined;
  const isFree = type === 'object' && schema['x-text'] === 'free' && isOneOf(freeForms);
  if (fits) return (value) => (typeof value === 'string' ? fits(value) : mayBeNull && value === null);
  if (counts) return (value) => (typeof value === 'number' ? counts(value) : mayBeNull && value === null);
  if (isFree) return (value) => (isPlainObject(value) ? isFitForm(schema, value) : mayBeNull && value === null);
  return never;
}

function textGlance(schema: JsonSchema): ((text: string) => boolean) | undefined {
  if (schema.enum) {
    const words = new Set(schema.enum.filter((word) => typeof word === 'string' && isTidy(word)));
    return (text) => words.has(text);
  }
  const { minLength = 0, maxLength = Infinity, format } = schema;
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  const isFormed = format === undefined ? isTidy : formats[format];
  return (
    isFormed &&
    ((text) =>
      text.length >= minLength &&
      text.length <= maxLength &&
      isFormed(text) &&
      (pattern === undefined || pattern.test(text)))
  );
}

const integerGlance =
  ({ minimum = -Infinity, maximum = Infinity }: JsonSchema) =>
  (value: number): boolean =>
    Number.isInteger(value) && value >= minimum && value <= maximum;

/** Free-form data is stored as it is sent. */
const isFitForm = ({ 'x-max-weight': max = Infinity }: JsonSchema, value: object): boolean =>
  measureWeight(value, max) <= max && isFreeFit(value);

/** Fields that are validated together with others. */
const notAlone = new Set(['accession_issuer', 'status']);

const glances = new Map(
  Object.entries(WorklistItemInput.properties ?? {}).map(([name, schema]) => [
    name,
    notAlone.has(name) ? never : createGlance(schema),
  ]),
);

/** The fields of the previous item: a system sends the same ones in the same order in each. */
const previousFields: { readonly name: string; readonly glance: Glance }[] = [];

function glanceAt(at: number, name: string): Glance {
  const glance = glances.get(name) ?? never;
  if (at < glances.size) previousFields[at] = { name, glance };
  return glance;
}

/**
 * Whether normalisation would leave this item as it is, and neither the contract nor a rule about its texts would refuse
 * it. `false` means only that the item needs the full check.
 */
export function isFlawless(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) return false;
  // A field that is not in the contract only sends the item to the full check.
  let at = 0;
  for (const name in value) {
    const previous = previousFields[at];
    const isFit = previous?.name === name ? previous.glance : glanceAt(at, name);
    if (!isFit(value[name])) return false;
    at++;
  }
  return identifierNames.some((name) => typeof value[name] === 'string');
}
