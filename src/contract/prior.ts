/** Priors: earlier reports about a patient, from here or elsewhere (extension). */
import { endpoint, group } from './endpoint.ts';
import { maxTextLength, titleWords } from './document.ts';
import { withCommas } from './grouped.ts';
import { clearableFields, coreFields, identifiers } from './exam.ts';
import {
  anyOf,
  array,
  extended,
  identifier,
  integer,
  line,
  meanings,
  named,
  nullable,
  object,
  oneOf,
  prose,
  string,
  timestamp,
  without,
} from './schema.ts';
import type { Schema, TypeOf } from './schema.ts';
import { buildDeleted, exampleId, Id, ItemId, languages, page, paging, periodQuery, sectionKey } from './shared.ts';
import { IngestResult, maxBatchBytes, maxBatchItems } from './worklist.ts';

/** The largest number of characters of all sections of an imported prior. */
export const maxPriorLength = 200_000;

export const priorStatuses = ['preliminary', 'final', 'corrected', 'withdrawn'] as const;
const statusField = oneOf(priorStatuses, {
  description: meanings('How far the report is.', {
    preliminary: 'a physician still has to approve it',
    final: 'it is signed',
    corrected: 'it was changed after it was signed',
    withdrawn: 'it does not hold any more: no exam shows it',
  }),
});

export const PriorId: Schema<string> = {
  ...Id,
  description:
    'Id of the prior: `pri_…` of a report that was imported, `rec_…` of a medical record. The service assigns it.',
  examples: [exampleId('pri')],
};

const reportId = identifier({
  minLength: 1,
  maxLength: 128,
  description: 'Id of the report in the system that made it: the filler number of HL7, the identifier of FHIR.',
  examples: ['R-2024-0113'],
});
const author = line({ maxLength: 324, description: 'Who signed the report.', examples: ['Dra. Helena Prado'] });
const examDatetime = {
  ...coreFields.exam_datetime,
  description: 'When the exam took place: an ISO 8601 date-time. Priors are ordered by it.',
};
const reportedAt = string({
  format: 'iso-datetime',
  maxLength: 40,
  description:
    'When the report was given this state: an ISO 8601 date-time. An older state never replaces a newer one.',
  examples: ['2024-01-14T10:00:00-03:00'],
  'x-error-message': 'reported_at must be an ISO 8601 date-time, for example 2026-03-02T08:30:00-03:00',
});
const issuer = identifier({
  maxLength: 128,
  description:
    'Who gave the patient the id. Ids of two issuers, where both are known, are not compared: name and birth date decide.',
  examples: ['HSL'],
});
const title = line({ maxLength: 200, description: 'Title of the section.', examples: ['Impressão'] });
const textWords = {
  description: 'Plain text with line feeds.',
  examples: ['Nódulo de 4 mm no lobo superior direito.'],
};
const text = prose({ maxLength: maxPriorLength, ...textWords });

/** Facts about the report from other systems, in addition to its words. */
const optionalFacts = {
  report_id: nullable(reportId),
  accession_number: nullable(identifiers.accession_number),
  study_uid: nullable(identifiers.study_uid),
  patient_birth_date: clearableFields.patient_birth_date,
  patient_id_issuer: nullable(issuer),
  modality: nullable(coreFields.modality),
  reported_at: nullable(reportedAt),
  author: nullable(author),
  hospital_name: clearableFields.hospital_name,
  language: nullable(
    oneOf(languages, {
      description: 'Language of the report, where it is known: `pt-BR`, `en-US` or `es-ES` (BCP 47).',
      examples: ['pt-BR'],
    }),
  ),
};

