/** Hints for refusals. The messages already name the fault. */
import { textOf } from '../../src/contract/messages/message.ts';
import type { DetailCode } from '../../src/contract/errors.ts';
import { findEntry } from '../../src/domain/find-entry.ts';
import type { Entry } from '../../src/sending/entries.ts';
import type { Refusal } from '../../src/sending/outcomes.ts';
import { adviceFor } from '../../src/files/worklist/advice.ts';

const remedies: Readonly<Record<DetailCode, string>> = {
  FIELD_REQUIRED: 'Fill it in at the source, or map it: --map FIELD=PLACE.',
  INVALID_FORMAT: 'Correct it at the source; for tables, use --date-order and --time-zone.',
  INVALID_TYPE: 'Correct it at the source.',
  INVALID_VALUE: 'Correct it at the source.',
  INVALID_MODALITY: 'Translate it to the DICOM code, such as CT, MR or US: at the source, or in a mapping (--mapping).',
  UNKNOWN_FIELD: 'Leave it out.',
  TOO_LONG: 'Shorten it at the source.',
  TEST_DATA_REQUIRED: 'Log in as a production client, or send test patients.',
  IDENTIFIER_CONFLICT: 'Find out which of the two exams is meant, and send only one identifier.',
  PATIENT_MISMATCH:
    'Ask the sender which patient is right. If it is the one in the file: check each, then use --accept-patient-change.',
  INVALID_TRANSITION: 'Look at the exam: laudio worklist history ID.',
  INSUFFICIENT_SCOPE: 'Log in with the scope worklists:manage, or leave the status out.',
};

/**
 * The reader's hint, a mapping hint, or the hint for the service's error code. Unknown codes of other services have
 * none.
 */
export const findRemedy = (refusal: Refusal, entry?: Entry): string | undefined => {
  const { hint, code, field, message } = refusal;
  const advice = entry?.kind === 'item' ? adviceFor({ code, field, message: textOf(message) }, entry.sent) : undefined;
  if (hint !== undefined) return textOf(hint);
  return advice ?? (code === undefined ? undefined : findEntry(remedies, code));
};
