/** The filters of a worklist. */
import { priorityTerms } from './priority.ts';
import { coreFields, examStatuses, examStatusMeanings, identifiers } from './exam.ts';
import { meanings, object, oneOf, several, string } from './schema.ts';
import { paging, periodQuery } from './shared.ts';
import {
  reportState,
  subspecialties,
  subspecialtyMeanings,
  WorklistStatus,
  worklistStatuses,
} from './worklist-item.ts';

const priorityMeanings = {
  STAT: 'an emergency',
  HIGH: 'urgent',
  MEDIUM: 'before routine exams',
  ROUTINE: 'as usual',
  LOW: 'after all others',
};

const howSeveral = 'Several values: repeat the parameter, or put commas between them.';

/** Names may hold commas. */
const howRepeated = 'Several values: repeat the parameter.';

export const WorklistQuery = object(
  {},
  {
    ...paging,
    ...periodQuery('`exam_datetime`'),
    status: several(WorklistStatus, {
      'x-commas': true,
      description: `Lists only exams of one of these states. ${worklistStatuses.map((word) => `\`${word}\``).join(', ')}. ${howSeveral}`,
      examples: [['new', 'in_progress']],
    }),
    modality: several(string({ minLength: 1, maxLength: 16, description: 'A modality.' }), {
      'x-commas': true,
      description: `Lists only exams of one of these modalities, terms of DICOM in any case. ${howSeveral}`,
      examples: [['CT', 'MR']],
    }),
    hospital: several(string({ minLength: 1, maxLength: 256, description: 'Name of a hospital.' }), {
      description: `Lists only exams of one of these hospitals (\`hospital_name\`). ${howRepeated}`,
      examples: [['Hospital São Lucas']],
    }),
    subspecialty: several(oneOf(subspecialties, { description: meanings('Subspecialty.', subspecialtyMeanings) }), {
      'x-commas': true,
      description: `Lists only exams of one of these subspecialties, which \`metadata.subspecialty\`, the modality and the description tell. ${howSeveral}`,
      examples: [['neuro', 'head_neck']],
    }),
    priority: several(oneOf(priorityTerms, { description: meanings('Priority.', priorityMeanings) }), {
      'x-commas': true,
      description: `Lists only exams of one of these priorities (\`metadata.priority\`). An exam without one is \`ROUTINE\`. ${howSeveral}`,
      examples: [['STAT', 'HIGH']],
    }),
    report: several(reportState, {
      'x-commas': true,
      description: `Lists only exams whose report is in one of these states. ${howSeveral}`,
      examples: [['draft', 'preliminary']],
    }),
    updated_since: string({
      minLength: 1,
      maxLength: 40,
      description:
        'Lists only what changed since: the `updated_until` of an earlier answer, or a date (from midnight UTC) or date-time to begin with. It goes by the order of commits, so that nothing is missed, whatever the clocks do.',
      examples: ['u1hv2k8rd9c0'],
    }),
    q: string({
      minLength: 1,
      maxLength: 200,
      description:
        'Searches patient name, patient id, accession number and exam description for words that begin with these; case, accents and leading zeros do not matter.',
      examples: ['silva 4417'],
    }),
    source_system: several(string({ minLength: 1, maxLength: 128, description: 'A RIS or PACS.' }), {
      description: `Lists only exams that one of these RIS or PACS sent. ${howRepeated}`,
      examples: [['RIS-SAO-LUCAS']],
    }),
    assigned_to: several(string({ minLength: 1, maxLength: 128, description: 'Display name of a user.' }), {
      description: `Lists only exams that one of these users took. ${howRepeated}`,
      examples: [['Dra. Helena Prado']],
    }),
    accession_number: {
      ...identifiers.accession_number,
      description: 'Lists only exams with this accession number, of any issuer.',
    },
    accession_issuer: {
      ...identifiers.accession_number,
      description: 'With `accession_number`: lists only the exam of this issuer.',
      examples: ['HSL'],
    },
    exam_status: several(oneOf(examStatuses, { description: meanings('How far the exam is.', examStatusMeanings) }), {
      'x-commas': true,
      description: `Lists only exams that are this far (\`exam_status\`). ${howSeveral}`,
      examples: [['arrived', 'completed']],
    }),
    study_uid: { ...identifiers.study_uid, description: 'Lists only the exam with this study UID.' },
    patient_id: { ...coreFields.patient_id, description: 'Lists only exams of the patient with this id.' },
  },
);