export const PriorInput = named(
  'PriorInput',
  object(
    {
      patient_id: coreFields.patient_id,
      patient_name: coreFields.patient_name,
      exam_datetime: examDatetime,
      exam_description: coreFields.exam_description,
    },
    {
      ...optionalFacts,
      status: { ...statusField, description: `${statusField.description} Default: \`final\`.` },
      text: { ...text, description: `The whole report. ${textWords.description} Its headings make sections.` },
      sections: array(object({ text }, { title: nullable(title) }), {
        maxItems: 100,
        description: 'The report in sections, instead of `text`.',
      }),
    },
  ),
  'A report of another system. It needs `report_id` or `accession_number`, by which it is recognised again, and `text` or `sections`.',
);
export type PriorInput = TypeOf<typeof PriorInput>;

export const PriorSection = named(
  'PriorSection',
  object({
    key: nullable(sectionKey('What kind of section it is, where its title says so.')),
    title: nullable(string({ description: 'Title as the report has it. `null`: the words stand under no title.' })),
    text: string({ maxLength: maxTextLength, ...textWords }),
  }),
  'A part of a prior.',
);
export type PriorSection = TypeOf<typeof PriorSection>;

const facts = {
  id: PriorId,
  origin: oneOf(['laudio', 'imported'], {
    description: meanings('Where the report is from.', {
      laudio: 'it is a medical record of this service',
      imported: 'it was imported from another system',
    }),
  }),
  status: statusField,
  patient_id: coreFields.patient_id,
  patient_name: coreFields.patient_name,
  display_name: string({ description: 'Name of the patient as a person writes it.', examples: ['Paciente Teste'] }),
  exam_datetime: examDatetime,
  exam_description: string(titleWords),
  ...optionalFacts,
  source_system: nullable(
    string({
      description: 'The system that sent it: the `X-Source-System` header of the import.',
      examples: ['RIS-A'],
    }),
  ),
  worklist_item_id: nullable({ ...ItemId, description: 'Id of its worklist item, of a medical record.' }),
  version: integer({ minimum: 1, description: 'Number of the present version: each correction makes one.' }),
  created_at: timestamp('When the service got the report.'),
  updated_at: timestamp('When it last changed.'),
};

export const Prior = named(
  'Prior',
  object({ ...facts, sections: array(PriorSection, { description: 'The report, section by section.' }) }),
  'A report of a former exam.',
);
export type Prior = TypeOf<typeof Prior>;

export const patientFacts = ['patient_id', 'patient_name', 'patient_birth_date'] as const;

export const PriorSummary = named(
  'PriorSummary',
  extended(without(Prior, 'sections'), {
    differs: array(
      oneOf(patientFacts, {
        description: meanings('A fact of the patient.', {
          patient_id: 'the id of the patient',
          patient_name: 'the name of the patient',
          patient_birth_date: 'the birth date of the patient',
        }),
      }),
      {
        description:
          'What the prior says of the patient otherwise than the exam; it is the same patient by the rule of the worklist all the same.',
      },
    ),
  }),
  'A prior of an exam, without its words.',
);
export type PriorSummary = TypeOf<typeof PriorSummary>;

export const PriorVersion = named(
  'PriorVersion',
  object({
    version: integer({ minimum: 1, description: 'Number of the version.' }),
    status: statusField,
    until: timestamp('When another version took its place.'),
    who: string({ description: 'Who sent the version that took its place.', examples: ['RIS-A'] }),
    reported_at: nullable(reportedAt),
    author: nullable(author),
    sections: array(PriorSection, { description: 'The report as it was.' }),
  }),
  'A former version of a prior that was imported.',
);
export type PriorVersion = TypeOf<typeof PriorVersion>;

const byId = { params: object({ id: PriorId }) };
const examplePrior = {
  report_id: 'R-2024-0113',
  accession_number: 'SL-2024-000113',
  patient_id: '0045871',
  patient_name: 'TESTE^PACIENTE',
  patient_birth_date: '1971-06-14',
  modality: 'CT',
  exam_datetime: '2024-01-13T09:10:00-03:00',
  exam_description: 'TC de tórax',
  status: 'final',
  text: 'ACHADOS:\nNódulo de 4 mm no lobo superior direito.\n\nIMPRESSÃO:\nNódulo pulmonar de 4 mm.',
};

