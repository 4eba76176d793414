/** Document templates: the sections that a document of a kind has (extension; the specification knows only their ids). */
import { endpoint, group } from './endpoint.ts';
import { array, named, object, oneOf, string } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { languages } from './shared.ts';

export const Template = named(
  'Template',
  object({
    id: string({ maxLength: 64, examples: ['test_template_general'] }),
    name: string(),
    specialty: string(),
    language: oneOf(languages),
    sections: array(object({ key: string(), title: string() })),
  }),
);
export type Template = TypeOf<typeof Template>;

const languageQuery = object(
  {},
  { language: oneOf(languages, { default: 'en-US', description: 'Language of names and titles.' }) },
);

export const templates = group({
  title: 'Templates',
  description: 'Which sections a document has.',
  endpoints: {
    list: endpoint({
      method: 'GET',
      path: '/api/v1/templates',
      summary: 'List templates',
      access: 'bearer',
      scope: 'medical_records:read',
      query: languageQuery,
      answer: 'envelope',
      responses: { 200: named('TemplateList', object({ items: array(Template) })) },
      extension: true,
    }),
    get: endpoint({
      method: 'GET',
      path: '/api/v1/templates/{id}',
      summary: 'Get one template',
      access: 'bearer',
      scope: 'medical_records:read',
      params: object({ id: string({ maxLength: 64 }) }),
      query: languageQuery,
      answer: 'envelope',
      responses: { 200: Template },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
  },
});
