/** A performed procedure step as a modality tells of it, and what that says of exams (PS3.3 C.4.13, C.4.14). */
import dicomParser from 'dicom-parser';
import type { DataSet } from 'dicom-parser';
import { findEntry } from '../../../../../src/domain/find-entry.ts';
import type { PerformedStep } from '../../../../storage/collections.ts';

type StepStatus = PerformedStep['status'];

/** What became of the step, and of which exams, as far as the message says. */
export interface Step {
  /** `absent`, `empty`: the message has no status, or one without a value; `unknown`: one that DICOM does not have. */
  readonly status: StepStatus | 'absent' | 'empty' | 'unknown';
  readonly exams: PerformedStep['exams'];
}

/** (0040,0252). */
const statuses: Readonly<Record<string, StepStatus>> = {
  'IN PROGRESS': 'in_progress',
  COMPLETED: 'completed',
  DISCONTINUED: 'discontinued',
};

/** `undefined`: the bytes are no data set in that syntax. */
export function readStep(data: Uint8Array, syntax: string): Step | undefined {
  try {
    const dataSet = dicomParser.parseDicom(data, { TransferSyntaxUID: syntax });
    const scheduled = dataSet.elements['x00400270']?.items ?? [];
    const exams = scheduled.flatMap(({ dataSet: step }) => (step ? [nameOf(step)] : []));
    return {
      status: statusIn(dataSet),
      exams: exams.filter((exam) => Object.keys(exam).length > 0),
    };
  } catch {
    return undefined;
  }
}

function statusIn(dataSet: DataSet): Step['status'] {
  if (!dataSet.elements['x00400252']) return 'absent';
  const said = textOf(dataSet, 'x00400252');
  return said === undefined ? 'empty' : (findEntry(statuses, said.toUpperCase()) ?? 'unknown');
}

const textOf = (dataSet: DataSet, tag: string): string | undefined => dataSet.string(tag)?.trim() || undefined;

/** The accession number is the hospital's; modalities often make a study UID of their own for what nobody ordered. */
function nameOf(step: DataSet): PerformedStep['exams'][number] {
  const accession = textOf(step, 'x00080050');
  const study = textOf(step, 'x0020000d');
  if (accession !== undefined) return { accession_number: accession };
  return study === undefined ? {} : { study_uid: study };
}
