/**
 * Report templates: those that come with Laudio, and custom ones of a space (extension; the specification knows only
 * the ids of templates).
 */
import { endpoint, group } from './endpoint.ts';
import { array, boolean, identifier, integer, line, meanings, named, object, oneOf, prose, string } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { coreFields } from './exam.ts';
import { modalityCodes, modalityMessage } from './modalities.ts';
import { buildDeleted, languageField, sectionKey } from './shared.ts';

export const TemplateId = string({
  minLength: 1,
  maxLength: 64,
  description:
    'Id of a document template; `GET /api/v1/templates` lists them. Test clients use `test_template_general`, `test_template_cardiology` and `test_template_dermatology`.',
  examples: ['test_template_general'],
});

/** The form of a custom template's id. */
export const ownTemplateId: Parameters<typeof string>[0] & { readonly pattern: string } = {
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$',
};

/** The largest number of custom templates of a space. */
export const maxOwnTemplates = 200;
/** Weight (src/domain/weight.ts) of one custom template. */
const maxTemplateWeight = 256_000;

/** Coding systems of sections, by their names in HL7 table 0396. */
export const codingSystems = ['LN', 'DCM', 'RADLEX', 'SCT'] as const;

export const SectionCode = object(
  {
    system: oneOf(codingSystems, {
      description: meanings('Coding system (HL7 table 0396).', {
        LN: 'LOINC',
        DCM: 'DICOM',
        RADLEX: 'RadLex',
        SCT: 'SNOMED CT',
      }),
    }),
    code: string({
      minLength: 1,
      maxLength: 32,
      pattern: '^[A-Za-z0-9._-]+$',
      description: 'The code.',
      examples: ['59776-5'],
    }),
  },
  {},
  { description: 'What the section is in a coding system: HL7 messages name it so.' },
);
export type SectionCode = TypeOf<typeof SectionCode>;

const fields =
  'May hold fields to fill in: `[side: right|left]` offers choices, `[__ mm]` is a blank. A field that is still open is a warning.';

export const TemplateSection = object(
  {
    key: sectionKey('Key of the section, the same in every language.'),
    title: line({
      minLength: 1,
      maxLength: 200,
      description: 'Title of the section in the document.',
      examples: ['Findings'],
    }),
  },
  {
    required: boolean({ description: '`true` where the section needs a text before the document is signed.' }),
    names: array(line({ minLength: 1, maxLength: 100 }), {
      maxItems: 20,
      description: 'Further names by which a dictation may call the section.',
      examples: [['lungs and airways']],
    }),
    text: prose({
      minLength: 1,
      maxLength: 20_000,
      description: `Text of the section where nobody dictates one. The document shows it as unsaid until somebody confirms or edits it. It must not state what was seen: such a text belongs into a macro. \`{indication}\` (of the order), \`{procedure}\`, \`{modality}\` (of the exam) and \`{comparison}\` (the newest prior of the region, with its date) are filled in; a text whose fields all lack a value is left out. ${fields}`,
      examples: ['Axial images without contrast, [__ mm] slices.'],
    }),
    code: SectionCode,
  },
);

export const TemplateMacro = object(
  {
    name: line({
      minLength: 1,
      maxLength: 100,
      description: 'What somebody says to have the text, as a sentence of its own.',
      examples: ['normal chest CT'],
    }),
    section: sectionKey('Key of the section where the text goes.'),
    text: prose({
      minLength: 1,
      maxLength: 20_000,
      description: `The text. ${fields}`,
      examples: ['The lungs are clear. There is no pleural effusion.'],
    }),
  },
  {
    normal: boolean({
      description:
        'Whether “insert normals” brings the text as well, if nothing was dictated in its section. Default: where its name has the word “normal”.',
    }),
  },
);

const procedureCode = identifier({ minLength: 1, maxLength: 64, description: 'A procedure code.' });

/** The parts of the body by which a template may be chosen. Each language has words for them. */
export const bodyRegions = [
  'chest',
  'abdomen',
  'pelvis',
  'head',
  'cervical',
  'lumbar',
  'dorsal',
  'knee',
  'shoulder',
  'hip',
  'wrist',
  'ankle',
  'elbow',
  'foot',
  'hand',
  'breast',
  'thyroid',
  'prostate',
  'thigh',
  'testis',
  'leg',
  'forearm',
  'neck',
  'carotid',
  'heart',
] as const;
export type BodyRegion = (typeof bodyRegions)[number];

