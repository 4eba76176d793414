/** An exam as a modality worklist has it (PS3.4 table K.6-1): only attributes that the query names. */
import { textBefore } from '../../../../../src/domain/text-before.ts';
import type { Attribute, TextEncoding } from '../../../../../src/protocols/dimse/data-set.ts';
import { designate } from '../../../formats/dicom/coding-schemes.ts';
import { describeIssuer, describePatientIdIssuer } from '../../../formats/dicom/issuers.ts';
import { fits, identifier, longString, personName } from '../../../formats/dicom/values.ts';
import { toLatin1 } from '../../../formats/hl7/character-sets.ts';
import type { Exam } from '../../channel.ts';
import type { LocalInstant } from '../dicom/days.ts';
import type { ModalityQuery } from './query.ts';

/** A character set of answers. */
export interface Charset {
  /** For people. */
  readonly label: string;
  /** (0008,0005) */
  readonly name: string;
  readonly encoding: TextEncoding;
  /** Replaces the letters that it lacks. */
  readonly toText: (text: string) => string;
}

export const charsets = {
  'utf-8': { label: 'UTF-8', name: 'ISO_IR 192', encoding: 'utf8', toText: (text) => text },
  'latin-1': { label: 'Latin-1', name: 'ISO_IR 100', encoding: 'latin1', toText: toLatin1 },
} as const satisfies Readonly<Record<string, Charset>>;

type Item = readonly Attribute[];

const isWritable = (text: string, { toText }: Charset): boolean => toText(text) === text;

/** An exam is listed only if its numbers can be written as they are: changed ones would be others. */
export const canBeListed = ({ accession_number: accession, patient_id: patient }: Exam, charset: Charset): boolean =>
  [
    { id: accession ?? '', length: 16 as const },
    { id: patient, length: 64 as const },
  ].every(({ id, length }) => fits(id, length) && isWritable(id, charset));

/** Whether the patient's name loses letters that nothing similar replaces. */
export const isNameLost = ({ patient_name: name }: Exam, { toText }: Charset): boolean =>
  loses(textBefore(name, '='), toText);

const loses = (text: string, toText: Charset['toText']): boolean =>
  countMarks(toText(text)) > countMarks(text.normalize('NFC'));
const countMarks = (text: string): number => text.split('?').length;

export interface ListedExam {
  readonly exam: Exam;
  readonly study: string;
  readonly station: string;
  readonly at: LocalInstant;
}

export function writeExam(
  { exam, study, station, at }: ListedExam,
  { wants }: ModalityQuery,
  charset: Charset,
): Attribute[] {
  const { toText } = charset;
  const { metadata, accession_number: accession } = exam;
  const fact = (name: string): string => {
    const value = metadata?.[name];
    return typeof value === 'string' ? value : '';
  };
  const long = (text: string | null | undefined): string => longString(toText(text ?? ''));
  const name = (text: string | null | undefined): string =>
    personName(
      (text ?? '')
        .split('=')
        .map((group, at) => (at > 0 && loses(group, toText) ? '' : toText(group)))
        .join('='),
    );
  const short = (text: string | null | undefined): string => identifier(toText(text ?? ''), 16);
  const ifWritable = (text: string): string => (isWritable(text, charset) ? text : '');
  const id = (text: string | null | undefined, length: 16 | 64 = 16): string => ifWritable(identifier(text, length));
  const issuer = (name: string, system: string): Item[] =>
    [describeIssuer(ifWritable(name), ifWritable(system))].filter(({ length }) => length > 0);
  const orderIssuer = (order: 'placer' | 'filler'): Item[] =>
    issuer(fact(`${order}_order_issuer`), fact(`${order}_order_system`));
  const qualifiers = describePatientIdIssuer(ifWritable(fact('patient_id_system')), fact('patient_id_type'));
  const description = long(exam.exam_description);
  const procedure = id(exam.procedure_id) || id(accession);
  const [value, scheme] = [id(fact('procedure_code')), designate(ifWritable(fact('procedure_code_system') || 'L'))];
  const codes: readonly Item[] =
    value === '' || scheme === ''
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
    ['00400009', 'SH', id(fact('scheduled_step_id')) || procedure],
    ['00400010', 'SH', station],
    ['00400011', 'SH', short(exam.exam_room)],
  ];
  const attributes: Attribute[] = [
    ['00080050', 'SH', id(accession)],
    ['00080051', 'SQ', issuer(exam.accession_issuer ?? '', fact('accession_system'))],
    ['00080080', 'LO', long(exam.hospital_name)],
    ['00080090', 'PN', name(exam.referring_physician)],
    ['00100010', 'PN', name(exam.patient_name)],
    ['00100020', 'LO', id(exam.patient_id, 64)],
    ['00100021', 'LO', id(fact('patient_id_issuer'), 64)],
    ['00100024', 'SQ', qualifiers.length > 0 ? [qualifiers] : []],
    ['00100030', 'DA', exam.patient_birth_date?.replaceAll('-', '') ?? ''],
    ['00100040', 'CS', exam.patient_sex === 'U' ? '' : (exam.patient_sex ?? '')],
    ['00102000', 'LO', long(fact('alerts'))],
    ['00102110', 'LO', long(fact('allergies'))],
    ['0020000D', 'UI', study],
    ['00321032', 'PN', name(exam.referring_physician)],
    ['00321060', 'LO', description],
    ['00321064', 'SQ', codes],
    ['00380010', 'LO', id(fact('admission_id'), 64)],
    ['00380300', 'LO', long(exam.location)],
    ['00401001', 'SH', procedure],
    ['00401002', 'LO', long(fact('indication'))],
    ['00401003', 'SH', short(fact('priority'))],
    ['00402016', 'LO', id(fact('placer_order_number'), 64)],
    ['00402017', 'LO', id(fact('filler_order_number'), 64)],
    ['00400026', 'SQ', orderIssuer('placer')],
    ['00400027', 'SQ', orderIssuer('filler')],
    ['00400100', 'SQ', [step.filter(([tag]) => wants(tag, true))]],
  ];
  return [['00080005', 'CS', charset.name], ...attributes.filter(([tag]) => wants(tag, false))];
}
