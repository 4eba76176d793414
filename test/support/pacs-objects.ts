/** Objects as a PACS has them: an image without pixels, and reports of it. */
import { explicitLittleEndian, writeDataSet } from '../../src/protocols/dimse/data-set.ts';
import type { Attribute } from '../../src/protocols/dimse/data-set.ts';

/** The study of an object. */
export interface StudyFields {
  /** Its UID. */
  readonly study: string;
  readonly accession?: string;
  readonly patientId?: string;
  readonly patientName?: string;
  readonly birthDate?: string;
  readonly date?: string;
  readonly description?: string;
}

const ctImage = '1.2.840.10008.5.1.4.1.1.2';
const basicTextSr = '1.2.840.10008.5.1.4.1.1.88.11';

const file = (
  fields: StudyFields,
  { sopClass, modality, number }: { sopClass: string; modality: string; number: number },
  content: readonly Attribute[],
): Buffer => {
  const { study, accession = '', patientId = 'P-1', patientName = 'Test^Patient', birthDate = '19710614' } = fields;
  const [series, instance] = [`${study}.${number}`, `${study}.${number}.1`];
  const dataSet = writeDataSet(
    [
      ['00080005', 'CS', 'ISO_IR 192'],
      ['00080016', 'UI', sopClass],
      ['00080018', 'UI', instance],
      ['00080020', 'DA', fields.date ?? '20240113'],
      ['00080023', 'DA', fields.date ?? '20240113'],
      ['00080030', 'TM', '0910'],
      ['00080033', 'TM', '1000'],
      ['00080050', 'SH', accession],
      ['00080060', 'CS', modality],
      ['00081030', 'LO', fields.description ?? 'TC de tórax'],
      ['00100010', 'PN', patientName],
      ['00100020', 'LO', patientId],
      ['00100030', 'DA', birthDate],
      ['0020000D', 'UI', study],
      ['0020000E', 'UI', series],
      ['00200013', 'IS', '1'],
      ...content,
    ],
    explicitLittleEndian,
  );
  const meta = writeDataSet(
    [
      ['00020002', 'UI', sopClass],
      ['00020003', 'UI', instance],
      ['00020010', 'UI', explicitLittleEndian],
    ],
    explicitLittleEndian,
  );
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from('DICM'),
    writeDataSet([['00020000', 'UL', meta.length]], explicitLittleEndian),
    meta,
    dataSet,
  ]);
};

export const ctFile = (fields: StudyFields): Buffer =>
  file(fields, { sopClass: ctImage, modality: 'CT', number: 1 }, []);

/** A Basic Text SR with one section. */
export const srFile = (fields: StudyFields, text: string): Buffer =>
  file(fields, { sopClass: basicTextSr, modality: 'SR', number: 2 }, [
    ['0040A040', 'CS', 'CONTAINER'],
    ['0040A043', 'SQ', [[['00080104', 'LO', 'Laudo']]]],
    ['0040A491', 'CS', 'COMPLETE'],
    [
      '0040A730',
      'SQ',
      [
        [
          ['0040A010', 'CS', 'CONTAINS'],
          ['0040A040', 'CS', 'TEXT'],
          [
            '0040A043',
            'SQ',
            [
              [
                ['00080100', 'SH', '121077'],
                ['00080102', 'SH', 'DCM'],
                ['00080104', 'LO', 'Conclusão'],
              ],
            ],
          ],
          ['0040A160', 'UT', text],
        ],
      ],
    ],
  ]);

/** An encapsulated PDF. */
export const pdfFile = (fields: StudyFields, pdf: Uint8Array): Buffer =>
  file(fields, { sopClass: '1.2.840.10008.5.1.4.1.1.104.1', modality: 'DOC', number: 3 }, [
    ['00420010', 'ST', 'Laudo'],
    ['00420011', 'OB', pdf],
    ['00420012', 'LO', 'application/pdf'],
  ]);
