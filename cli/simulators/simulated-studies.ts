/** The studies of a simulated PACS: the study of each simulated order, and a former study of each test patient, with a report. */
import { createHash } from 'node:crypto';
import { sopClasses } from '../../src/protocols/dimse/classes.ts';
import type { Attribute } from '../../src/protocols/dimse/data-set.ts';
import { uidOfUuid } from '../../src/protocols/dimse/uid.ts';
import { elementAt } from '../../src/domain/elements.ts';
import { formatTime, simulatedNumbers, testPatients } from './test-orders.ts';
import type { TestOrder } from './test-orders.ts';

export interface SimulatedStudy {
  readonly study: string;
  readonly accession: string;
  readonly patient: TestOrder['patient'];
  readonly day: string;
  readonly description: string;
  readonly modalities: readonly string[];
}

/** The query of a PACS, in the terms of either protocol. */
export interface StudyKeys {
  readonly accession: string;
  readonly patient: string;
}

/** The same each time. */
const uidFor = (name: string): string =>
  uidOfUuid(createHash('sha256').update(`laudio simulation ${name}`).digest('hex').slice(0, 32));

const twoYears = 2 * 365 * 24 * 3600_000;

/** `now`: ms since 1970. */
export function findSimulated({ accession, patient }: StudyKeys, now: number): SimulatedStudy[] {
  const order = new RegExp(`^${simulatedNumbers}[0-9A-F]{8}-(\\d+)$`).exec(accession);
  if (order) {
    const own = elementAt(testPatients, (Number(order[1]) - 1) % testPatients.length);
    const { day } = formatTime(now);
    return [{ study: uidFor(accession), accession, patient: own, day, description: 'New study', modalities: [] }];
  }
  return testPatients
    .filter(({ id }) => id === patient || accession === numberBefore(id))
    .map((own) => ({
      study: uidFor(own.id),
      accession: numberBefore(own.id),
      patient: own,
      day: formatTime(now - twoYears).day,
      description: 'CT of the chest',
      modalities: ['CT', 'SR'],
    }));
}

const numberBefore = (patient: string): string => `OLD-${patient}`;

/** Series and instance of the report of a study. */
export const reportNames = (study: string) => ({ series: `${study}.1`, instance: `${study}.1.1` });

/** The study of a series, or of an object. */
export const findStudy = (uid: string, now: number): SimulatedStudy | undefined =>
  testPatients
    .flatMap(({ id }) => findSimulated({ accession: '', patient: id }, now))
    .find(({ study }) => uid === study || uid.startsWith(`${study}.`));

/** The attributes of a study in the answer to a query. */
export const studyAttributes = ({
  study,
  accession,
  patient,
  day,
  description,
  modalities,
}: SimulatedStudy): Attribute[] => [
  ['00080020', 'DA', day],
  ['00080030', 'TM', '0900'],
  ['00080050', 'SH', accession],
  ['00080061', 'CS', modalities.join('\\')],
  ['00081030', 'LO', description],
  ['00100010', 'PN', `${patient.family}^${patient.given}`],
  ['00100020', 'LO', patient.id],
  ['00100030', 'DA', '19800102'],
  ['0020000D', 'UI', study],
];

/** Its report, a Basic Text SR. */
export function reportAttributes(study: SimulatedStudy): Attribute[] {
  const { series, instance } = reportNames(study.study);
  const concept = (value: string, meaning: string): Attribute => [
    '0040A043',
    'SQ',
    [
      [
        ['00080100', 'SH', value],
        ['00080102', 'SH', 'DCM'],
        ['00080104', 'LO', meaning],
      ],
    ],
  ];
  return [
    ...studyAttributes(study).filter(([tag]) => tag !== '00080061'),
    ['00080016', 'UI', sopClasses.basicTextSr],
    ['00080018', 'UI', instance],
    ['00080023', 'DA', study.day],
    ['00080033', 'TM', '1000'],
    ['00080060', 'CS', 'SR'],
    ['0020000E', 'UI', series],
    ['0040A040', 'CS', 'CONTAINER'],
    concept('126000', 'Imaging Report'),
    ['0040A491', 'CS', 'COMPLETE'],
    ['0040A493', 'CS', 'VERIFIED'],
    [
      '0040A730',
      'SQ',
      [
        [
          ['0040A010', 'CS', 'CONTAINS'],
          ['0040A040', 'CS', 'TEXT'],
          concept('121077', 'Conclusion'),
          ['0040A160', 'UT', 'Simulated report: nodule of 4 mm in the right upper lobe.'],
        ],
      ],
    ],
  ];
}