export const TemplateExams = object(
  {},
  {
    modalities: array(
      string({
        enum: modalityCodes,
        description: 'A defined term of DICOM (0008,0060).',
        'x-error-code': 'INVALID_MODALITY',
        'x-error-message': modalityMessage,
      }),
      { maxItems: 20, description: 'DICOM modalities.', examples: [['CT']] },
    ),
    regions: array(string({ enum: bodyRegions, description: 'A part of the body.' }), {
      maxItems: 30,
      description: 'Parts of the body.',
      examples: [['chest']],
    }),
    words: array(line({ minLength: 1, maxLength: 100 }), {
      maxItems: 50,
      description:
        'Phrases, one of which stands in the description of the exam: all words of the phrase, in any order, without regard to case and accents. A `*` at the end of a word stands for any ending.',
      examples: [['embol*', 'angio* chest']],
    }),
    codes: array(procedureCode, {
      maxItems: 200,
      description:
        'Procedure codes of orders: `procedure_id` of the exam, or `procedure_code` or `procedure_alternate_code` in its metadata or in that of an open order, without regard to case. A code says more than words and regions.',
      examples: [['CTCHEST', '71250']],
    }),
  },
  {
    description:
      'Exams that the template is chosen for, where a request names no template: those of the modality that show one of the regions, have one of the phrases or one of the codes; with none of the three, all of the modality. Without `exams` nobody gets the template but by its id.',
  },
);
export type TemplateExams = TypeOf<typeof TemplateExams>;

const id = string({
  ...ownTemplateId,
  description: 'Id of the template, unlike that of any other. Default: made from the name.',
  examples: ['our_chest_ct'],
});
const specialty = line({
  maxLength: 100,
  description: 'Medical specialty that the template is for. Default: empty.',
  examples: ['Radiology'],
});
const title = line({
  minLength: 1,
  maxLength: 200,
  description: 'Title of a document whose exam is not known. Default: the name.',
  examples: ['CT of the chest'],
});
const macros = array(TemplateMacro, {
  maxItems: 200,
  description: 'Texts that stand in a document only where somebody names them.',
});
const origin = oneOf(['shipped', 'own'], {
  description: meanings('Where the template is from.', {
    shipped: 'it comes with Laudio, and nobody can change it',
    own: 'it belongs to the space',
  }),
});
const version = integer({
  minimum: 1,
  description:
    'Number of the version: 1 at first, one more after each change. A record keeps the version it was generated by.',
});

const name = line({
  minLength: 1,
  maxLength: 200,
  description: 'Name for people, in the language of the template.',
  examples: ['CT of the chest, our department'],
});
const language = languageField('Language of all texts of the template:');
const sections = array(TemplateSection, {
  minItems: 1,
  maxItems: 60,
  description: 'The sections of a document, in their order.',
});

export const TemplateDefinition = named(
  'TemplateDefinition',
  object(
    { name, language, sections },
    {
      id,
      specialty,
      title,
      macros,
      exams: TemplateExams,
      origin: {
        ...origin,
        description: `${origin.description} Ignored, so that a template can be sent back as it was read.`,
      },
      version: { ...version, description: 'Ignored: send `If-Match` to change only the version that you read.' },
    },
    { 'x-max-weight': maxTemplateWeight },
  ),
  'A template of the space’s own.',
);
export type TemplateDefinition = TypeOf<typeof TemplateDefinition>;

export const Template = named(
  'Template',
  object({
    id: TemplateId,
    version,
    origin,
    name,
    specialty: { ...specialty, description: 'Medical specialty that the template is for; may be empty.' },
    title: { ...title, description: 'Title of a document whose exam is not known.' },
    language,
    sections,
    macros,
    exams: TemplateExams,
  }),
  'A template says which sections a document has, and what stands in them before anybody speaks.',
);
export type Template = TypeOf<typeof Template>;

/** Characters of a text with which a template is tried. */
export const maxPreviewText = 20_000;

export const TemplatePreviewRequest = named(
  'TemplatePreviewRequest',
  object(
    {
      definition: TemplateDefinition,
      text: prose({
        maxLength: maxPreviewText,
        description:
          'The words as somebody would dictate them, in the language of the template. Empty: nothing is dictated.',
        examples: ['Findings: nodule of 6 mm in the right upper lobe. Impression: nodule.'],
      }),
    },
    {
      exam: object(
        {
          modality: coreFields.modality,
          exam_description: { ...coreFields.exam_description, minLength: 0 },
        },
        { procedure_code: procedureCode },
        { description: 'An exam to try it with: it fills in `{procedure}` and `{modality}`, and decides `fits`.' },
      ),
    },
  ),
  'A template to try, as it would be stored, and words to try it with.',
);

export const TemplatePreview = named(
  'TemplatePreview',
  object(
    {
      sections: array(
        object({
          key: sectionKey('Key of the section.'),
          title: line({ minLength: 1, maxLength: 200, description: 'Title of the section.', examples: ['Findings'] }),
          text: prose({
            description: 'Text of the section; empty if there is none.',
            examples: ['The lungs are clear.'],
          }),
        }),
        { description: 'The sections that the report would have, in their order.' },
      ),
    },
    {
      fits: boolean({
        description:
          'Whether the template is for such an exam. `preferred` may still be chosen. Absent if the request has no exam.',
      }),
      preferred: object(
        { id: TemplateId, name },
        {},
        {
          description:
            'The template of the space that such an exam gets although this one is for it: it fits better, or as well and its name comes first. Absent if the exam gets this one.',
        },
      ),
    },
  ),
  'The report that the template makes of the words.',
);

