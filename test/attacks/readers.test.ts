/** No reader of what comes from outside does more than linear work, whatever is repeated in it. */
import { deflateRawSync, gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { AppError } from '../../src/contract/errors.ts';
import { namesIn } from '../../src/domain/fhir-references.ts';
import { sectionsOfText } from '../../src/reporting/priors/sections.ts';
import { readCommand } from '../../src/protocols/dimse/command.ts';
import {
  asFile,
  explicitLittleEndian,
  implicitLittleEndian,
  writeDataSet,
} from '../../src/protocols/dimse/data-set.ts';
import type { Attribute } from '../../src/protocols/dimse/data-set.ts';
import { readPdus } from '../../src/protocols/dimse/pdu.ts';
import { Frames } from '../../src/protocols/mllp/frames.ts';
import { readTerms } from '../../src/files/wordbook/term-file.ts';
import { readMacros } from '../../src/files/wordbook/macro-file.ts';
import { readPriors } from '../../src/files/priors/prior-file.ts';
import { readTemplateFile } from '../../src/files/templates/template-file.ts';
import { createMessageReader } from '../../src/files/worklist/hl7/one-message.ts';
import type { ReadOptions } from '../../src/files/worklist/reading.ts';
import { readWorklist } from '../../src/files/worklist/worklist-file.ts';
import { readStep } from '../../server/delivery/channels/kinds/dicom-mpps/step.ts';
import { readQuery } from '../../server/delivery/channels/kinds/dicom-worklist-provider/query.ts';
import { openDataSet } from '../../src/files/worklist/dicom/dicom-file.ts';
import { explored, sampled } from '../support/explored.ts';
import { excessiveGrowth } from '../support/growth.ts';
import { repetitionsOf } from '../support/repetitions.ts';

type Read = (bytes: Buffer) => unknown;

/** A reader, and the inputs of growing size that it is given. */
interface Attack {
  readonly read: Read;
  readonly shapes: readonly { readonly what: string; readonly make: (size: number) => Buffer }[];
}

/** Shapes of a reader that the gate tries; all of them where it explores. */
const mostShapes = 7;
/** Repetitions of the first try, and how much longer than of a quarter of them linear work may take. */
const some = 800;
const suspiciousGrowth = 6;
const suspiciousMs = 4;

const timeZone = 'UTC';

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const worklist =
  (format: NonNullable<ReadOptions['format']>): Read =>
  async (bytes) => {
    const { readings } = await readWorklist(once(bytes), { format, timeZone });
    for await (const reading of readings) expect(reading.kind).toBeDefined();
  };

const prior: Read = async (bytes) => {
  const { readings } = await readPriors(once(bytes), { timeZone });
  for await (const reading of readings) expect(reading.kind).toBeDefined();
};

const texts = (sample: string, read: Read): Attack => ({
  read,
  shapes: repetitionsOf(sample).map(({ what, make }) => ({ what, make: (size) => Buffer.from(make(size)) })),
});

const segments = (...all: readonly string[]): string => all.map((segment) => `${segment}\r`).join('');
const header = (type: string): string => String.raw`MSH|^~\&|RIS|H|L|L|20260302090000+0000||${type}|1|P|2.5`;
const order = segments(
  header('ORM^O01^ORM_O01'),
  'PID|1||123^4^5^H^MR~456^^^X^PI||TESTE^ANA^^^DR||19800101|F',
  'PV1|1|I|W1^R2^B3||||77^SMITH^JOHN',
  String.raw`NTE|1||A note \T\ more`,
  'ORC|NW|P1^H|F1^H||SC||^^^20260302090000^^R',
  'OBR|1|P1|F1|CT^Head^L|||20260302090000||||||clinical||||||A1|R1|||||CT|||^^^20260302||||why^reason',
  'NTE|1||another',
  'IPC|A1|R1|1.2.3|S1|CT|P^Q',
  'ZDS|1.2.3.4^x',
);
const merge = segments(
  header('ADT^A40'),
  'PID|1||123^^^H^MR~456^^^X^PI||TESTE^ANA||19800101|F',
  'MRG|99^^^H^MR~98^^^X^PI|||||||TESTE^ANITA',
);
const appointment = segments(
  header('SIU^S12'),
  'SCH|1|2|||||CT^Head|||30|min|^^^20260302090000|||||||||||||BOOKED|P1|F1',
  'PID|1||123||TESTE^ANA',
  'RGS|1',
  'AIS|1|A|CT^Head|20260302090000',
  'AIL|1||L^R',
);
const result = segments(
  header('ORU^R01'),
  'PID|1||123||TESTE^ANA||19800101|F',
  'OBR|1|P1|F1|CT^Head|||20260302090000||||||||||||A1||||20260302||CT|F',
  'OBX|1|TX|18782-3^Findings^LN||Lungs clear.~No effusion.||||||F',
  'OBX|2|ED|PDF||^text^html^Base64^PGI+aGk8L2I+||||||F',
);
const bundle = JSON.stringify({
  resourceType: 'Bundle',
  type: 'collection',
  entry: [
    {
      fullUrl: 'http://x/Patient/1',
      resource: {
        resourceType: 'Patient',
        id: '1',
        identifier: [{ type: { coding: [{ code: 'MR' }] }, value: '1' }],
        name: [{ family: 'TESTE', given: ['ANA'] }],
        link: [{ other: { reference: 'Patient/1' }, type: 'replaced-by' }],
      },
    },
    {
      resource: {
        resourceType: 'ServiceRequest',
        id: '2',
        status: 'active',
        identifier: [{ type: { coding: [{ code: 'ACSN' }] }, value: 'A1' }],
        subject: { reference: 'Patient/1/_history/2' },
        requester: { reference: '#c' },
        contained: [{ resourceType: 'Practitioner', id: 'c' }],
        code: { coding: [{ code: 'CT', display: 'Head' }] },
        occurrenceDateTime: '2026-03-02T09:00:00Z',
      },
    },
  ],
});
const xml =
  '<Bundle xmlns="http://hl7.org/fhir"><entry><resource><Patient><id value="1"/><name><family value="A &amp; B"/></name><text><div><p>x</p></div></text></Patient></resource></entry><entry><resource><ServiceRequest><id value="2"/><status value="active"/><identifier><value value="A1"/></identifier><subject><reference value="Patient/1"/></subject></ServiceRequest></resource></entry></Bundle>';
const report = JSON.stringify({
  resourceType: 'DiagnosticReport',
  id: '9',
  status: 'final',
  result: [{ reference: '#o' }],
  contained: [{ resourceType: 'Observation', id: 'o', valueString: 'x', code: { text: 'T' } }],
  conclusion: 'Done.',
  text: { div: '<div><p>FINDINGS: <b>x</b></p></div>' },
});
const table =
  'accession_number;patient_id;patient_name;modality;procedure_description;scheduled_at;patient_birth_date\r\nA1;1;"TESTE, ANA ""x""";CT;Head;02/03/2026 08:30 GMT+1;1980-01-01\r\nA2;2;="001";MR;Knee;Apr 6, 2026 9 PM;31.12.1980\r\n';
const items = JSON.stringify({ items: [{ accession_number: 'A1', modality: 'CT', metadata: { a: { b: [1] } } }] });
const dicomJson = JSON.stringify([
  {
    '00080050': { vr: 'SH', Value: ['A1'] },
    '00400100': { vr: 'SQ', Value: [{ '00080060': { vr: 'CS', Value: ['CT'] } }] },
  },
]);
const mrrt =
  '<!DOCTYPE html><html lang="en"><head><title>CT Head</title><meta charset="UTF-8"><script type="text/xml"><template_attributes><coded_content><entry ORIGTXT="T1"><term><code meaning="x" value="RID1" scheme="RADLEX"></term></entry></coded_content></template_attributes></script></head><body><section id="T1" data-section-name="Findings"><header>Findings</header><p><label for="a">Size (mm):</label><input id="a" type="number" value="1"> «« x »» <select><option>b</option></select></p></section></body></html>';
const macros = 'name,text\nnormal chest,"The lungs are clear. [__ mm]"\n';
const words = 'heard,written\nrid one,RID-1\n';
const prose = 'CT HEAD\nFINDINGS: The lungs are clear.\n**IMPRESSION**\n- Normal. --\n\n\nx  #\n';

const readMessage = createMessageReader({ timeZone });
const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
};

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
/** The head of an item of undefined length, and of the sequence around it, in the implicit syntax. */
const openItem = Buffer.concat([
  Buffer.from([0x40, 0, 0, 1]),
  number(0xffffffff),
  Buffer.from([0xfe, 0xff, 0, 0xe0]),
  number(0xffffffff),
]);
const closeItem = Buffer.from([0xfe, 0xff, 0x0d, 0xe0, 0, 0, 0, 0, 0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0]);

