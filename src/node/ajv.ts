/** Ajv for the vocabulary of our schemas (src/contract/schema.ts): keywords and formats are set up here alone. */
import { createRequire } from 'node:module';
import type { Ajv2020, Options } from 'ajv/dist/2020.js';
import type addFormats from 'ajv-formats';
import { isFit, isFreeFit, mendText } from '../domain/characters.ts';
import type { TextKind } from '../contract/schema.ts';
import { isIsoDate, isIsoDateTime } from '../domain/iso-time.ts';
import { measureWeight } from '../domain/weight.ts';

const require = createRequire(import.meta.url);

/**
 * Loads Ajv, which takes a while: call this for the first value. `texts`: whether the characters of texts are mended in
 * place or refused by their kind (`x-text`), or all are accepted.
 */
export function createAjv(options: Options, texts: 'mended' | 'any'): Ajv2020 {
  const { Ajv2020: Ajv } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  // The schemas are our own; a test checks that they are valid (test/server/http/openapi.test.ts).
  // To shorten the code of a check takes as long as to write it, and makes no check faster.
  const ajv = new Ajv({ allowUnionTypes: true, validateSchema: false, code: { optimize: false }, ...options });
  ajv.addVocabulary(['x-error-code', 'x-error-message', 'x-commas', 'x-empty-is-absent']);
  ajv.addKeyword({
    keyword: 'x-max-weight',
    schemaType: 'number',
    validate: (max: number, value: unknown) => measureWeight(value, max) <= max,
  });
  if (texts === 'any') ajv.addVocabulary(['x-text']);
  else ajv.addKeyword({ keyword: 'x-text', schemaType: 'string', modifying: true, validate: checkText });
  (require('ajv-formats') as typeof addFormats).default(ajv, ['date', 'date-time', 'uri']);
  ajv.addFormat('iso-datetime', isIsoDateTime);
  ajv.addFormat('date-or-time', (value: string) => isIsoDate(value) || isIsoDateTime(value));
  return ajv;
}

/** Mends a text in place, as far as its kind allows. */
function checkText(
  kind: TextKind | 'free',
  value: unknown,
  _schema?: unknown,
  at?: { parentData: Record<string, unknown>; parentDataProperty: string | number },
): boolean {
  if (kind === 'free') return isFreeFit(value);
  if (typeof value !== 'string') return true;
  const text = mendText(kind, value);
  if (text !== value && at) at.parentData[at.parentDataProperty] = text;
  // Prose can always be mended, and may be long.
  return kind === 'prose' || isFit(kind, text);
}
