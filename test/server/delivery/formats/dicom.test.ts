/** Documents as DICOM files, read by other people's programs: dcmtk, dicom3tools and pydicom. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { writers } from '../../../../server/delivery/formats/registry.ts';
import { identifier, longString, personName, unlimitedText } from '../../../../server/delivery/formats/dicom/values.ts';
import type { Report } from '../../../../src/reporting/report-head.ts';
import { reportWith } from '../../../support/signed-report.ts';
import { storedItem } from '../../../support/stored-item.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const signature = { who: 'Dra. Helena Prado', licence: 'CRM-SP 123456', at: '2026-03-02T11:00:00.000Z' };
const item = storedItem('wli_1', {
  accession_number: 'ACC-1',
  patient_name: 'SILVA^JOÃO',
  patient_birth_date: '1971-06-14',
  patient_sex: 'M',
  study_uid: '1.2.826.0.1.3680043.8.498.4417',
  hospital_name: 'Hospital São Lucas',
  referring_physician: 'Dr. Rui Alves',
  exam_datetime: '2026-03-02T07:30:00-03:00',
  metadata: { placer_order_number: 'PL-1', filler_order_number: 'FI-1', patient_id_issuer: 'HSL' },
});
const base = reportWith([
  { key: 'findings', title: 'Achados', text: 'Coração normal.\nSem \\ derrame — ok.' },
  { key: 'a_key_longer_than_sixteen_characters', title: 'Própria', text: 'x' },
  { key: 'technique', title: 'Técnica', text: '' },
]);
const { record } = base;
const image = (instance_uid: string) => ({ series_uid: '1.2.3', instance_uid, class_uid: '1.2.840.10008.5.1.4.1.1.2' });
const orders = [
  { status: 'open', placer_order_number: 'P1' },
  {
    status: 'open',
    placer_order_number: 'P2',
    procedure_code: '24627-2',
    procedure_text: 'Abdomen',
    procedure_code_system: 'http://loinc.org',
  },
  { status: 'open', placer_order_number: 'P3', procedure_code: 'TCCRANIO', procedure_text: 'Crânio' },
  { status: 'open', placer_order_number: 'P4', procedure_code: 'longer than sixteen', procedure_text: 'Tórax' },
];
const reports: Readonly<Record<string, Report>> = {
  final: { ...base, item, signature },
  linked: { ...base, item: { ...item, metadata: { orders } }, signature },
  alone: base,
  preliminary: {
    ...base,
    item,
    record: { ...record, status: 'preliminary' },
    signature: null,
    preliminary: signature,
  },
  amended: { ...base, item, signature, changed: 'amended', record: { ...record, version: 3 } },
  corrected: {
    ...base,
    item,
    signature,
    preliminary: signature,
    record: {
      ...record,
      version: 3,
      preliminary: { by: 'Dr. Caio Nunes', at: signature.at, version: 2 },
      replaces: { record_id: 'rec_01JNA0000000000000000000AA', version: 4 },
    },
  },
  draft: { ...base, item, signature: null, record: { ...record, status: 'draft', test_mode: true } },
  measured: {
    ...reportWith(
      [
        {
          key: 'findings',
          title: 'Achados',
          text: 'Nódulo de 6 mm no lobo superior direito.\nBaço normal. Rim esquerdo de 11,2 x 5 cm. Sem nódulos maiores que 5 mm.\n日本 العربية α',
        },
        { key: 'technique', title: 'Técnica', text: 'Cortes de 1 mm.' },
      ],
      { metadata: { key_images: [image('1.2.3.1'), image('1.2.3.2'), { ...image('1.2.3.3'), series_uid: 'none' }] } },
    ),
    item: { ...item, patient_name: 'Yamada^Tarou=山田^太郎', exam_description: 'Ἀκτινογραφία θώρακος '.repeat(9) },
    signature: { ...signature, who: '山田 太郎' },
  },
};

type Format = 'dicom-pdf' | 'dicom-sr' | 'dicom-enhanced-sr' | 'dicom-measurements';

async function written(report: Report, format: Format): Promise<string> {
  const file = join(await temporaryDirectory(), `${format}.dcm`);
  writeFileSync(file, (await writers[format](report))!);
  return file;
}

/** One report shows what Enhanced SR has in addition. */
const formats = (name: string): Format[] =>
  name === 'measured' ? ['dicom-pdf', 'dicom-enhanced-sr', 'dicom-measurements'] : ['dicom-pdf', 'dicom-sr'];

