/** Reports of other systems: what is read of HL7, FHIR, JSON and text, whatever is wrong with the file. */
import { gzipSync } from 'node:zlib';
import * as fc from '../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/contract/errors.ts';
import { PriorInput } from '../../../src/contract/prior.ts';
import { textOfHtml } from '../../../src/files/priors/html-text.ts';
import { createValidation } from '../../../server/runtime/validation.ts';
import { writers } from '../../../server/delivery/formats/registry.ts';
import { reportWith } from '../../support/signed-report.ts';
import { storedItem } from '../../support/stored-item.ts';
import { priorSample, readPriorFile } from '../../support/prior-readings.ts';

const samples = [
  { name: 'results.hl7', format: 'hl7', reports: 2 },
  { name: 'report.dcm', format: 'dicom', reports: 1 },
  { name: 'report.fhir.json', format: 'fhir', reports: 1 },
  { name: 'reports.ndjson', format: 'ndjson', reports: 2 },
  { name: 'report.txt', format: 'text', reports: 1 },
] as const;
const validate = createValidation()(PriorInput);

/** A result message; `observations` are the segments below its OBR. */
const message = (
  observations: readonly string[],
  { status = 'F', charset = 'UNICODE UTF-8', obr = 'R1' }: { status?: string; charset?: string; obr?: string } = {},
): string =>
  [
    `MSH|^~\\&|RIS|HSL|||20240114100000-0300||ORU^R01|1|P|2.5.1|||||BRA|${charset}`,
    'PID|1||0045871^^^HSL||TESTE^PACIENTE||19710614|M',
    `OBR|1||${obr}|CT^TC de tórax^L|||20240113091000-0300|||||||||||A1||||20240114100000-0300||CT|${status}`,
    ...observations,
    '',
  ].join('\r');
const report = async (text: string | Uint8Array) => {
  const { items, problems } = await readPriorFile(text);
  expect(problems).toEqual([]);
  expect(items).toHaveLength(1);
  return items[0]!;
};

describe.each(samples)('$name', ({ name, format, reports }) => {
  const bytes = priorSample(name);

  test('is recognised by its content, also packed, and read whole however its bytes are cut', async () => {
    const whole = await readPriorFile(bytes);
    expect(whole.problems).toEqual([]);
    expect(whole.format).toBe(format);
    expect(whole.items).toHaveLength(reports);
    for (const size of [1, 7, 1021]) expect(await readPriorFile(bytes, {}, size)).toEqual(whole);
    expect((await readPriorFile(gzipSync(bytes))).items).toEqual(whole.items);
    if (format !== 'text') for (const { item } of whole.items) expect(validate(structuredClone(item))).toEqual([]);
  });

  test('cut off anywhere, it ends in order, and the cut is reported', async () => {
    const whole = await readPriorFile(bytes);
    const words = JSON.stringify(whole.items);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), async (length) => {
        const cut = await readPriorFile(bytes.subarray(0, length)).catch((error: unknown) => error);
        if (cut instanceof Error) return void expect(cut).toBeInstanceOf(AppError);
        const { items, problems, format: told } = cut as Awaited<ReturnType<typeof readPriorFile>>;
        // Text alone says of nobody what it says: nothing is sent without more.
        if (told === 'text') return;
        // HL7 that ends with a segment is a message, if a shorter one: nothing in it says that more was to come.
        const isMessage = told === 'hl7' && /[\r\n]/.test(String.fromCharCode(bytes[length - 1]!));
        for (const { item, warnings = [] } of items) {
          const isWhole = isMessage || words.includes(JSON.stringify(item));
          expect(isWhole || warnings.some((each) => each.includes('cut off')), `${length}`).toBe(true);
        }
        if (items.length < reports && length > 0)
          expect(problems.length + items.length, `${length}`).toBeGreaterThan(0);
      }),
      { numRuns: 25, examples: name === 'results.hl7' ? [[527]] : [] },
    );
  });
});

