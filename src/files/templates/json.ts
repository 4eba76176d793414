/** A template as JSON: what `laudio template export` and `laudio template show --json` print. */
import type { Message } from '../../contract/messages/message.ts';
import { fileMessage } from '../../contract/messages/files.ts';
import { conforms } from '../../client/conforms.ts';
import { TemplateDefinition } from '../../contract/template.ts';
import type { JsonSchema } from '../../contract/schema.ts';
import { nearestWord } from '../../domain/nearest-word.ts';
import { noTemplate } from './reading.ts';
import type { TemplateFile, TemplateOptions } from './reading.ts';

/** VALIDATION_FAILED for what is not JSON, and for JSON that is no template; the service looks at the values. */
export function readJsonTemplate(text: string, { id, language, modality }: TemplateOptions): TemplateFile {
  const value = parsed(text);
  if (Array.isArray(value) || (isObject(value) && Array.isArray(value['items']))) {
    throw noTemplate(fileMessage('template_list'), fileMessage('template_one'));
  }
  const given = { ...(isObject(value) && value), ...(language !== undefined && { language }) };
  const mistyped = findMistyped(given, TemplateDefinition);
  if (mistyped) throw noTemplate(fileMessage('template_mistyped', mistyped));
  if (!conforms(TemplateDefinition, given)) throw noTemplate(describeProblem(given));
  const { origin: _origin, version: _version, ...definition } = given as TemplateDefinition;
  return {
    format: 'json',
    definition: {
      ...definition,
      ...(id !== undefined && { id }),
      ...(modality !== undefined && { exams: { ...definition.exams, modalities: [modality] } }),
    },
    notes: [],
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw noTemplate(placeOfFault((error as Error).message));
  }
}

/** The engine names a line and a column, or only a position. */
function placeOfFault(sentence: string): Message {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(sentence) ?? [];
  if (line !== undefined && column !== undefined) return fileMessage('template_not_json_line', { line, column });
  const [, at] = /position (\d+)/.exec(sentence) ?? [];
  return at === undefined ? fileMessage('template_not_json') : fileMessage('template_not_json_at', { at });
}

/** A key at any depth that the schema lacks, and that resembles one of its keys. Others may be of a newer version. */
function findMistyped(value: unknown, schema: JsonSchema, path = ''): { typed: string; name: string } | undefined {
  if (Array.isArray(value)) {
    const inner = value.map((each, at) => findMistyped(each, schema.items ?? {}, `${path}${at}.`));
    return inner.find((found) => found !== undefined);
  }
  const { properties } = schema;
  if (!isObject(value) || !properties) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const known = properties[key];
    const name = known ? undefined : nearestWord(key, Object.keys(properties));
    if (name !== undefined) return { typed: `${path}${key}`, name };
    const found = known && findMistyped(each, known, `${path}${key}.`);
    if (found) return found;
  }
  return undefined;
}

function describeProblem(given: Record<string, unknown>): Message {
  const missing = (TemplateDefinition.required ?? []).filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0) return fileMessage('template_lacks', { names: missing.join(', ') });
  const wrong = Object.entries(TemplateDefinition.properties ?? {}).find(
    ([name, schema]) => Object.hasOwn(given, name) && !conforms(schema, given[name]),
  );
  return wrong ? fileMessage('template_wrong', { name: wrong[0] }) : fileMessage('template_none');
}