const languageQuery = {
  language: languageField('Language of the templates that come with Laudio. An own template has one language:', {
    default: 'en-US',
  }),
};

export const templates = group({
  title: 'Templates',
  description:
    'A template says which sections a document has. Some come with Laudio; a space may add its own, which only its clients and users see.',
  endpoints: {
    list: endpoint({
      method: 'GET',
      path: '/api/v1/templates',
      summary: 'List templates',
      description:
        'The templates that come with Laudio, then those of the space. The first is the general one, which a generation uses if it names no template and none fits the exam. Of those that come with Laudio, test clients see the three test templates only.',
      access: 'bearer',
      scope: 'medical_records:read',
      query: object({}, languageQuery),
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
    create: endpoint({
      method: 'POST',
      path: '/api/v1/templates',
      summary: 'Add a template',
      description: `Adds a template to the space; at most ${maxOwnTemplates}. 409 where a template has that id already. Where an own template and one that comes with Laudio both fit an exam, the own one is chosen.`,
      access: 'bearer',
      scope: 'templates:write',
      body: TemplateDefinition,
      answer: 'envelope',
      responses: { 201: Template },
      headers: { 201: ['ETag'] },
      errors: ['IDENTIFIER_CONFLICT', 'PAYLOAD_TOO_LARGE'],
      idempotent: true,
      extension: true,
      examples: {
        body: {
          'sections with a default, a field and a macro': {
            id: 'our_chest_ct',
            name: 'CT of the chest, our department',
            language: 'en-US',
            sections: [
              { key: 'technique', title: 'Technique', text: 'Axial images [contrast: with|without] contrast.' },
              { key: 'findings', title: 'Findings', required: true },
              { key: 'impression', title: 'Impression', required: true },
            ],
            macros: [{ name: 'normal chest CT', section: 'findings', text: 'The lungs are clear.' }],
            exams: { modalities: ['CT'], regions: ['chest'] },
          },
        },
      },
    }),
    preview: endpoint({
      method: 'POST',
      path: '/api/v1/templates/preview',
      summary: 'Try a template',
      description:
        'The writer makes a report of words by a template that need not be stored, with the macros of the template alone. Nothing is stored, neither the template nor the report. The definition is checked as by `POST /api/v1/templates`.',
      access: 'bearer',
      scope: 'medical_records:write',
      body: TemplatePreviewRequest,
      answer: 'envelope',
      responses: { 200: TemplatePreview },
      errors: ['PAYLOAD_TOO_LARGE', 'SERVER_BUSY', 'ENGINE_UNAVAILABLE'],
      extension: true,
    }),
    get: endpoint({
      method: 'GET',
      path: '/api/v1/templates/{id}',
      summary: 'Get one template',
      description:
        'The template with its sections. With `version` also one that was changed or deleted since, while a record was generated by it.',
      access: 'bearer',
      scope: 'medical_records:read',
      params: object({ id: TemplateId }),
      query: object(
        {},
        { ...languageQuery, version: integer({ minimum: 1, description: 'The version. Default: the present one.' }) },
      ),
      answer: 'envelope',
      responses: { 200: Template },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    update: endpoint({
      method: 'PUT',
      path: '/api/v1/templates/{id}',
      summary: 'Replace a template',
      description:
        'Makes a new version of an own template. Records keep the version they were generated by, and are checked against it. 409 for a template that comes with Laudio.',
      access: 'bearer',
      scope: 'templates:write',
      params: object({ id: TemplateId }),
      body: TemplateDefinition,
      answer: 'envelope',
      responses: { 200: Template },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND', 'IDENTIFIER_CONFLICT', 'VERSION_CONFLICT', 'PAYLOAD_TOO_LARGE'],
      idempotent: true,
      versioned: true,
      extension: true,
    }),
    delete: endpoint({
      method: 'DELETE',
      path: '/api/v1/templates/{id}',
      summary: 'Delete a template',
      description:
        'Nobody can choose the own template any more. Records that were generated by it stay as they are. 409 for a template that comes with Laudio.',
      access: 'bearer',
      scope: 'templates:write',
      params: object({ id: TemplateId }),
      answer: 'envelope',
      responses: { 200: buildDeleted('TemplateDeleted', TemplateId) },
      errors: ['NOT_FOUND', 'IDENTIFIER_CONFLICT', 'VERSION_CONFLICT'],
      versioned: true,
      extension: true,
    }),
  },
});