test('nothing done to a sample does harm', async () => {
  const bytes = fc.constantFrom(...samples.map(({ name }) => priorSample(name)));
  await fc.assert(
    fc.asyncProperty(
      bytes,
      fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 6 })), { maxLength: 4 }),
      async (sample, changes) => {
        const changed = Buffer.from(sample);
        for (const [at, content] of changes)
          changed.set(content.subarray(0, changed.length - (at % changed.length)), at % changed.length);
        const read = await readPriorFile(changed).catch((error: unknown) => error);
        if (read instanceof Error) expect(read).toBeInstanceOf(AppError);
      },
    ),
    { numRuns: 30 },
  );
});

describe('HL7', () => {
  test('a report has the facts of its result, and a section for each name', async () => {
    const [first, second] = (await readPriorFile(priorSample('results.hl7'))).items;
    expect(first?.item).toEqual({
      report_id: 'R-2024-0113',
      accession_number: 'SL-2024-000113',
      patient_id: '0045871',
      patient_id_issuer: 'SLUCAS',
      patient_name: 'TESTE^PACIENTE',
      patient_birth_date: '1971-06-14',
      modality: 'CT',
      exam_datetime: '2024-01-13T09:10:00-03:00',
      exam_description: 'TC de tórax sem contraste',
      reported_at: '2024-01-14T10:00:00-03:00',
      author: 'PRADO^HELENA',
      hospital_name: 'Hospital São Lucas',
      status: 'final',
      sections: [
        {
          title: 'Achados',
          text: 'Nódulo sólido de 4 mm no lobo superior direito & sem calcificações.\nLinfonodo paratraqueal com 0,9 cm.\nAusência de derrame pleural.',
        },
        { title: 'Impressão', text: 'Nódulo pulmonar de 4 mm à direita.\nControle em 12 meses.' },
      ],
    });
    expect(second?.item).toMatchObject({ status: 'corrected' });
  });

  test.each([
    ['UNICODE UTF-8', 'utf8', 'Ausência — “ok”'],
    ['8859/1', 'latin1', 'Ausência de nódulo'],
    ['', 'latin1', 'Ausência de nódulo'],
    ['', 'utf8', 'Ausência de nódulo'],
  ] as const)('is decoded by MSH-18 %j, written as %s', async (charset, encoding, text) => {
    const { item } = await report(Buffer.from(message([`OBX|1|TX|R^Laudo||${text}`], { charset }), encoding));
    expect(item).toMatchObject({ text, exam_description: 'TC de tórax' });
  });

  test('messages in several encodings, in frames, are each decoded by their own', async () => {
    const frame = (text: string, encoding: BufferEncoding) => Buffer.from(`\v${text}\x1c\r`, encoding);
    const one = message(['OBX|1|TX|R^Laudo||nódulo'], { charset: '8859/1', obr: 'R1' });
    const two = message(['OBX|1|TX|R^Laudo||nódulo'], { charset: 'UNICODE UTF-8', obr: 'R2' });
    const { items } = await readPriorFile(Buffer.concat([frame(one, 'latin1'), frame(two, 'utf8')]));
    expect(items.map(({ item }) => [item['report_id'], item['text']])).toEqual([
      ['R1', 'nódulo'],
      ['R2', 'nódulo'],
    ]);
  });

  test.each([
    ['W', 'withdrawn'],
    ['D', 'withdrawn'],
  ])('a report entered in error (OBR-25 %s) has no text, and says so', async (status, kept) => {
    const { item, warnings } = await report(message(['OBX|1|TX|R^Laudo||of another patient'], { status }));
    expect(item).toMatchObject({ status: kept });
    expect(JSON.stringify(item)).not.toContain('another patient');
    expect(warnings?.join()).toContain('entered in error');
    expect(validate(structuredClone(item))).toEqual([]);
  });

  test('a status that nobody knows is none to rely on; observations that were all taken back are no report', async () => {
    const unknown = await report(message(['OBX|1|TX|R^Laudo||um'], { status: 'Q' }));
    expect(unknown.item['status']).toBe('preliminary');
    expect(unknown.warnings?.join()).toContain('OBR-25');
    const gone = await report(message(['OBX|1|TX|R^Laudo||um||||||W'], { status: '' }));
    expect(gone.item).toMatchObject({ status: 'withdrawn' });
    expect(JSON.stringify(gone.item)).not.toContain('"um"');
  });

  test.each([
    ['<p>ACHADOS:</p><p>um<br>dois</p>', 'ACHADOS:\num\ndois'],
    ['nódulo <5 mm e >3 mm, a<b', 'nódulo <5 mm e >3 mm, a<b'],
    [
      String.raw`{\E\rtf1\E\ansi\E\ansicpg1252{\E\fonttbl{\E\f0 Arial;}}\E\pard N\E\'f3dulo\E\par dois \E\u8804? 3}`,
      'Nódulo\ndois ≤ 3',
    ],
    [String.raw`{\rtf1\ansi\b um\b0\par dois}`, 'um\ndois'],
    ['NÃ³dulo', 'Nódulo'],
  ])('a body %s is read as the words that it shows', async (body, text) => {
    const { item } = await report(message([`OBX|1|FT|R^Laudo||${body}`]));
    expect(item['text']).toBe(text);
    const inside = Buffer.from(body.replaceAll('\\E\\', '\\')).toString('base64');
    const { item: other } = await report(message([`OBX|1|ED|R^Laudo||^text^RTF^Base64^${inside}`])).catch(() => ({
      item: undefined,
    }));
    if (body.startsWith('{')) expect(other?.['text']).toBe(text);
  });

  test('escapes are undone, lines and repetitions stay lines, and a separator in a text is a character', async () => {
    const { item } = await report(
      message([
        String.raw`OBX|1|FT|R^Laudo||um\.br\dois \F\ \S\ \T\ \R\ \E\ \X41\~três`,
        'OBX|2|TX|R^Laudo||4^5 & seis',
      ]),
    );
    expect(item['text']).toBe('um\ndois | ^ & ~ \\ A\ntrês\n4^5 & seis');
  });

  test.each([
    ['P', 'preliminary'],
    ['F', 'final'],
    ['C', 'corrected'],
    ['X', 'withdrawn'],
  ])('the status %s is %s', async (status, expected) => {
    expect((await report(message(['OBX|1|TX|R||texto'], { status }))).item).toMatchObject({ status: expected });
  });

  test('results of several patients, and with several numbers, are separate reports', async () => {
    const [first = ''] = message(['OBX|1|TX|R||um']).split('\rPID');
    const result = (patient: string, number: string) =>
      `PID|1||${patient}||TEST^PATIENT\rOBR|1||${number}|CT^TC|||20240113||||||||||||||||||F\rOBX|1|TX|R||de ${patient} ${number}`;
    const { items } = await readPriorFile(
      `${first}\r${result('1', 'A')}\rOBR|2||B|CT^TC|||20240113||||||||||||||||||F\rOBX|1|TX|R||de 1 B\r${result('2', 'C')}\r`,
    );
    expect(items.map(({ item }) => [item['patient_id'], item['report_id'], item['text']])).toEqual([
      ['1', 'A', 'de 1 A'],
      ['1', 'B', 'de 1 B'],
      ['2', 'C', 'de 2 C'],
    ]);
  });

  test.each([
    [message([]), 'has no text', 'OBX-5'],
    [message([], { status: 'S' }), 'no report yet', 'once it is written'],
    [message(['OBX|1|ED|R||^application^pdf^Base64^JVBERi0=']), 'has no text', 'OBX-5'],
    [
      message(['OBX|1|TX|R||texto']).replace('20240113091000-0300', 'ontem').replaceAll('20240114100000-0300', ''),
      'exam_datetime',
      'Correct OBR-7.1',
    ],
    [message(['OBX|1|TX|R||texto']).replace('ORU^R01', 'ORM^O01'), 'not a result', 'laudio worklist ingest'],
    ['MSH|^~\\&|A|B|C|D|1||ORU^R01|1|P|2.5\rOBR|1||R\rOBX|1|TX|R||texto\r', 'no patient', 'cut off'],
  ])('unusable reports are refused with a remedy (%#)', async (text, told, hint) => {
    const { items, problems } = await readPriorFile(text);
    expect(items).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(told);
    expect(problems[0]?.hint).toContain(hint);
  });

  test('an attached document is left out, and reported', async () => {
    const read = await report(message(['OBX|1|TX|R||texto', 'OBX|2|ED|R||^application^pdf^Base64^JVBERi0=']));
    expect(read.item['text']).toBe('texto');
    expect(read.warnings?.join()).toContain('PDF');
  });
});

