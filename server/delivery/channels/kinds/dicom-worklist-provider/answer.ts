/** An exam as a modality worklist has it (PS3.4 table K.6-1): only attributes that the query names. */
import type { Attribute } from '../../../../../src/protocols/dimse/data-set.ts';
import { fits, identifier, longString, personName } from '../../../formats/dicom/values.ts';
import type { Exam } from '../../channel.ts';
import type { LocalInstant } from '../dicom/days.ts';
import type { ModalityQuery } from './query.ts';

/** Whether modalities can have the exam's numbers as they are: shortened ones would be others. */
export const canBeListed = ({ accession_number, patient_id }: Exam): boolean =>
  fits(accession_number ?? '', 16) && fits(patient_id, 64);

export interface ListedExam {
  readonly exam: Exam;
  readonly study: string;
  readonly station: string;
  readonly at: LocalInstant;
}

/** `toText` writes a text in the character set of the answer; `charset` is its name. */
export function writeExam(
  { exam, study, station, at }: ListedExam,
  { wants }: ModalityQuery,
  charset: string,
  toText: (text: string) => string,
): Attribute[] {
  const { metadata, accession_number: accession } = exam;
  const fact = (name: string): string => {
    const value = metadata?.[name];
    return typeof value === 'string' ? value : '';
  };
  const long = (text: string | null | undefined): string => longString(toText(text ?? ''));
  const name = (text: string | null | undefined): string => personName(toText(text ?? ''));
  const short = (text: string | null | undefined): string => identifier(toText(text ?? ''), 16);
  const description = long(exam.exam_description);
  const procedure = short(exam.procedure_id) || short(accession);
  const [value, scheme] = [short(fact('procedure_code')), short(fact('procedure_code_system')) || '99LOCAL'];
  const codes: readonly (readonly Attribute[])[] =
    value === ''
      ? []
      : [
          [
            ['00080100', 'SH', value],
            ['00080102', 'SH', scheme],
            ['00080104', 'LO', long(fact('procedure_text')) || description],
          ],
        ];
  const step: Attribute[] = [
    ['00080060', 'CS', exam.modality],
    ['00400001', 'AE', station],
    ['00400002', 'DA', at.day],
    ['00400003', 'TM', at.time],
    ['00400006', 'PN'],
    ['00400007', 'LO', description],
    ['00400008', 'SQ', codes],
    ['00400009', 'SH', short(fact('scheduled_step_id')) || procedure],
    ['00400010', 'SH', station],
    ['00400011', 'SH', short(exam.exam_room)],
  ];
  const attributes: Attribute[] = [
    ['00080050', 'SH', accession ?? ''],
    ['00080051', 'SQ', exam.accession_issuer ? [[['00400031', 'UT', toText(exam.accession_issuer)]]] : []],
    ['00080080', 'LO', long(exam.hospital_name)],
    ['00080090', 'PN', name(exam.referring_physician)],
    ['00100010', 'PN', name(exam.patient_name)],
    ['00100020', 'LO', exam.patient_id],
    ['00100021', 'LO', long(fact('patient_id_issuer'))],
    ['00100030', 'DA', exam.patient_birth_date?.replaceAll('-', '') ?? ''],
    ['00100040', 'CS', exam.patient_sex === 'U' ? '' : (exam.patient_sex ?? '')],
    ['00102000', 'LO', long(fact('alerts'))],
    ['00102110', 'LO', long(fact('allergies'))],
    ['0020000D', 'UI', study],
    ['00321032', 'PN', name(exam.referring_physician)],
    ['00321060', 'LO', description],
    ['00321064', 'SQ', codes],
    ['00380010', 'LO', long(fact('admission_id'))],
    ['00380300', 'LO', long(exam.location)],
    ['00401001', 'SH', procedure],
    ['00401002', 'LO', long(fact('indication'))],
    ['00401003', 'SH', short(fact('priority'))],
    ['00402016', 'LO', identifier(fact('placer_order_number'), 64)],
    ['00402017', 'LO', identifier(fact('filler_order_number'), 64)],
    ['00400100', 'SQ', [step.filter(([tag]) => wants(tag, true))]],
  ];
  return [['00080005', 'CS', charset], ...attributes.filter(([tag]) => wants(tag, false))];
}
