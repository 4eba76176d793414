/** The query to a worklist provider (PS3.4 table K.6-1): the attributes that become fields of an exam. */
import type { Attribute } from '../../../../../src/protocols/dimse/data-set.ts';
import type { DicomWorklistSettings } from './settings.ts';

type RequestedAttributes = readonly (readonly [
  tag: string,
  vr: 'AE' | 'CS' | 'DA' | 'LO' | 'LT' | 'PN' | 'SH' | 'ST' | 'TM' | 'UI' | 'UT',
])[];

/**
 * Requested attributes of order and patient. Pregnancy status is left out: it is a number, and some providers match it although
 * it is empty, and find nothing.
 */
const orderAttributes: RequestedAttributes = [
  ['00080050', 'SH'],
  ['00080080', 'LO'],
  ['00080090', 'PN'],
  ['00100010', 'PN'],
  ['00100020', 'LO'],
  ['00100021', 'LO'],
  ['00100030', 'DA'],
  ['00100040', 'CS'],
  ['00102000', 'LO'],
  ['00102110', 'LO'],
  ['0020000D', 'UI'],
  ['00321032', 'PN'],
  ['00321060', 'LO'],
  ['00380010', 'LO'],
  ['00380300', 'LO'],
  ['00401001', 'SH'],
  ['00401002', 'LO'],
  ['00401003', 'SH'],
  ['00402016', 'LO'],
  ['00402017', 'LO'],
];

/** Requested attributes of the scheduled step. */
const stepAttributes: RequestedAttributes = [
  ['00400003', 'TM'],
  ['00400006', 'PN'],
  ['00400007', 'LO'],
  ['00400009', 'SH'],
  ['00400010', 'SH'],
  ['00400011', 'SH'],
];

/** A code: value, scheme, meaning. */
const code: RequestedAttributes = [
  ['00080100', 'SH'],
  ['00080102', 'SH'],
  ['00080104', 'LO'],
];

/** Who gave a number: local name, universal id and its type. */
const giver: RequestedAttributes = [
  ['00400031', 'UT'],
  ['00400032', 'UT'],
  ['00400033', 'CS'],
];

/** Who gave the patient's id: universal id and its type, and the type of the id. */
const patientIdGiver: RequestedAttributes = [
  ['00400032', 'UT'],
  ['00400033', 'CS'],
  ['00400035', 'CS'],
];

const charsets = { 'utf-8': 'ISO_IR 192', 'latin-1': 'ISO_IR 100', none: undefined } as const;

/** A query for the exams of a range of days, `YYYYMMDD`. */
export function buildWorklistQuery(
  { station_title, query_charset = 'utf-8' }: DicomWorklistSettings,
  days: { readonly from: string; readonly to: string },
  modality: string | undefined,
): Attribute[] {
  const charset = charsets[query_charset];
  return [
    ...(charset === undefined ? [] : [['00080005', 'CS', charset] as const]),
    ...orderAttributes,
    ['00080051', 'SQ', [giver]],
    ['00100024', 'SQ', [patientIdGiver]],
    ['00321064', 'SQ', [code]],
    [
      '00400100',
      'SQ',
      [
        [
          ...stepAttributes,
          ['00080060', 'CS', modality ?? ''],
          ['00400001', 'AE', station_title ?? ''],
          ['00400002', 'DA', days.from === days.to ? days.from : `${days.from}-${days.to}`],
          ['00400008', 'SQ', [code]],
        ],
      ],
    ],
  ];
}