describe('FHIR', () => {
  const resource = (fields: object): string =>
    JSON.stringify({
      resourceType: 'DiagnosticReport',
      id: 'd1',
      status: 'final',
      code: { text: 'TC de tórax' },
      effectiveDateTime: '2024-01-13T09:10:00-03:00',
      contained: [{ resourceType: 'Patient', id: 'p', identifier: [{ value: '7' }], name: [{ text: 'Test Patient' }] }],
      subject: { reference: '#p' },
      ...fields,
    });

  test('a report has its facts from what it refers to, and its narrative as text', async () => {
    const { item } = await report(priorSample('report.fhir.json'));
    expect(item).toMatchObject({
      report_id: 'BV-L-0302',
      accession_number: 'BV-2025-000302',
      study_uid: expect.stringContaining('1.2.826.0.1.3680043.8.498.20250302'),
      patient_id: 'BV-77120',
      patient_name: 'Teste^Paciente',
      patient_birth_date: '1971-06-14',
      modality: 'DX',
      author: 'Dr. Caio Nunes',
      status: 'final',
    });
    expect(item['text']).toBe(
      'Achados:\nOpacidade nodular de 5 mm no terço superior do pulmão direito.\n- Seios costofrênicos livres.\n- Coração de tamanho < 50 %.\n\nImpressão:\nNódulo pulmonar à direita.',
    );
  });

  test('text is taken as presented, in its character set, before the narrative', async () => {
    const data = Buffer.from('Laudo: nódulo', 'latin1').toString('base64');
    const form = { contentType: 'text/plain; charset=ISO-8859-1', data };
    const { item } = await report(resource({ presentedForm: [form], text: { div: '<div>outro</div>' } }));
    expect(item['text']).toBe('Laudo: nódulo');
  });

  test('without text, its observations and its conclusion are sections', async () => {
    const observation = {
      resourceType: 'Observation',
      id: 'o',
      code: { text: 'Nódulo' },
      valueQuantity: { value: 4, unit: 'mm' },
    };
    const patient = {
      resourceType: 'Patient',
      id: 'p',
      identifier: [{ value: '7' }],
      name: [{ text: 'Test Patient' }],
    };
    const { item } = await report(
      resource({ contained: [patient, observation], result: [{ reference: '#o' }], conclusion: 'Nódulo de 4 mm.' }),
    );
    expect(item['sections']).toEqual([
      { title: 'Nódulo', text: '4 mm' },
      { title: 'Conclusion', text: 'Nódulo de 4 mm.' },
    ]);
  });

  test.each([
    ['amended', 'corrected'],
    ['entered-in-error', 'withdrawn'],
  ])('the status %s is %s', async (status, expected) => {
    expect((await report(resource({ status, conclusion: 'x' }))).item).toMatchObject({ status: expected });
  });

  test.each([
    [{ status: 'registered', conclusion: 'x' }, 'no report yet'],
    [{}, 'no text'],
    [{ conclusion: 'x', effectiveDateTime: 'ontem' }, 'exam_datetime'],
  ])('unusable results are refused (%#)', async (fields, told) => {
    expect((await readPriorFile(resource(fields))).problems[0]?.message).toContain(told);
  });
});