export const priors = group({
  title: 'Priors',
  description:
    'A prior is a report of a former exam of the patient: a signed or preliminary medical record of this service, or a report that was imported from another system. Whether two exams are of one patient is decided as for worklist items: by patient id, name and birth date.',
  endpoints: {
    ofItem: endpoint({
      method: 'GET',
      path: '/api/v1/worklists/items/{id}/priors',
      summary: 'List the priors of an item',
      description:
        'The reports of other exams of the patient, the latest exam first; never those of another patient, those withdrawn, and those of the exam itself.',
      access: 'bearer',
      scope: 'medical_records:read',
      params: object({ id: ItemId }),
      query: object({}, paging),
      answer: 'envelope',
      responses: { 200: page('PriorPage', PriorSummary, 'priors') },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    import: endpoint({
      method: 'POST',
      path: '/api/v1/priors/import',
      summary: 'Import priors',
      description: `Reports of another system, at most ${withCommas(maxBatchItems)} and 10 MiB. A report that is there already, by \`report_id\` (of the same \`X-Source-System\`) or else by accession number, is replaced where it changed, and its former version is kept; the same or an older state changes nothing. Bad ones are listed in \`data.errors\`, the others are taken.`,
      access: 'bearer',
      scope: 'priors:write',
      body: named(
        'PriorImport',
        anyOf([
          array(PriorInput, { minItems: 1, maxItems: maxBatchItems }),
          object({ items: array(PriorInput, { minItems: 1, maxItems: maxBatchItems, description: 'The reports.' }) }),
        ]),
        'An array of reports, or an object with one.',
      ),
      bodyLimit: maxBatchBytes,
      checksOwnInput: true,
      idempotent: true,
      answer: 'envelope',
      responses: { 200: IngestResult },
      errors: ['PAYLOAD_TOO_LARGE'],
      extension: true,
      examples: { body: { 'one report': { items: [examplePrior] } } },
    }),
    list: endpoint({
      method: 'GET',
      path: '/api/v1/priors',
      summary: 'List imported priors',
      description: 'The imported reports of the caller’s space, newest import first; those withdrawn too.',
      access: 'bearer',
      scope: 'medical_records:read',
      query: object(
        {},
        {
          ...paging,
          ...periodQuery('`exam_datetime`'),
          source_system: string({ maxLength: 128, description: 'Lists only reports that this system sent.' }),
        },
      ),
      answer: 'envelope',
      responses: {
        200: page(
          'ImportedPriorPage',
          named('ImportedPrior', without(Prior, 'sections'), 'An imported prior, without its words.'),
          'priors',
        ),
      },
      extension: true,
    }),
    get: endpoint({
      method: 'GET',
      path: '/api/v1/priors/{id}',
      summary: 'Get one prior',
      description: 'A prior with its words, whether imported or a medical record that is signed or preliminary.',
      access: 'bearer',
      scope: 'medical_records:read',
      ...byId,
      answer: 'envelope',
      responses: { 200: Prior },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    versions: endpoint({
      method: 'GET',
      path: '/api/v1/priors/{id}/versions',
      summary: 'List former versions of an imported prior',
      description: 'What stood there before each correction, newest first. Empty where nothing was corrected.',
      access: 'bearer',
      scope: 'medical_records:read',
      ...byId,
      query: object({}, paging),
      answer: 'envelope',
      responses: { 200: page('PriorVersionPage', PriorVersion, 'former versions') },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    delete: endpoint({
      method: 'DELETE',
      path: '/api/v1/priors/{id}',
      summary: 'Delete an imported prior',
      description: 'Deletes the report with its former versions for good. A medical record is deleted by its own call.',
      access: 'bearer',
      scope: 'priors:write',
      ...byId,
      answer: 'envelope',
      responses: { 200: buildDeleted('PriorDeleted', PriorId) },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
  },
});
