/** A worklist item: an exam as the service stores it, and its states (specification 2.2, 3.2). */
import { clearableFields, coreFields, identifiers, optionalSparseFields } from './exam.ts';
import { integer, meanings, named, nullable, object, oneOf, string, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { ItemId, RecordId } from './shared.ts';

export const worklistStatuses = ['new', 'in_progress', 'completed', 'cancelled'] as const;
/** The status of an exam; the description names its subject. */
export const statusOf = (description: string) =>
  oneOf(worklistStatuses, {
    description: meanings(description, {
      new: 'nobody reports on it yet',
      in_progress: 'a physician took it',
      completed: 'its report is signed',
      cancelled: 'it will not be reported on',
    }),
  });
export const WorklistStatus = statusOf('State of the exam.');
export type WorklistStatus = TypeOf<typeof WorklistStatus>;

/** Parts of radiology (src/domain/subspecialties.ts). */
export const subspecialtyMeanings = {
  neuro: 'brain and spine',
  head_neck: 'head and neck',
  chest: 'chest',
  breast: 'breast',
  cardiovascular: 'heart and vessels',
  abdomen: 'abdomen and pelvis',
  obstetrics_gynecology: 'obstetrics and gynaecology',
  musculoskeletal: 'bones, joints and muscles',
  general: 'none of the others',
} as const;
export type Subspecialty = keyof typeof subspecialtyMeanings;
export const subspecialties = Object.keys(subspecialtyMeanings) as Subspecialty[];

export const sourceSystem = string({
  description: 'The RIS or PACS that sent it: the `X-Source-System` header of its request. `null`: there was none.',
  examples: ['RIS-SAO-LUCAS'],
});

/** The progress of an exam's report; `preliminary` and `signing` are states on the way to `final`. */
export const reportStates = ['draft', 'signing', 'preliminary', 'final'] as const;
export const reportState = oneOf(reportStates, {
  description: meanings('State of the report.', {
    draft: 'it waits for its signature',
    signing: 'it is signed, and its signature can still be taken back',
    preliminary: 'a resident signed it, and an attending physician has not co-signed it yet',
    final: 'it is signed',
  }),
});
export const ItemReport = named(
  'ItemReport',
  object({
    status: reportState,
    at: timestamp('Since when the report is in that state.'),
  }),
  'The report of an exam, as a list shows it.',
);
export type ItemReport = TypeOf<typeof ItemReport>;

/** One exam as the service stores it. */
export const WorklistItem = named(
  'WorklistItem',
  object(
    {
      id: ItemId,
      accession_number: nullable(identifiers.accession_number),
      study_uid: nullable(identifiers.study_uid),
      ...coreFields,
      display_name: string({
        description: 'Name of the patient as a person writes it, made from `patient_name`.',
        examples: ['Paciente Teste'],
      }),
      ...clearableFields,
      status: WorklistStatus,
      reason: nullable(
        string({
          maxLength: 500,
          description: 'Reason for the last change of status. `null`: nobody gave one.',
          examples: ['Exam started'],
        }),
      ),
      source_system: nullable(sourceSystem),
      record_id: nullable({ ...RecordId, description: 'Id of the medical record that reports on the exam.' }),
      assigned_to: nullable(
        string({
          description: 'Display name of the user who took the exam, or the client id where no user was involved.',
          examples: ['Dra. Helena Prado'],
        }),
      ),
      created_at: timestamp('When the item was first ingested.'),
      updated_at: timestamp('When the item last changed.'),
      version: integer({
        minimum: 1,
        description: 'Number of the present version: 1 at first, one more after each change.',
      }),
    },
    {
      ...optionalSparseFields,
      report: ItemReport,
      assigned_by: string({
        description: 'Who gave the exam to the user in `assigned_to`. Absent where that user took the exam.',
        examples: ['Dr. Bruno Nunes'],
      }),
      corrected_at: timestamp(
        'When the RIS or PACS last changed the patient or the exam after its report had begun. Absent where it did not.',
      ),
    },
  ),
  'One exam, as the service stores it.',
);
export type WorklistItem = TypeOf<typeof WorklistItem>;
