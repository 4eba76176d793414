/** Reference data of the service: templates, letterheads and jobs. */
import { Job } from '../../src/contract/job.ts';
import { Letterhead } from '../../src/contract/letterhead.ts';
import { Viewer } from '../../src/contract/viewer.ts';
import { array, dictionary, integer, nullable, object, oneOf, only, string } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { Id, languages } from '../../src/contract/shared.ts';
import { Template, TemplateDefinition, TemplatePreview, TemplatePreviewRequest } from '../../src/contract/template.ts';
import { noteKinds } from '../../src/reporting/templates/notes.ts';
import { call } from './call.ts';
import { nothing } from './shapes.ts';

/** A parsed template file. */
export const ReadTemplate = object({
  definition: TemplateDefinition,
  /** The parts of the file that the template can't represent. */
  notes: array(
    object({
      line: nullable(integer({ minimum: 1 })),
      kind: oneOf(noteKinds),
      values: dictionary(string()),
      message: string(),
    }),
  ),
  /** Version of the existing template with this id; `null`: none. */
  replaces: nullable(integer({ minimum: 1 })),
});
export type ReadTemplate = TypeOf<typeof ReadTemplate>;

/** A section of the template; `text`: its default text. */
const BasisSection = object({ key: string(), title: string(), text: nullable(string()) });
/** The available autotexts, in the order of the lookup. */
const BasisMacro = object({
  name: string(),
  owner: oneOf(['person', 'space', 'template']),
  text: string(),
  section: nullable(string()),
});

export const referenceCalls = {
  'templates.list': call({
    summary: 'The templates of a language',
    input: object({ language: oneOf(languages) }),
    output: object({ items: array(Template) }),
  }),
  'report.basis': call({
    summary: 'What the report of an exam will be written by, as far as the app knows: its sections and autotexts',
    input: object({
      item_id: Id,
      language: oneOf(languages),
      /** `null`: the exam decides. */
      template_id: nullable(string({ maxLength: 64 })),
    }),
    output: object({ sections: array(BasisSection), macros: array(BasisMacro) }),
  }),
  'viewers.list': call({
    summary: 'The viewers of images, as the service said last',
    input: nothing,
    output: object({ items: array(Viewer) }),
  }),
  'letterheads.list': call({
    summary: 'What stands above reports on paper, as the service said last',
    input: nothing,
    output: object({ items: array(Letterhead) }),
  }),
  'templates.own': call({
    summary: 'The own templates of the department, in every language',
    input: nothing,
    output: object({ items: array(Template) }),
  }),
  'templates.read': call({
    summary: 'Say what a template file holds',
    input: object({ language: nullable(oneOf(languages)) }),
    output: ReadTemplate,
    bytes: true,
  }),
  'templates.add': call({
    summary: 'Add a template, or replace the version that was seen',
    input: only(ReadTemplate, 'definition', 'replaces'),
    output: Template,
  }),
  'templates.preview': call({
    summary: 'Write a report by a template that need not be stored; nothing is stored',
    input: TemplatePreviewRequest,
    output: TemplatePreview,
  }),
  'templates.remove': call({
    summary: 'Remove a template',
    input: object({ id: string({ minLength: 1, maxLength: 64 }) }),
    output: nothing,
  }),
  'jobs.list': call({
    summary: 'The jobs of the service, newest first',
    input: nothing,
    output: object({ items: array(Job) }),
  }),
} as const;
