/** The fields of a fault as command-line options, and fault files. */
import { AppError } from '../../src/contract/errors.ts';
import { faultEffects } from '../../src/contract/fault-effects.ts';
import { faultFields, faultProfileNames, isFaultProfile } from '../../src/contract/fault.ts';
import type { FaultInput } from '../../src/contract/fault.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { nearestWord } from '../../src/domain/nearest-word.ts';
import { isPlainObject } from '../../src/domain/normalise.ts';
import { choice, flag, integer, list, text } from '../command.ts';
import type { Option } from '../command.ts';
import { readJson, readText } from '../shell/input-file.ts';
import type { Io } from '../shell/io.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';

type Field = keyof typeof faultFields;

/** Options with another name than their field: `--header` is repeated. */
const optionNames: Partial<Record<Field, string>> = { client_id: 'client', headers: 'header' };

/** `retry_after` → `retryAfter`. */
const optionName = (field: Field): string =>
  optionNames[field] ?? field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The description without markup and the final period. */
const summaryOf = ({ description = '' }: JsonSchema): string => description.replaceAll('`', '').replace(/\.$/, '');

function toOption(field: Field, schema: JsonSchema): Option {
  const form = Object.hasOwn(faultEffects, field) ? faultEffects[field as keyof typeof faultEffects].form : undefined;
  const placeholder = form ?? optionName(field).toUpperCase();
  if (schema.type === 'boolean') return flag(summaryOf(schema));
  if (schema.type === 'integer') return integer(summaryOf(schema), form === undefined ? {} : { placeholder });
  if (schema.type === 'object') return list(`${summaryOf(schema)}; repeatable`, { placeholder });
  if (schema.enum) return choice(schema.enum as readonly string[], summaryOf(schema));
  return text(summaryOf(schema), { placeholder });
}

export const faultOptions: Readonly<Record<string, Option>> = Object.fromEntries(
  Object.entries(faultFields).map(([field, schema]) => [optionName(field as Field), toOption(field as Field, schema)]),
);

/** The typed options in the server's format. */
export async function readFault(io: Io, input: Readonly<Record<string, unknown>>): Promise<Partial<FaultInput>> {
  const fields: [Field, unknown][] = [];
  for (const [field, schema] of Object.entries<JsonSchema>(faultFields) as [Field, JsonSchema][]) {
    const value = input[optionName(field)];
    if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) continue;
    fields.push([field, await readField(io, field, schema, value)]);
  }
  return Object.fromEntries(fields);
}

function readField(io: Io, field: Field, { type, pattern, ...schema }: JsonSchema, value: unknown): unknown {
  const words = Object.hasOwn(faultEffects, field)
    ? listWords(faultEffects[field as keyof typeof faultEffects].form)
    : [];
  if (pattern !== undefined && words.length > 0 && !new RegExp(pattern).test(String(value)))
    throw unknownWord(`--${schema['x-error-message'] ?? field}.`, String(value).replace(/:.*/s, ''), words);
  if (type === 'number') return parseNumber(field, String(value));
  if (type === 'object') return parseHeaders(value as readonly string[]);
  if (field === 'content' && String(value).startsWith('@')) return readText(io, String(value).slice(1), maxFileBytes);
  return value;
}

/** `down|timeout|STATUS` → `down`, `timeout`. */
const listWords = (form: string): readonly string[] => form.match(/(?<![[:\w])[a-z]+/g) ?? [];

/** `Name: value`, as in HTTP; `Name:` removes the header. */
const parseHeaders = (typed: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    typed.map((line) => {
      const at = line.indexOf(':');
      if (at > 0) return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      throw new AppError('USAGE', { message: '--header takes "NAME: VALUE"; "NAME:" removes a header.' });
    }),
  );

function parseNumber(field: string, typed: string): number {
  if (/^\d+(\.\d+)?$/.test(typed)) return Number(typed);
  throw new AppError('USAGE', { message: `--${field} takes a number such as 0.1.` });
}

/** Maximum size of a fault file, in bytes. */
const maxFileBytes = 1_000_000;

/** The faults of a file, or of the profile with that name. The server validates them. */
export async function faultsFrom(io: Io, source: string): Promise<readonly FaultInput[]> {
  const name = source.replace(/^profile:/, '');
  if (isFaultProfile(name)) return [{ profile: name }];
  if (name !== source) throw unknownWord(`Profiles are ${faultProfileNames.join(', ')}.`, name, faultProfileNames);
  const isMistyped = /^[a-z-]+$/i.test(source) && nearestWord(source, faultProfileNames) !== undefined;
  const content = await readJson(io, source, maxFileBytes).catch((error: unknown) => {
    throw isMistyped ? unknownWord(`${source} is neither a profile nor a file.`, source, faultProfileNames) : error;
  });
  const listed = isPlainObject(content) && 'faults' in content ? content['faults'] : content;
  if (Array.isArray(listed)) return listed as FaultInput[];
  throw new AppError('USAGE', {
    message: `${source} contains no list of faults.`,
    hint: 'Example: [{"path": "/api/v1/jobs", "every": 3, "status": 503}]; profiles are named without a path.',
  });
}
