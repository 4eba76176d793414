/** A template as JSON: what `laudio template export` and `laudio template show --json` print. */
import { conforms } from '../../client/conforms.ts';
import { TemplateDefinition } from '../../contract/template.ts';
import { noTemplate } from './no-template.ts';
import type { TemplateFile, TemplateOptions } from './reading.ts';

/** VALIDATION_FAILED for what is not JSON, and for JSON that is no template; the service looks at the values. */
export function readJsonTemplate(text: string, { id, language, modality }: TemplateOptions): TemplateFile {
  const value = parsed(text);
  if (Array.isArray(value) || (isObject(value) && Array.isArray(value['items']))) {
    throw noTemplate('The file holds a list.', 'Add one template a file.');
  }
  const given = { ...(isObject(value) && value), ...(language !== undefined && { language }) };
  if (!conforms(TemplateDefinition, given)) throw noTemplate(problemOf(given));
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
    const place = /\(line \d+ column \d+\)|position \d+/.exec((error as Error).message)?.[0];
    throw noTemplate(`The file is not valid JSON${place === undefined ? '' : ` (${place.replace(/[()]/g, '')})`}.`);
  }
}

function problemOf(given: Record<string, unknown>): string {
  const missing = (TemplateDefinition.required ?? []).filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0) return `The JSON is no template: it lacks ${missing.join(', ')}.`;
  const wrong = Object.entries(TemplateDefinition.properties ?? {}).find(
    ([name, schema]) => Object.hasOwn(given, name) && !conforms(schema, given[name]),
  );
  return `The JSON is no template${wrong ? `: ${wrong[0]} does not have the form that it should have` : ''}.`;
}
