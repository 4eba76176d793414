/** Document templates: the sections that a document of a kind has (extension; the specification knows only their ids). */
import { endpoint, group } from './endpoint.ts';
import { array, boolean, named, object, string } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { languageField } from './shared.ts';

export const TemplateId = string({
  minLength: 1,
  maxLength: 64,
  description:
    'Id of a document template; `GET /api/v1/templates` lists them. Test clients use `test_template_general`, `test_template_cardiology` and `test_template_dermatology`.',
  examples: ['test_template_general'],
});

export const TemplateSection = object(
  {
    key: string({ description: 'Key of the section, the same in every language.', examples: ['findings'] }),
    title: string({ description: 'Title of the section in the document.', examples: ['Findings'] }),
  },
  { required: boolean({ description: '`true` where the section needs a text before the document is signed.' }) },
);

export const Template = named(
  'Template',
  object({
    id: TemplateId,
    name: string({ description: 'Name for people, in the language of the request.', examples: ['General report'] }),
    specialty: string({ description: 'Medical specialty that the template is for.', examples: ['general'] }),
    language: languageField('Language of the names and titles:'),
    sections: array(TemplateSection, { description: 'The sections of a document, in their order.' }),
  }),
  'A template says which sections a document has.',
);
export type Template = TypeOf<typeof Template>;

const languageQuery = object(
  {},
  { language: languageField('Language of the names and titles:', { default: 'en-US' }) },
);

export const templates = group({
  title: 'Templates',
  description: 'A template says which sections a document has.',
  endpoints: {
    list: endpoint({
      method: 'GET',
      path: '/api/v1/templates',
      summary: 'List templates',
      description:
        'The first template is the general one, which a generation uses if it names no template and none fits the exam. Test clients see the three test templates only.',
      access: 'bearer',
      scope: 'medical_records:read',
      query: languageQuery,
      answer: 'envelope',
      responses: {
        200: named(
          'TemplateList',
          object({ items: array(Template, { description: 'The templates.' }) }),
          'All templates that the caller may use.',
        ),
      },
      extension: true,
    }),
    get: endpoint({
      method: 'GET',
      path: '/api/v1/templates/{id}',
      summary: 'Get one template',
      description: 'The template with its sections.',
      access: 'bearer',
      scope: 'medical_records:read',
      params: object({ id: TemplateId }),
      query: languageQuery,
      answer: 'envelope',
      responses: { 200: Template },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
  },
});
