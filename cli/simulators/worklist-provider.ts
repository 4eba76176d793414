/** A RIS with a modality worklist, which answers C-FIND (PS3.4 annex K). Ends when each exam was found. */
import type { DataSet } from 'dicom-parser';
import { sopClasses } from '../../src/protocols/dimse/classes.ts';
import { writeDataSet } from '../../src/protocols/dimse/data-set.ts';
import type { Attribute, Syntax } from '../../src/protocols/dimse/data-set.ts';
import { answerDicom, parseDataSet, newUid, statuses } from './dicom-peer.ts';
import type { PeerAnswer } from './dicom-peer.ts';
import type { Simulator } from './simulator.ts';
import { testOrders, formatTime } from './test-orders.ts';
import type { TestOrder } from './test-orders.ts';
import { tlsOptions } from './tls.ts';

export const worklistProvider: Simulator = {
  options: ['listen', 'count', ...tlsOptions],
  faults: {
    all: 'every exam is found, whatever was asked for',
    busy: 'the first query is refused: out of resources',
    silent: 'the first query gets no answer',
  },
  async run(context, { count, faults, ...words }) {
    const exams = testOrders(count ?? 5, context.clock.now()).map((order) => ({ ...order, study: newUid() }));
    const waiting = new Set(exams);
    let queries = 0;
    return answerDicom(
      context,
      { ...words, services: [sopClasses.worklist] },
      (message, agreed): PeerAnswer => {
        const query = parseDataSet(message, agreed);
        const step = query?.elements['x00400100']?.items?.[0]?.dataSet;
        const asked = { modality: step?.string('x00080060')?.trim() ?? '', days: daysIn(step) };
        const what = ['C-FIND', asked.modality, asked.days.join('-')].filter(Boolean).join(' ');
        queries++;
        const found = exams.filter((exam) => faults.has('all') || matches(exam, asked));
        const event = { what, more: `${found.length} of ${exams.length}` };
        if (queries === 1 && faults.has('silent')) return { answer: {}, event, fault: 'silent' };
        if (queries === 1 && faults.has('busy')) return { answer: { status: statuses.outOfResources }, event };
        for (const exam of found) waiting.delete(exam);
        const syntax = agreed.transferSyntax as Syntax;
        return { answer: { status: statuses.done, found: found.map((exam) => writeExam(exam, syntax)) }, event };
      },
      () => waiting.size === 0,
    );
  },
};

interface Query {
  readonly modality: string;
  readonly days: readonly string[];
}

/** First and last day of a range (PS3.4 C.2.2.2.5), empty if open-ended. */
const daysIn = (step: DataSet | undefined): string[] => (step?.string('x00400002')?.trim() || '').split('-');

function matches({ exam: [modality], when }: TestOrder, asked: Query): boolean {
  const [first = '', last = first] = asked.days;
  const { day } = formatTime(when);
  return (asked.modality === '' || asked.modality === modality) && day >= first && (last === '' || day <= last);
}

const code = (value: string, meaning: string): Attribute[] => [
  ['00080100', 'SH', value],
  ['00080102', 'SH', '99SIM'],
  ['00080104', 'LO', meaning],
];

function writeExam({ id, accession, exam, when, patient, study }: TestOrder & { study: string }, syntax: Syntax) {
  const [modality, procedure, text] = exam;
  const { day, time } = formatTime(when);
  return writeDataSet(
    [
      ['00080005', 'CS', 'ISO_IR 192'],
      ['00080050', 'SH', accession],
      ['00080201', 'SH', '+0000'],
      ['00100010', 'PN', `${patient.family}^${patient.given}`],
      ['00100020', 'LO', patient.id],
      ['00100030', 'DA', '19800102'],
      ['00100040', 'CS', 'F'],
      ['0020000D', 'UI', study],
      ['00321060', 'LO', text],
      ['00321064', 'SQ', [code(procedure, text)]],
      ['00401001', 'SH', id],
      ['00401003', 'SH', 'ROUTINE'],
      [
        '00400100',
        'SQ',
        [
          [
            ['00080060', 'CS', modality],
            ['00400001', 'AE', 'SIMULATOR'],
            ['00400002', 'DA', day],
            ['00400003', 'TM', time],
            ['00400007', 'LO', text],
            ['00400009', 'SH', id],
          ],
        ],
      ],
    ],
    syntax,
  );
}