const dataSets: Attack['shapes'] = [
  ...(
    [
      ['padding', (size) => [['00100010', 'PN', `TESTE${' \0'.repeat(size)}x`]]],
      ['values', (size) => [['00100010', 'PN', 'A\\'.repeat(size)]]],
      ['groups of a name', (size) => [['00100010', 'PN', '^='.repeat(size)]]],
      ['character sets', (size) => [['00080005', 'CS' as 'SH', '\\ISO 2022 IR 100'.repeat(size)]]],
      [
        'items',
        (size) => [['00400100', 'SQ', Array.from({ length: size }, () => [['00080060', 'CS', 'CT']] as Attribute[])]],
      ],
      [
        'elements',
        (size) => Array.from({ length: size }, (_, at) => [(0x00100020 + at).toString(16).padStart(8, '0'), 'LO', 'x']),
      ],
    ] satisfies [string, (size: number) => Attribute[]][]
  ).map(([what, make]) => ({ what, make: (size: number) => writeDataSet(make(size), implicitLittleEndian) })),
  {
    what: 'nested items',
    make: (size) => Buffer.concat([...Array<Buffer>(size).fill(openItem), ...Array<Buffer>(size).fill(closeItem)]),
  },
  { what: 'items without an end', make: (size) => Buffer.concat(Array<Buffer>(size).fill(openItem)) },
  {
    what: 'values of undefined length',
    make: (size) =>
      Buffer.concat(Array<Buffer>(size).fill(Buffer.concat([Buffer.from([8, 0, 0x50, 0]), number(0xffffffff)]))),
  },
  { what: 'zeros', make: (size) => Buffer.alloc(8 * size) },
  { what: 'ones', make: (size) => Buffer.alloc(8 * size, 0xff) },
];

