/** Hints for refused messages whose reader and mapping have none: what the operator of a channel can do. */
import type { DetailCode } from '../../../../src/contract/errors.ts';

const modalityLine = '{"values": {"modality": {"VALUE": "CR"}}}';

export const remedies: Readonly<Record<DetailCode | 'UNREADABLE' | 'EMPTY', string>> = {
  FIELD_REQUIRED: 'Have the sender fill it in, or say in the mapping where it is: {"fields": {"FIELD": ["PLACE"]}}.',
  INVALID_FORMAT:
    'Correct it in the sending system, or read another place: {"fields": {"FIELD": ["PLACE"]}} in the mapping.',
  INVALID_TYPE:
    'Correct it in the sending system, or read another place: {"fields": {"FIELD": ["PLACE"]}} in the mapping.',
  INVALID_VALUE:
    'Correct it in the sending system, or translate it in the mapping: {"values": {"FIELD": {"VALUE": "MEANING"}}}.',
  INVALID_MODALITY: `Translate it to the DICOM code, such as CT, MR or US: in the sending system, or in the mapping: ${modalityLine}.`,
  UNKNOWN_FIELD: 'Leave it out in the sending system.',
  TOO_LONG: 'Shorten it in the sending system, or read another place: {"fields": {"FIELD": ["PLACE"]}} in the mapping.',
  TEST_DATA_REQUIRED: 'Use a channel of a production space, or send test patients.',
  IDENTIFIER_CONFLICT: 'Find out which of the two exams is meant, and have the sender correct the other number.',
  PATIENT_MISMATCH:
    'Ask the sender which patient is right. If it is the one in the message, and the exam has no signed report: laudio channel retry ID --accept-patient-change.',
  INVALID_TRANSITION: 'Look at the exam: laudio worklist history ID.',
  INSUFFICIENT_SCOPE: 'Change the status of the exam in Laudio.',
  UNREADABLE: 'Look at the message: laudio channel message ID. Correct it in the sending system, or drop it.',
  EMPTY: 'Nothing is lost. If there should be exams in it, look at the message: laudio channel message ID.',
};