const cases = Object.entries(reports).flatMap(([name, report]) =>
  formats(name).map((format) => [name, format, report] as const),
);

test.each(cases)('%s as %s conforms', async (_name, format, report) => {
  const { stderr, stdout, status } = spawnSync('dciodvfy', [await written(report, format)], { encoding: 'utf8' });
  expect(`${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('Error'))).toEqual([]);
  expect(status).toBe(0);
  expect(`${stdout}${stderr}`).not.toMatch(/Retired|defined term = <(?!99)/);
  expect(await writers[format](report)).toEqual(await writers[format](report));
});

test.each([
  ['final', /Preliminary Flag {4}: FINAL[^]*COMPLETE[^]*: VERIFIED[^]*08:00:00 -03:00, Prado\^Helena\^\^Dra\./],
  ['preliminary', /: PRELIMINARY[^]*COMPLETE[^]*: UNVERIFIED/],
  ['amended', /Predecessor Docs {4}: 1[^]*: VERIFIED/],
  ['corrected', /Predecessor Docs {4}: 2[^]*: VERIFIED/],
  ['draft', /: PRELIMINARY[^]*PARTIAL[^]*: UNVERIFIED[^]*Dados de teste/],
] as const)('dsrdump reads the %s report', async (name, expected) => {
  const dump = execFileSync('dsrdump', ['+Pl', await written(reports[name]!, 'dicom-sr')], { encoding: 'utf8' });
  expect(dump).toMatch(expected);
  expect(dump).toContain('Coração normal.');
});

/** What an expression of Python says of the data set `d`, after a statement. */
function readByPydicom(file: string, statement: string, expression: string): unknown {
  const script = `import pydicom,sys,json;d=pydicom.dcmread(sys.argv[1]);${statement};print(json.dumps(${expression}))`;
  return JSON.parse(execFileSync('/usr/bin/python3', ['-c', script, file], { encoding: 'utf8' }));
}

test('pydicom gets the PDF, and the numbers of the exam', async () => {
  const read = readByPydicom(
    await written(reports['final']!, 'dicom-pdf'),
    'b=d.EncapsulatedDocument[:d.EncapsulatedDocumentLength]',
    '[str(d.PatientName),d.PatientID,d.IssuerOfPatientID,d.AccessionNumber,d.StudyInstanceUID,d.StudyTime,b[:5].decode(),b[-6:].decode().strip()]',
  );
  expect(read).toEqual(['SILVA^JOÃO', item.patient_id, 'HSL', 'ACC-1', item.study_uid, '073000', '%PDF-', '%%EOF']);
});

test('the SR answers each order of the exam, and names its procedure', async () => {
  const read = readByPydicom(
    await written(reports['linked']!, 'dicom-sr'),
    's=d.ReferencedRequestSequence',
    '[[r.AccessionNumber,r.PlacerOrderNumberImagingServiceRequest,r.RequestedProcedureDescription]+[c for p in r.RequestedProcedureCodeSequence for c in (p.CodeValue,p.CodingSchemeDesignator,p.CodeMeaning)] for r in s]',
  );
  expect(read).toEqual([
    ['ACC-1', 'P1', item.exam_description],
    ['ACC-1', 'P2', 'Abdomen', '24627-2', 'LN', 'Abdomen'],
    ['ACC-1', 'P3', 'Crânio', 'TCCRANIO', '99LOCAL', 'Crânio'],
    ['ACC-1', 'P4', 'Tórax'],
  ]);
});

test('the SR names what it replaces by the UIDs that were sent: its preliminary version, and the other document of the exam', async () => {
  const { corrected } = reports;
  const uids = 'd.SOPInstanceUID,d.SeriesInstanceUID,d.StudyInstanceUID';
  const former = [
    { ...record, version: 2 },
    { ...record, id: 'rec_01JNA0000000000000000000AA', version: 4 },
  ];
  const sent = await Promise.all(
    former.map(async (each) =>
      readByPydicom(await written({ ...base, item, record: each }, 'dicom-sr'), 'pass', `[${uids}]`),
    ),
  );
  const named = readByPydicom(
    await written(corrected!, 'dicom-sr'),
    'p=d.PredecessorDocumentsSequence',
    '[[s.ReferencedSOPSequence[0].ReferencedSOPInstanceUID,s.SeriesInstanceUID,e.StudyInstanceUID] for e in p for s in e.ReferencedSeriesSequence]',
  );
  expect(named).toEqual(sent);
});

test('Enhanced SR gives each measurement in UCUM with its side and site, below the sentence that says it', async () => {
  const dump = execFileSync('dsrdump', ['+Pl', '-Ph', await written(reports['measured']!, 'dicom-enhanced-sr')], {
    encoding: 'utf8',
  });
  const lines = dump.slice(dump.indexOf('<contains')).trimEnd().split('\n').slice(0, 19);
  expect(lines.map((line) => line.trim().replace(/:\(,,"([^"]*)"\)/, ' $1'))).toEqual([
    '<contains CONTAINER Key Images=SEPARATE>',
    ...['1', '2'].map(() => '<contains IMAGE Best illustration of finding=(CT image,)>'),
    '<contains CONTAINER Achados=SEPARATE>',
    '<contains TEXT Achados="Nódulo de 6 mm no lobo superior direito.">',
    '<inferred from NUM Length="6" (mm,UCUM,"millimeter")>',
    '<has concept mod CODE Laterality=(24028007,SCT,"Right")>',
    '<contains TEXT Achados="Baço normal.">',
    '<contains TEXT Achados="Rim esquerdo de 11,2 x 5 cm.">',
    ...['11.2', '5'].flatMap((value) => [
      `<inferred from NUM Length="${value}" (cm,UCUM,"centimeter")>`,
      '<has concept mod CODE Finding Site=(64033007,SCT,"Kidney")>',
      '<has concept mod CODE Laterality=(7771000,SCT,"Left")>',
    ]),
    '<contains TEXT Achados="Sem nódulos maiores que 5 mm.\\r\\n日本 العربية α">',
    '<contains CONTAINER Técnica=SEPARATE>',
    '<contains TEXT Técnica="Cortes de 1 mm.">',
    '<contains CONTAINER Signature=SEPARATE>',
  ]);
});

test('the measurement report has a group by TID 1501 for each measurement, and the image and tracking UID of a viewer', async () => {
  const { measured } = reports;
  const { sections } = measured!.record;
  const viewer = {
    id: 'obs-1',
    tracking_uid: '1.2.3.9',
    series_uid: '1.2.3',
    instance_uid: '1.2.3.7',
    class_uid: '1.2.840.10008.5.1.4.1.1.2',
    sites: [{ system: 'http://snomed.info/sct', code: '45653009', display: 'Upper lobe of Right lung' }],
    values: [{ value: 6.0001, unit: 'mm', code: 'mm' }],
  };
  const start = sections[0]!.text.indexOf('6 mm');
  const words = { viewer, section: 'findings', text: '6 mm', place: { start, end: start + 4 } };
  const file = await written({ ...measured!, measurements: [words] }, 'dicom-measurements');
  const dump = execFileSync('dsrdump', ['+Pl', '-Ph', file], { encoding: 'utf8' });
  const lines = dump.slice(dump.indexOf('<contains')).trimEnd().split('\n');
  const track = 'has obs context';
  expect(lines.map((line) => line.trim().replace(/:\(,,"([^"]*)"\)/, ' $1'))).toEqual([
    '<contains CONTAINER Imaging Measurements=SEPARATE>',
    '<contains CONTAINER Measurement Group=SEPARATE>',
    `<${track} TEXT Tracking Identifier="obs-1">`,
    `<${track} UIDREF Tracking Unique Identifier="1.2.3.9">`,
    '<contains CODE Finding=(27925004,SCT,"Nodule")>',
    '<has concept mod CODE Finding Site=(45653009,SCT,"Upper lobe of Right lung")>',
    '<has concept mod CODE Laterality=(24028007,SCT,"Right")>',
    '<contains NUM Length="6" (mm,UCUM,"millimeter")>',
    '<inferred from IMAGE Source of Measurement=(CT image,)>',
    '<contains TEXT Comment="Nódulo de 6 mm no lobo superior direito.">',
    '<contains CONTAINER Measurement Group=SEPARATE>',
    `<${track} TEXT Tracking Identifier="rec_01JNA0000000000000000000AB findings 11.2 x 5 cm">`,
    expect.stringMatching(/^<has obs context UIDREF Tracking Unique Identifier="2\.25\.\d+">$/),
    '<has concept mod CODE Finding Site=(64033007,SCT,"Kidney")>',
    '<has concept mod CODE Laterality=(7771000,SCT,"Left")>',
    '<contains NUM Length="11.2" (cm,UCUM,"centimeter")>',
    '<contains NUM Length="5" (cm,UCUM,"centimeter")>',
    '<contains TEXT Comment="Rim esquerdo de 11,2 x 5 cm.">',
  ]);
  expect(
    spawnSync('dciodvfy', [file], { encoding: 'utf8' })
      .stderr.split('\n')
      .filter((line) => line.startsWith('Error')),
  ).toEqual([]);
});

test('a measurement report replaces those that were sent, and is empty where no measurement is left', async () => {
  const { measured } = reports;
  const { corrected } = reports;
  const [first, none] = [{ ...measured!.record, version: 2 }, record];
  const statement = 'p=d.get("PredecessorDocumentsSequence",[])';
  const expression =
    '[[s.ReferencedSOPSequence[0].ReferencedSOPInstanceUID for e in p for s in e.ReferencedSeriesSequence],len(d.ContentSequence[-1].get("ContentSequence",[]))]';
  const [sent] = readByPydicom(
    await written({ ...measured!, record: first }, 'dicom-measurements'),
    'pass',
    '[d.SOPInstanceUID]',
  ) as string[];
  const read = async (replaced: Report['replaced']) =>
    readByPydicom(await written({ ...corrected!, replaced: replaced! }, 'dicom-measurements'), statement, expression);
  expect(await read([{ record: first }, { record: none }])).toEqual([[sent], 0]);
  expect(await writers['dicom-measurements']({ ...corrected!, replaced: [{ record: none }] })).toHaveLength(0);
});

test('the SR names its template, and each private coding system with the OID that the order gave', async () => {
  const coded = { ...item, metadata: { procedure_code: 'TX', procedure_code_system: 'urn:oid:1.2.76.9' } };
  const read = readByPydicom(
    await written({ ...base, item: coded, signature }, 'dicom-sr'),
    't=d.ContentTemplateSequence[0];c=d.ReferencedRequestSequence[0].RequestedProcedureCodeSequence[0]',
    '[t.MappingResource,t.TemplateIdentifier,[s.CodingSchemeUID for s in d.CodingSchemeIdentificationSequence if s.CodingSchemeDesignator==c.CodingSchemeDesignator]]',
  );
  expect(read).toEqual(['DCMR', '2000', ['1.2.76.9']]);
});

test('values keep their limits; a number that does not fit is left out, never cut', () => {
  expect(identifier('A'.repeat(17), 16)).toBe('');
  expect(identifier('A\\B', 16)).toBe('');
  expect(identifier('Á'.repeat(9), 16)).toBe('');
  // A letter of several characters is not cut.
  expect(longString('e\u0301'.repeat(40))).toBe('e\u0301'.repeat(21));
  expect(longString('क्षि'.repeat(20))).toBe('क्षि'.repeat(5));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
      const groups = personName(text).split('=');
      expect(groups.length).toBeLessThanOrEqual(3);
      for (const group of groups) {
        expect([...group].length).toBeLessThanOrEqual(64);
        expect(group.split('^').length).toBeLessThanOrEqual(5);
        expect(group).not.toMatch(/[\\\x00-\x1f]/);
      }
      const cut = longString(text.repeat(2));
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(64);
      expect(unlimitedText(text)).not.toMatch(/[^\r]\n|\r[^\n]|[\x00-\x08]/);
    }),
  );
});