const soughtExam = {
  accession: '',
  patientName: 'a'.repeat(200),
  patientId: '',
  study: '',
  procedure: '',
  modality: 'CT',
};

const unit = (type: number, body: Buffer): Buffer => {
  const head = Buffer.alloc(6);
  head.writeUInt8(type);
  head.writeUInt32BE(body.length, 2);
  return Buffer.concat([head, body]);
};
const association = (items_: Buffer): Buffer => unit(1, Buffer.concat([Buffer.alloc(68), items_]));

const pdus: Attack['shapes'] = [
  {
    what: 'empty fragments',
    make: (size) => unit(4, Buffer.concat(Array<Buffer>(size).fill(Buffer.from([0, 0, 0, 2, 1, 0])))),
  },
  { what: 'empty items', make: (size) => association(Buffer.alloc(4 * size)) },
  {
    what: 'services',
    make: (size) => association(Buffer.concat(Array<Buffer>(size).fill(Buffer.from([0x20, 0, 0, 4, 1, 0, 0, 0])))),
  },
  {
    what: 'spaces',
    make: (size) => association(Buffer.concat([Buffer.from([0x50, 0, 0, 0]), Buffer.alloc(size, 0x20)])),
  },
  { what: 'units', make: (size) => Buffer.concat(Array<Buffer>(size).fill(unit(5, Buffer.alloc(4)))) },
];

