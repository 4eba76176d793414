/** Remedies for refusals, shown at a terminal. The messages already name the fault. */
import type { DetailCode } from '../../src/contract/errors.ts';
import { entryOf } from '../../src/domain/entry-of.ts';
import type { Refusal } from '../../src/sending/outcomes.ts';

const remedies: Readonly<Record<DetailCode, string>> = {
  FIELD_REQUIRED: 'Fill it in at the source; of a CSV file, name its column: --map FIELD=COLUMN.',
  INVALID_FORMAT: 'Correct it at the source; of a CSV file, --date-order and --time-zone say how times are meant.',
  INVALID_TYPE: 'Correct it at the source.',
  INVALID_VALUE: 'Correct it at the source.',
  INVALID_MODALITY: 'Translate it to the DICOM code at the source, such as CT, MR or US.',
  UNKNOWN_FIELD: 'Leave it out.',
  TOO_LONG: 'Shorten it at the source.',
  TEST_DATA_REQUIRED: 'Log in as a production client, or send test patients.',
  IDENTIFIER_CONFLICT: 'Find out which of the two exams is meant, and send one identifier alone.',
  PATIENT_MISMATCH:
    'Ask the sender which patient is right. Where it is the one of the file: --accept-patient-change, after a look at each.',
};

/** The reader's hint, or the remedy for the service's error code. Unknown codes of other services have none. */
export const remedyOf = ({ hint, code }: Refusal): string | undefined =>
  hint ?? (code === undefined ? undefined : entryOf(remedies, code));
