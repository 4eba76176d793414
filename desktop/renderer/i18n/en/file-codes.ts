import type { Wordings } from '../../../../src/contract/messages/message.ts';

/** Faults that a service finds in a field, by their codes; `unread` for any other. */
export const fileCodes = {
  FIELD_REQUIRED: '{field}: it is missing.',
  INVALID_FORMAT: '{field}: the text does not have the form of the field.',
  INVALID_TYPE: '{field}: the kind of the value is another.',
  INVALID_VALUE: '{field}: the value is not allowed.',
  INVALID_MODALITY: '{field}: it is no modality of DICOM.',
  UNKNOWN_FIELD: '{field}: there is no such field.',
  TOO_LONG: '{field}: it is too long or too large.',
  TEST_DATA_REQUIRED: '{field}: in test mode only test patients are taken.',
  IDENTIFIER_CONFLICT: '{field}: the accession number and the study UID belong to two different exams.',
  PATIENT_MISMATCH: '{field}: another patient has this exam.',
  INVALID_TRANSITION: '{field}: the exam cannot become that after what it is now.',
  INSUFFICIENT_SCOPE: '{field}: this login may not change it.',
  unread: 'This could not be read.',
  value: 'value',
} as const satisfies Wordings;
