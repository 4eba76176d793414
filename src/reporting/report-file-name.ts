/** The file name of a saved report: it identifies the exam, never the patient. */
import type { MedicalRecord } from '../contract/document.ts';
import type { WorklistItem } from '../contract/worklist.ts';
import { fold } from '../domain/fold.ts';

/** The largest number of characters of the exam's description. */
const maxLength = 48;
/** Characters of the record's id: enough to distinguish the exams of one day. */
const idLength = 8;

type NameSource = Pick<MedicalRecord, 'id' | 'created_at'>;
type Exam = Pick<
  WorklistItem,
  | 'exam_datetime'
  | 'modality'
  | 'exam_description'
  | 'patient_name'
  | 'display_name'
  | 'patient_id'
  | 'accession_number'
  | 'patient_birth_date'
>;

/**
 * `2026-03-02_CT_torax-com-contraste_0F3K9Q2D`: the day of the exam, its modality and description, and the end of the
 * record's id, without a file ending. In ASCII, which every disk and every header accepts. File names reach lists of
 * downloads and e-mails: words of the description that are also in the patient's name, and numbers of three and more
 * digits, are left out, and the accession number stays inside the document. A record without an exam has the day of its
 * creation.
 */
export function reportFileName({ id, created_at }: NameSource, item: Exam | null): string {
  const day = dayIn(item?.exam_datetime) ?? dayIn(created_at);
  const parts = [
    day,
    item && plain(item.modality).toUpperCase(),
    item ? shortenDescription(item) : 'report',
    endOf(id),
  ];
  return parts.filter(Boolean).join('_');
}

const dayIn = (at: string | undefined): string | undefined => /^\d{4}-\d{2}-\d{2}/.exec(at ?? '')?.[0];

const endOf = (id: string): string => id.replaceAll(/[^A-Za-z0-9]/g, '').slice(-idLength);

function shortenDescription({ exam_description, ...exam }: Exam): string {
  const { patient_name, display_name, patient_id, accession_number, patient_birth_date = '' } = exam;
  const whose = [patient_name, display_name, patient_id, accession_number, patient_birth_date];
  const secret = new Set(whose.flatMap((text) => wordsIn(text ?? '')));
  const kept = wordsIn(exam_description).filter((word) => !secret.has(word) && !/\d{3}/.test(word));
  let name = '';
  for (const word of kept) {
    const longer = name === '' ? word : `${name}-${word}`;
    if (longer.length > maxLength) break;
    name = longer;
  }
  return name;
}

const plain = (text: string): string => wordsIn(text).join('-');

/** In small letters and digits of ASCII. */
const wordsIn = (text: string): string[] =>
  fold(text.normalize('NFC'))
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
