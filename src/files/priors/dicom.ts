/** Reports as DICOM objects: structured reports (PS3.3 A.35) and PDFs (PS3.3 A.45.1). One file is one report. */
import { fileMessage } from '../../contract/messages/files.ts';
import type { PriorInput } from '../../contract/prior.ts';
import { wholeBytes } from '../worklist/bytes.ts';
import { lookUp } from '../worklist/dicom/attributes.ts';
import type { DataSet } from '../worklist/dicom/attributes.ts';
import { openDicomFile } from '../worklist/dicom/dicom-file.ts';
import type { DicomFile } from '../worklist/dicom/dicom-file.ts';
import type { Mapping } from '../worklist/draft.ts';
import type { Times } from '../worklist/kinds.ts';
import type { Reader } from '../worklist/reader.ts';
import { problem } from '../worklist/reading.ts';
import { draftFacts, finishedReport } from './draft.ts';
import { readContent } from './structured-report.ts';

/** Places are those of worklists; the study's date is that of the exam, the content's that of the report. */
const reportMapping: readonly Mapping[] = [
  // A correction has the id of the report that it replaces.
  { to: 'report_id', kind: 'text', from: ['0040A360>00081115>00081199>00081155', '00080018'] },
  { to: 'accession_number', kind: 'text', from: ['00080050', '0040A370>00080050'] },
  { to: 'study_uid', kind: 'uid', from: ['0020000D'] },
  { to: 'patient_id', kind: 'text', from: ['00100020'] },
  { to: 'patient_id_issuer', kind: 'text', from: ['00100021'] },
  { to: 'patient_name', kind: 'text', from: ['00100010'] },
  { to: 'patient_birth_date', kind: 'date', from: ['00100030'] },
  { to: 'exam_datetime', kind: 'instant', from: ['00080020+00080030', '00080023+00080033'] },
  {
    to: 'exam_description',
    kind: 'text',
    from: ['0040A370>00321060', '00081030', '0040A370>00321064>00080104', '00420010', '0040A043>00080104'],
  },
  { to: 'reported_at', kind: 'instant', from: ['0040A073>0040A030', '00080023+00080033', '0008002A'] },
  { to: 'author', kind: 'text', from: ['0040A073>0040A075', '0040A078>0040A123', '00081060'] },
  { to: 'hospital_name', kind: 'text', from: ['00080080'] },
];

const position = { item: 1 };

export const readDicomReport: Reader = async function* ({ bytes, limits, times }) {
  const content = await wholeBytes(bytes.chunks, limits.dicomFile, fileMessage('dicom_file'));
  const file = await openDicomFile(content, limits.dicomFile);
  const { dataSet } = file;
  const offset = dataSet.values('00080201')?.[0];
  const own: Times = offset !== undefined && /^[+-]\d{4}$/.test(offset) ? { ...times, offset } : times;
  const draft = draftFacts(reportMapping, (place) => lookUp(dataSet, place), own);
  const words = await readWords(file);
  if (words === 'none' || words === 'empty') {
    const [message, hint] = reasons[words];
    return yield [problem(position, fileMessage(message), fileMessage(hint), { isForeign: true })];
  }
  draft.warnings.push(...file.warnings());
  yield [finishedReport(draft, position, readStatus(dataSet), words)];
};

const reasons = {
  none: ['no_dicom_report', 'dicom_reports'],
  empty: ['report_without_text', 'dicom_words'],
} as const;

type Words = Exclude<Parameters<typeof finishedReport>[3], undefined>;

/** `none`: the object is no report; `empty`: a report without words, such as a scanned page. */
async function readWords({ dataSet, bytes }: DicomFile): Promise<Words | 'none' | 'empty'> {
  const pdf = bytes('00420011');
  if (pdf) {
    if (!/^application\/pdf$/i.test(dataSet.values('00420012')?.[0] ?? 'application/pdf')) return 'none';
    const { textOfPdf } = await import('./pdf-text.ts');
    const text = await textOfPdf(pdf);
    return text === '' ? 'empty' : { text };
  }
  if (dataSet.items('0040A730').length === 0) return 'none';
  const { sections, hasText } = readContent(dataSet);
  return hasText ? { sections } : 'empty';
}

/** A verified report is signed; an unverified one waits for a physician. Most systems state neither. */
function readStatus(dataSet: DataSet): NonNullable<PriorInput['status']> {
  const readFlag = (tag: string): string => dataSet.values(tag)?.[0]?.toUpperCase() ?? '';
  if (
    readFlag('0040A493') === 'UNVERIFIED' ||
    readFlag('0040A496') === 'PRELIMINARY' ||
    readFlag('0040A491') === 'PARTIAL'
  )
    return 'preliminary';
  return dataSet.items('0040A360').length > 0 ? 'corrected' : 'final';
}
