/** Parses a performed procedure step of a modality, and finds its exams (PS3.3 C.4.13, C.4.14). */
import dicomParser from 'dicom-parser';
import type { DataSet } from 'dicom-parser';
import { findEntry } from '../../../../../src/domain/find-entry.ts';
import type { PerformedStep } from '../../../../storage/collections.ts';

type StepStatus = PerformedStep['status'];

/** Status and exams of a step, as far as the message has them. */
export interface Step {
  /** `absent`, `empty`: no status attribute, or one without a value; `unknown`: a value that DICOM does not define. */
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
    const exams = scheduled.flatMap(({ dataSet: step }) => (step ? [identifyExam(step)] : []));
    return {
      status: readStatus(dataSet),
      exams: exams.filter((exam) => Object.keys(exam).length > 0),
    };
  } catch {
    return undefined;
  }
}

function readStatus(dataSet: DataSet): Step['status'] {
  if (!dataSet.elements['x00400252']) return 'absent';
  const value = readText(dataSet, 'x00400252');
  return value === undefined ? 'empty' : (findEntry(statuses, value.toUpperCase()) ?? 'unknown');
}

const readText = (dataSet: DataSet, tag: string): string | undefined => dataSet.string(tag)?.trim() || undefined;

/** The accession number is the hospital's; for exams without an order, modalities often invent a study UID. */
function identifyExam(step: DataSet): PerformedStep['exams'][number] {
  const accession = readText(step, 'x00080050');
  const study = readText(step, 'x0020000d');
  if (accession !== undefined) return { accession_number: accession };
  return study === undefined ? {} : { study_uid: study };
}