const workbook = (rows: string): Buffer =>
  Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
      ),
      'xl/_rels/workbook.xml.rels': strToU8(
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      ),
      'xl/workbook.xml': strToU8(
        '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>',
      ),
      'xl/worksheets/sheet1.xml': strToU8(
        `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
      ),
    }),
  );
const sheet =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>accession_number</t></is></c><c r="B1" t="inlineStr"><is><t>patient_name</t></is></c></row><row r="2"><c r="A2"><v>1</v></c></row>';

const drain = async (bytes: Buffer): Promise<void> => {
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += 4096) yield bytes.subarray(at, at + 4096);
  };
  for await (const pdu of readPdus(chunks(), 1024 * 1024))
    if (pdu.type === 'data') expect([...pdu.fragments]).toBeDefined();
};

const attacks: Readonly<Record<string, Attack>> = {
  'HL7 orders': texts(order, worklist('hl7')),
  'HL7 orders over a connection': texts(order, (bytes) => readMessage(bytes)),
  'HL7 merges': texts(merge, (bytes) => readMessage(bytes)),
  'HL7 appointments': texts(appointment, (bytes) => readMessage(bytes)),
  'HL7 results': texts(result, prior),
  'MLLP frames': {
    read: (bytes) => [...new Frames(64 * 1024).push(bytes)],
    shapes: ['\v', '\x1c', '\v\x1c', 'a\v', '\r', '\va\x1c\r'].map((text) => ({
      what: JSON.stringify(text),
      make: (size) => Buffer.from(text.repeat(size)),
    })),
  },
  'FHIR JSON': texts(bundle, worklist('fhir')),
  'FHIR XML': texts(xml, worklist('fhir')),
  'FHIR reports': texts(report, prior),
  'FHIR references': texts(bundle, (bytes) => namesIn(parsed(bytes))),
  CSV: texts(table, worklist('csv')),
  JSON: texts(items, worklist('json')),
  NDJSON: texts(`${items}\n${items}\n`, worklist('ndjson')),
  'DICOM JSON': texts(dicomJson, worklist('dicom-json')),
  'a workbook': {
    read: worklist('xlsx'),
    shapes: repetitionsOf(sheet).map(({ what, make }) => ({ what, make: (size) => workbook(make(size)) })),
  },
  'DICOM files': {
    read: worklist('dicom'),
    shapes: dataSets.map(({ what, make }) => ({ what, make: (size) => asFile(make(size), implicitLittleEndian) })),
  },
  'deflated DICOM files': {
    read: worklist('dicom'),
    shapes: dataSets.map(({ what, make }) => ({
      what,
      make: (size) => asFile(deflateRawSync(make(size)), '1.2.840.10008.1.2.1.99'),
    })),
  },
  'performed steps': { read: (bytes) => readStep(bytes, implicitLittleEndian), shapes: dataSets },
  'performed steps in the explicit syntax': {
    read: (bytes) => readStep(bytes, explicitLittleEndian),
    shapes: dataSets,
  },
  'queries of modalities': {
    read: (bytes) => void readQuery(openDataSet(bytes, implicitLittleEndian).dataSet).matches(soughtExam),
    shapes: [
      ...dataSets,
      {
        what: 'wildcards',
        make: (size) => writeDataSet([['00100010', 'PN', `${'*a'.repeat(size)}b`]], implicitLittleEndian),
      },
    ],
  },
  'DIMSE commands': {
    read: (bytes) => readCommand(bytes),
    shapes: [
      ...dataSets,
      {
        what: 'comment',
        make: (size) => writeDataSet([['00000902', 'LO', `${' \0'.repeat(size)}x`]], implicitLittleEndian),
      },
    ],
  },
  'DICOM units': { read: drain, shapes: pdus },
  gzip: {
    read: worklist('ndjson'),
    shapes: repetitionsOf(`${items}\n`).map(({ what, make }) => ({ what, make: (size) => gzipSync(make(size)) })),
  },
  templates: texts(mrrt, (bytes) => readTemplateFile(bytes)),
  macros: texts(macros, (bytes) => readMacros(once(bytes))),
  'words of a vocabulary': texts(words, (bytes) => readTerms(once(bytes))),
  'reports as text': texts(prose, (bytes) => sectionsOfText(bytes.toString())),
};

/** What the reader takes for the input, in ms of the processor; what it refuses is as good as what it takes. */
const reading = (read: Read, bytes: Buffer) => async (): Promise<void> => {
  try {
    await read(bytes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
};

const msOf = async (work: () => Promise<void>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

test.each(Object.entries(attacks))('%s', { timeout: 120_000 * explored.times }, async (_name, { read, shapes }) => {
  const faults: string[] = [];
  for (const { what, make } of sampled(shapes, mostShapes)) {
    const work = reading(read, make(some));
    const ms = await msOf(work);
    if (ms < suspiciousMs) continue;
    const quarter = reading(read, make(some / 4));
    // What else the machine does makes a try longer, and none shorter.
    const least = Math.min(ms, await msOf(work));
    if (least < suspiciousGrowth * (await msOf(quarter))) continue;
    const growth = await excessiveGrowth((size) => reading(read, make(size)), { from: some / 4, largest: 8 * some });
    if (growth)
      faults.push(`${what}: ${growth.ms.map((each) => each.toFixed(1)).join(', ')} ms for ${growth.size} and more`);
  }
  expect(faults).toEqual([]);
});