describe('DICOM', () => {
  test('a structured report has a section for each heading, with its measurements', async () => {
    expect((await report(priorSample('report.dcm'))).item).toEqual({
      report_id: '1.2.826.0.1.3680043.8.498.2023.1',
      accession_number: 'SL-2023-000771',
      study_uid: '1.2.826.0.1.3680043.8.498.2023',
      patient_id: '0045871',
      patient_id_issuer: 'HSL',
      patient_name: 'TESTE^PACIENTE',
      patient_birth_date: '1971-06-14',
      exam_datetime: '2023-05-10T09:15:00-03:00',
      exam_description: 'TC de tórax',
      reported_at: '2023-05-10T11:45:00-03:00',
      author: 'Prado^Helena^^Dra.',
      hospital_name: 'Hospital São Lucas',
      status: 'final',
      sections: [
        { title: 'Achados', text: 'Nódulo no lobo superior direito, de contornos regulares.\nDiâmetro: 4 mm' },
        { title: 'Conclusão', text: 'Nódulo pulmonar de 4 mm, a controlar.' },
      ],
    });
  });

  const item = storedItem('wli_1', { accession_number: 'A-1', study_uid: '1.2.3', hospital_name: 'HSL' });
  const sections = [{ key: 'findings', title: 'Achados', text: 'Coração de aspecto normal.\nSem derrame.' }];
  const signature = { who: 'Dra. Helena Prado', licence: 'CRM-SP 1', at: '2026-03-02T11:00:00.000Z' };
  const own = { ...reportWith(sections), item, signature };

  test.each(['dicom-sr', 'dicom-pdf'] as const)('the words of a report come back from our own %s', async (format) => {
    const { item: read } = await report((await writers[format](own))!);
    expect(read).toMatchObject({ accession_number: 'A-1', study_uid: '1.2.3', status: 'final' });
    expect(JSON.stringify(read)).toContain('Coração de aspecto normal.\\nSem derrame.');
  });

  test.each([
    [
      'not yet verified',
      (file: string) => file.replace('VERIFIED', 'UNVERIFY').replace('COMPLETE', 'PARTIAL '),
      'preliminary',
    ],
  ])('a report that is %s is %s', async (_what, change, status) => {
    const changed = Buffer.from(change(priorSample('report.dcm').toString('latin1')), 'latin1');
    expect((await report(changed)).item).toMatchObject({ status });
  });

  test.each([
    ['measurements alone', (file: string) => file.replaceAll('TEXT', 'NUM '), 'no text'],
    ['images', (file: string) => file.replace('\x40\x00\x30\xa7', '\x40\x00\x31\xa7'), 'no report'],
  ])('an object of %s is refused', async (_what, change, told) => {
    const changed = Buffer.from(change(priorSample('report.dcm').toString('latin1')), 'latin1');
    expect((await readPriorFile(changed)).problems[0]?.message).toContain(told);
  });

  test('what only looks like a PDF is refused, without its words', async () => {
    const file = Buffer.from((await writers['dicom-pdf'](own))!);
    file.fill(0x20, file.indexOf('%PDF'), file.lastIndexOf('%%EOF') + 5);
    await expect(readPriorFile(file)).rejects.toThrow('damaged, or protected');
  });
});

describe('HTML', () => {
  test('nothing of it but words is left', () => {
    const html =
      '<div onclick="x()"><script>alert(1)</script><style>p{}</style><p>um<br/>dois &lt;b&gt; &amp; <b>três</b></p><img src=x onerror=y><table><tr><td>a</td><td>b</td></tr></table><pre>c\n  d</pre></div>';
    expect(textOfHtml(html)).toBe('um\ndois <b> & três\na b\nc\n  d');
  });

  test('any HTML is read, in time bounded by its length', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (html) => void textOfHtml(html)));
    expect(textOfHtml('<div>'.repeat(100_000) + 'x')).toBe('x');
  });
});

test.each([
  ['%PDF-1.7', 'a PDF'],
  ['PK\x03\x04', 'zip'],
  ['\0\x01\x02binary', 'not a report'],
])('other content is refused with a remedy: %j', async (content, told) => {
  await expect(readPriorFile(content)).rejects.toThrow(told);
});

test('a text larger than a report is refused before it is held whole', async () => {
  await expect(readPriorFile('a'.repeat(500_000))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
});
