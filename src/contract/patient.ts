/** One patient's data, for the operator who answers a request by data protection law (extension). */
import { endpoint, group } from './endpoint.ts';
import {
  array,
  boolean,
  bytes,
  freeForm,
  integer,
  line,
  literal,
  named,
  nullable,
  object,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';
import { space } from './admin.ts';
import { coreFields, identifiers } from './exam.ts';
import { exampleId } from './shared.ts';

/** A tar archive of files for people and for programs. */
export const patientExportType = 'application/x-tar';

const DocumentId = string({
  minLength: 1,
  maxLength: 128,
  description:
    'Id of an exam, a report, or a report of a former exam of the patient: addresses hold no patient data. `POST /api/v1/admin/patients/find` gives one.',
  examples: [exampleId('wli')],
});
const inSpace = { ...space, description: 'The space that the patient belongs to.' };

export const PatientQuery = named(
  'PatientQuery',
  object(
    {},
    {
      patient_id: { ...coreFields.patient_id, description: 'The whole id of the patient.' },
      patient_name: line({ minLength: 1, maxLength: 200, description: 'Words of the name, by their beginnings.' }),
      accession_number: { ...identifiers.accession_number, description: 'The whole accession number of an exam.' },
      space: { ...space, description: 'Only patients of that space. Default: of all spaces.' },
    },
  ),
  'Whom to look for. Every field that is given has to fit; at least one besides the space is needed.',
);
export type PatientQuery = TypeOf<typeof PatientQuery>;

export const PatientSummary = named(
  'PatientSummary',
  object({
    id: DocumentId,
    space: inSpace,
    patient_id: coreFields.patient_id,
    patient_name: string({ description: 'Name as the first document has it.' }),
    patient_birth_date: nullable(string({ description: 'Date of birth. `null`: not known.' })),
    exams: integer({ minimum: 0, description: 'Number of exams, those in the trash included.' }),
    priors: integer({ minimum: 0, description: 'Number of imported reports of former exams.' }),
    restricted: boolean({ description: 'Whether the data is restricted.' }),
  }),
  'A patient whose data the server has.',
);
export type PatientSummary = TypeOf<typeof PatientSummary>;

export const PatientHoldings = named(
  'PatientHoldings',
  object({
    id: DocumentId,
    space: inSpace,
    patient_id: nullable(
      string({ description: 'Id of the patient. `null`: the document is a report without an exam.' }),
    ),
    patient_name: nullable(string({ description: 'Name as that document has it. `null`: it names nobody.' })),
    patient_birth_date: nullable(string({ description: 'Date of birth. `null`: not known.' })),
    restricted: boolean({ description: 'Whether the data is restricted, under this id.' }),
    documents: freeForm({
      description: 'Number of documents of each collection, those in the trash and restricted ones included.',
      examples: [{ items: 2, records: 1 }],
    }),
    audio_files: integer({ minimum: 0, description: 'Number of recordings.' }),
  }),
  'All that the server holds of a patient, counted.',
);
export type PatientHoldings = TypeOf<typeof PatientHoldings>;

export const Restriction = named(
  'PatientRestriction',
  object({
    id: DocumentId,
    restricted: boolean({ description: 'Whether the data is restricted now.' }),
    at: timestamp('Since when.'),
    documents: integer({ minimum: 0, description: 'Number of documents that were moved.' }),
  }),
  'Whether the data of a patient is restricted.',
);
export type Restriction = TypeOf<typeof Restriction>;

export const Erasure = named(
  'PatientErasure',
  object(
    {
      id: string({
        description: 'Id of the erasure, under which the audit trail has it.',
        examples: [exampleId('era')],
      }),
      erased_at: timestamp('When it was erased.'),
      documents: freeForm({
        description: 'What was erased: number of documents of each collection.',
        examples: [{ items: 2, records: 1 }],
      }),
      audio_files: integer({ minimum: 0, description: 'Number of recordings that were erased.' }),
      snapshots: array(string({ description: 'Name of the snapshot.' }), {
        description: 'Saved snapshots that held the patient and were removed.',
      }),
    },
    {
      // Absent in earlier versions.
      backups: nullable(
        array(string({ description: 'Name of the backup.' }), {
          description:
            'Planned backups that were made since the first document of the patient, and may still hold it. `null`: they could not be listed.',
        }),
      ),
    },
  ),
  'What was erased. Backups elsewhere hold the patient still; a restore of one erases it again.',
);
export type Erasure = TypeOf<typeof Erasure>;

/** Patients in an answer at most: with more, the question was too wide. One more shows that there are others. */
export const maxPatients = 50;

const patientPath = { params: object({ id: DocumentId }) };
const admin = { access: 'admin', extension: true } as const;

export const patients = group({
  title: 'Patients',
  description:
    'One patient’s data, for a request by data protection law. Only the operator of the server may make these calls.',
  endpoints: {
    find: endpoint({
      ...admin,
      method: 'POST',
      path: '/api/v1/admin/patients/find',
      summary: 'Find patients',
      description: `By id, name or accession number; at most ${maxPatients + 1}. Restricted patients and those in the trash are found too. The audit trail has the call.`,
      body: PatientQuery,
      answer: 'envelope',
      responses: {
        200: named(
          'PatientList',
          object({ items: array(PatientSummary, { description: 'The patients.' }) }),
          'Patients that were found.',
        ),
      },
    }),
    get: endpoint({
      ...admin,
      method: 'GET',
      path: '/api/v1/admin/patients/{id}',
      summary: 'Show what is held of a patient',
      description: 'Counts every document that an export has and an erasure removes. Reads all that is stored.',
      ...patientPath,
      answer: 'envelope',
      responses: { 200: PatientHoldings },
      errors: ['NOT_FOUND'],
    }),
    export: endpoint({
      ...admin,
      method: 'GET',
      path: '/api/v1/admin/patients/{id}/export',
      summary: 'Export everything about a patient',
      description:
        'A tar archive: the reports as PDF and FHIR, the recordings, and all stored documents as JSON lines. It leaves out what is about others: secrets, and answers to repeated requests.',
      ...patientPath,
      answer: [patientExportType],
      responses: { 200: bytes('A tar archive: `README.txt`, `documents.ndjson`, `reports/…`, `priors/…`, `audio/…`.') },
      errors: ['NOT_FOUND'],
    }),
    restrict: endpoint({
      ...admin,
      method: 'POST',
      path: '/api/v1/admin/patients/{id}/restrict',
      summary: 'Restrict the data of a patient',
      description:
        'The data stays and is out of reach: no list, call, channel or webhook has it, and retention does not remove it. What arrives later is not restricted.',
      ...patientPath,
      answer: 'envelope',
      responses: { 200: Restriction },
      errors: ['NOT_FOUND'],
    }),
    release: endpoint({
      ...admin,
      method: 'POST',
      path: '/api/v1/admin/patients/{id}/release',
      summary: 'Lift the restriction of a patient',
      description:
        'Everything is back as it was. 409 where another exam has the accession number or study UID meanwhile.',
      ...patientPath,
      answer: 'envelope',
      responses: { 200: Restriction },
      errors: ['NOT_FOUND', 'IDENTIFIER_CONFLICT'],
    }),
    erase: endpoint({
      ...admin,
      method: 'DELETE',
      path: '/api/v1/admin/patients/{id}',
      summary: 'Erase a patient for good',
      description:
        'Exams, reports with all versions, recordings, reports of former exams, messages, jobs, deliveries, the trash, restricted data, and each saved snapshot that holds the patient; then the files of the documents are written afresh. The audit trail keeps ids, and says that it was erased. Computers on which people dictate remove their copies as soon as they are connected.',
      ...patientPath,
      answer: 'envelope',
      responses: { 200: Erasure },
      errors: ['NOT_FOUND', 'SERVER_BUSY'],
    }),
    removeExam: endpoint({
      ...admin,
      method: 'DELETE',
      path: '/api/v1/worklists/items/{id}',
      summary: 'Remove an exam',
      description:
        'With its reports, jobs and recordings, into the trash, from which it can be brought back for seven days. 409 while a job of it runs.',
      params: object({ id: string({ minLength: 1, maxLength: 128, description: 'Id of the exam.' }) }),
      answer: 'envelope',
      responses: {
        200: named(
          'ExamRemoved',
          object({
            id: string({ description: 'Id of the exam.' }),
            deleted: literal(true, { description: 'Always `true`.' }),
            expires_at: timestamp('Until when it can be brought back.'),
          }),
          'What was removed.',
        ),
      },
      errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
    }),
  },
});
