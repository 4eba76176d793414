/** Orders of test patients, as a RIS writes them. */
import { randomBytes } from 'node:crypto';
import { elementAt } from '../../src/domain/elements.ts';

const exams = [
  ['CT', 'CT-CR', 'CT head without contrast'],
  ['CR', 'CR-TX', 'Chest X-ray, two views'],
  ['US', 'US-AB', 'Abdominal ultrasound'],
  ['MR', 'MR-KN', 'MRI of the left knee'],
  ['MG', 'MG-BI', 'Mammography, bilateral'],
] as const;
/** Prefix of the accession numbers of test orders. */
export const simulatedNumbers = 'SIM-';
/** All named so that nobody takes them for people. */
export const testPatients = ['TEST', 'SAMPLE', 'DEMO'].map((given, at) => ({
  id: `SIM${at}`,
  family: 'PATIENT',
  given,
}));

export interface TestOrder {
  readonly id: string;
  readonly accession: string;
  readonly exam: (typeof exams)[number];
  /** In ms since 1970. */
  readonly when: number;
  readonly patient: { readonly id: string; readonly family: string; readonly given: string };
  /** In HL7 format, with CR after each segment. */
  readonly message: string;
}

/** `YYYYMMDD` and `HHMMSS` in UTC, for DICOM and HL7. */
export function formatTime(ms: number): { readonly day: string; readonly time: string } {
  const [day = '', time = ''] = new Date(ms)
    .toISOString()
    .replace(/[-:]|\.\d+Z/g, '')
    .split('T');
  return { day, time };
}

/** New accession numbers each time, so that no order matches an earlier one. `now`: ms since 1970. */
export function testOrders(count: number, now: number): TestOrder[] {
  const run = randomBytes(4).toString('hex').toUpperCase();
  const written = (ms: number): string => {
    const { day, time } = formatTime(ms);
    return `${day}${time}+0000`;
  };
  return Array.from({ length: count }, (_, at) => {
    const exam = elementAt(exams, at % exams.length);
    const [modality, code, text] = exam;
    const begin = now + (at + 1) * 900_000;
    const patient = elementAt(testPatients, at % testPatients.length);
    const id = `SIM${run}${at + 1}`;
    const accession = `${simulatedNumbers}${run}-${at + 1}`;
    const when = written(begin);
    const message = [
      `MSH|^~\\&|SIMULATOR|TEST|LAUDIO|TEST|${written(now)}||ORM^O01^ORM_O01|${id}|P|2.5.1||||||UNICODE UTF-8`,
      `PID|||${patient.id}^^^TEST||${patient.family}^${patient.given}||19800102|F`,
      'PV1||O|RAD^1',
      `ORC|NW|P${accession}|F${accession}||SC||^^^${when}^^R`,
      `OBR|1|P${accession}|F${accession}|${code}^${text}^TEST||||||||||||||${accession}||||||${modality}|||^^^${when}^^R`,
      '',
    ].join('\r');
    return { id, accession, exam, when: begin, patient, message };
  });
}
