/** The kinds of channels that bring exams, each with a small system at its other end. */
import { writeFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { sopClasses } from '../../../../src/protocols/dimse/classes.ts';
import { writeDataSet } from '../../../../src/protocols/dimse/data-set.ts';
import type { Syntax } from '../../../../src/protocols/dimse/data-set.ts';
import { provide } from '../../../../src/protocols/dimse/provide.ts';
import { channelInSuite } from '../../../suites/channel-in.suite.ts';
import type { InPeer, Said } from '../../../suites/channel-in.suite.ts';
import { examFields } from '../../../support/api.ts';
import { startFhirServer } from '../../../support/fhir-server.ts';
import { connectMllp, orderMessage } from '../../../support/mllp.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

describe('hl7-in', () => channelInSuite({ kind: 'hl7-in', peer: sender }));
describe('folder-in', () => channelInSuite({ kind: 'folder-in', peer: folder }));
describe('fhir-in', () => channelInSuite({ kind: 'fhir-in', peer: fhirServer }));
describe('dicom-worklist', () => channelInSuite({ kind: 'dicom-worklist', peer: worklist }));

/** Sends one message after the other, each until it is taken or refused. */
function sender(): InPeer {
  const waiting: string[] = [];
  let count = 0;
  let isSending = false;
  async function send(address: string): Promise<void> {
    const peer = await connectMllp(address);
    onTestFinished(peer.close);
    try {
      while (waiting[0] !== undefined) {
        if (!/\rMSA\|A[AE]/.test(await peer.ask(waiting[0]))) return;
        waiting.shift();
      }
    } finally {
      peer.close();
    }
  }
  return {
    settings: { port: 0, answer_seconds: 2 },
    say: ({ accession, description, modality }) =>
      void waiting.push(
        orderMessage({ id: `${accession}-${++count}`, accession })
          .replace('TC de torax', description)
          .replace(/CT\r$/, `${modality}\r`),
      ),
    goOn(address) {
      if (isSending || address === null || waiting.length === 0) return;
      isSending = true;
      // A connection that breaks is made anew.
      void send(address)
        .catch(() => undefined)
        .finally(() => (isSending = false));
    },
  };
}

/** Lays a file for each thing it says. */
async function folder(): Promise<InPeer> {
  const path = await temporaryDirectory();
  let count = 0;
  return {
    settings: { path },
    async say({ accession, description, modality }) {
      const fields = examFields({ accession_number: accession, exam_description: description, modality });
      const name = join(path, `${String(++count).padStart(4, '0')}.json`);
      await writeFile(`${name}.tmp`, JSON.stringify(fields));
      await rename(`${name}.tmp`, name);
    },
  };
}

async function fhirServer(): Promise<InPeer> {
  const server = await startFhirServer();
  server.put({
    resourceType: 'Patient',
    id: 'p1',
    identifier: [{ value: 'P-1' }],
    name: [{ text: 'TESTE^PACIENTE' }],
    birthDate: '1980-01-02',
  });
  return {
    settings: { base_url: `${server.url}/fhir`, interval_seconds: 5 },
    say: ({ accession, description, modality }) =>
      server.put({
        resourceType: 'ServiceRequest',
        id: accession,
        status: 'active',
        intent: 'order',
        identifier: [{ type: { coding: [{ code: 'ACSN' }] }, value: accession }],
        code: { text: description },
        orderDetail: [{ coding: [{ system: 'http://dicom.nema.org/resources/ontology/DCM', code: modality }] }],
        subject: { reference: 'Patient/p1' },
        occurrenceDateTime: '2026-03-02T09:00:00-03:00',
      }),
  };
}

/** A worklist provider, which names all its exams whenever it is asked. */
async function worklist(): Promise<InPeer> {
  const exams = new Map<string, Said>();
  const providing = await provide({
    host: '127.0.0.1',
    port: 0,
    title: '',
    callers: [],
    services: [sopClasses.worklist],
    maxAssociations: 10,
    silentMs: 10_000,
    answer: async (_message, { transferSyntax }) => ({
      status: 0,
      found: [...exams.values()].map((exam) => writeExam(exam, transferSyntax as Syntax)),
    }),
    onFailure: () => {},
  });
  onTestFinished(() => providing.close());
  return {
    settings: { host: '127.0.0.1', port: providing.port, called_title: 'RIS', interval_seconds: 5 },
    say: (exam) => void exams.set(exam.accession, exam),
  };
}

const writeExam = ({ accession, description, modality }: Said, syntax: Syntax): Buffer =>
  writeDataSet(
    [
      ['00080005', 'CS', 'ISO_IR 192'],
      ['00080050', 'SH', accession],
      ['00100010', 'PN', 'TESTE^PACIENTE'],
      ['00100020', 'LO', 'P-1'],
      ['00100030', 'DA', '19800102'],
      ['00321060', 'LO', description],
      [
        '00400100',
        'SQ',
        [
          [
            ['00080060', 'CS', modality],
            ['00400002', 'DA', '20260302'],
            ['00400003', 'TM', '0930'],
            ['00400009', 'SH', '1'],
          ],
        ],
      ],
    ],
    syntax,
  );
