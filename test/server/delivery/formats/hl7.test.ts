/** A result says again what its order said, in the words, the character set and the form that the receiver wants. */
import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { hl7Report } from '../../../../server/delivery/formats/hl7.ts';
import { characterSets, encodeHl7 } from '../../../../server/delivery/formats/hl7/character-sets.ts';
import type { CharacterSet, EncodedMessage } from '../../../../server/delivery/formats/hl7/character-sets.ts';
import type { Hl7Settings } from '../../../../server/delivery/formats/hl7/settings.ts';
import { takeInstructions } from '../../../../src/domain/item-instructions.ts';
import { normaliseItem } from '../../../../src/domain/normalise.ts';
import type { Report } from '../../../../src/reporting/report-head.ts';
import { asSent } from '../../../../src/sending/entries.ts';
import { readOrderChange, orderReasons, statusAfter } from '../../../../src/sending/order-changes.ts';
import { createItem, mergeItem } from '../../../../server/worklists/ingest/merge.ts';
import { storedItem } from '../../../support/stored-item.ts';
import { reportWith } from '../../../support/signed-report.ts';
import { readPriorFile } from '../../../support/prior-readings.ts';
import { readFile, sampleBytes } from '../../../support/worklist-readings.ts';

const reportOn = (fields: object, text = 'Normal.'): Report => ({
  ...reportWith([{ key: 'findings', title: 'Achados', text }]),
  item: storedItem('wli_1', fields),
});

/** No test here looks into the PDF. */
const written = async (report: Report, settings: Hl7Settings = {}): Promise<string> =>
  (await hl7Report(report, { pdf: 'none', ...settings }))!;

/** Reads fields by place, as `OBR-4`; the first segment of the name. */
const placesOf = (message: string) => (place: string) => {
  const [name, number] = place.split('-');
  const fields = message
    .split(/[\r\n]+/)
    .find((segment) => segment.startsWith(`${name}|`))!
    .split('|');
  return fields[Number(number) - (name === 'MSH' ? 1 : 0)] ?? '';
};

const answerTo = async (order: string | Uint8Array) => {
  const { items, problems } = await readFile(order);
  expect(problems).toEqual([]);
  return placesOf(await written(reportOn(items[0]!.item)));
};

test('the numbers, the procedure, the patient, the visit and the physician of an order come back as they came', async () => {
  const order = placesOf(sampleBytes('order.hl7').toString('latin1'));
  const result = await answerTo(sampleBytes('order.hl7'));
  for (const place of [
    'ORC-2',
    'ORC-3',
    'OBR-2',
    'OBR-3',
    'PID-3',
    'PID-5',
    'PV1-2',
    'PV1-19',
    'OBR-18',
    'OBR-19',
    'OBR-4',
  ])
    expect(result(place), place).toBe(order(place));
  expect(result('OBR-16')).toBe('1021^PRADO^HELENA^^^DRA');
  expect([result('TQ1-7'), result('TQ1-9')]).toEqual(['20260305081000-0300', 'S']);
});

test('an OMI order with OIDs as issuers, and its reason', async () => {
  const order = [
    'MSH|^~\\&|RIS|HOSP|L|R|20260305080512-0300||OMI^O23^OMI_O23|1|P|2.5.1',
    'PID|||77^^^&1.2.76.1&ISO||TESTE^ANA||19630817|F',
    'PV1||I',
    'ORC|NW|P1^^1.2.76.2^ISO|F1|||||20260305',
    'TQ1|||||||20260305090000||R',
    'OBR|1|P1^^1.2.76.2^ISO|F1|71020^XR \\T\\ chest^C4||||||||||||Dr. Rui Alves|||||||||||||||^Tosse\\.br\\febre',
    'IPC|SL-9|RP-9|1.2.3.9|ST-9|CR',
  ].join('\r');
  const result = await answerTo(`${order}\r`);
  expect(result('PID-3')).toBe('77^^^&1.2.76.1&ISO');
  expect(result('PV1-2')).toBe('I');
  expect(result('OBR-4')).toBe('71020^XR \\T\\ chest^C4');
  // A name that came in the place of an identifier is none.
  expect(result('OBR-16')).toBe('^Dr. Rui Alves');
  expect(result('OBR-31')).toMatch(/^\^Tosse/);
  expect(result('TQ1-9')).toBe('R');
});

test.each([
  [{ procedure_code: '24627-2', procedure_code_system: 'http://loinc.org' }, '24627-2^TC de tórax^LN'],
  [{ procedure_code: 'X', procedure_text: 'Torax', procedure_code_system: '99HOSP' }, 'X^Torax^99HOSP'],
  [{ procedure_code: 'X' }, 'X^TC de tórax^L'],
  [{ procedure_code: '' }, '11528-7^TC de tórax^LN'],
])('the procedure of %j is %s', async (metadata, field) =>
  expect(placesOf(await written(reportOn({ metadata })))('OBR-4')).toBe(field),
);

test('missing fields are left out, or keep their former value', async () => {
  for (const metadata of [
    null,
    {},
    { patient_class: {}, visit_number: null, placer_order_number: ['x'], priority: 7e99 },
  ]) {
    const field = placesOf(await written(reportOn({ accession_number: 'SL-1', metadata })));
    expect(['ORC-2', 'ORC-3', 'OBR-3', 'PID-3', 'PV1-2', 'PV1-19', 'OBR-31'].map(field)).toEqual([
      '',
      'SL-1',
      'SL-1',
      'P-1',
      'U',
      '',
      '',
    ]);
  }
  expect(placesOf(await written({ ...reportOn({}), item: null }))('ORC-3')).toBe('rec_01JNA0000000000000000000AB');
});

test('whatever the metadata contains, it stays in its field', async () => {
  const keys = [
    'patient_id_issuer',
    'placer_order_number',
    'filler_order_issuer',
    'procedure_code',
    'visit_number',
    'priority',
  ];
  const plain = (await written(reportOn({}))).split('\r').length;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...keys), fc.string({ unit: 'binary' }), async (key, value) => {
      const message = await written(reportOn({ metadata: { [key]: value } }), { character_set: '8859/1' });
      expect(message.split('\r')).toHaveLength(plain);
      expect(message).not.toMatch(/[\x00-\x0c\x0e-\x1f]/);
      const bytes = latinIn(encodeHl7(message, '8859/1'));
      if (bytes) expect(bytes.split('\r')).toHaveLength(plain);
    }),
    { numRuns: 50 },
  );
});

test('the header and MSH-10 are what the receiver wants', async () => {
  const message = await written(reportOn({ hospital_name: 'H' }), {
    sending_application: 'LAUDIO^1.2.3^ISO',
    sending_facility: 'A|B',
    receiving_application: 'RIS',
    receiving_facility: 'São Lucas',
    control_id: 'MSG1',
  });
  expect(message).toMatch(/^MSH\|\^~\\&\|LAUDIO\^1\.2\.3\^ISO\|A\\F\\B\|RIS\|São Lucas\|/);
  expect(placesOf(message)('MSH-10')).toBe('MSG1');
  expect(placesOf(await written(reportOn({ hospital_name: 'H' })))('MSH-4')).toBe('H');
});

const latinIn = (encoded: EncodedMessage): string | undefined =>
  'bytes' in encoded ? encoded.bytes.toString('latin1') : undefined;

test('the first character that the set lacks is named, or all are replaced where the receiver wants that', () => {
  const text = 'receptor α, 5 μm, Łódź, Ångström, 日 ~';
  expect(encodeHl7(text, '8859/1')).toEqual({ lacking: 'α' });
  expect(encodeHl7('𝛼', '8859/1')).toEqual({ lacking: '𝛼' });
  expect(latinIn(encodeHl7(text, '8859/1', 'replace'))).toBe('receptor alpha, 5 µm, ?ódz, Ångström, ? ~');
  expect(latinIn(encodeHl7('H₂O, L₅, 10⁵', '8859/1', 'replace'))).toBe('H2O, L5, 10?');
});

test.each([
  ['8859/6', 'العربية'],
  ['8859/7', 'αβγ, 5 μm'],
  ['8859/5', 'Пётр'],
  ['8859/2', 'Łódź'],
  ['8859/9', 'İstanbul'],
  ['8859/8', 'שלום'],
  ['8859/15', '€'],
  ['GB 18030-2000', '张伟 αβγ'],
  ['KS X 1001', '김 철수'],
] as const)('%s holds %s, one byte or two beyond ASCII a letter', (charset, text) => {
  const encoded = encodeHl7(text, charset);
  expect(encoded).toHaveProperty('bytes');
  expect(new TextDecoder(characterSets[charset].label).decode('bytes' in encoded ? encoded.bytes : undefined)).toBe(
    text,
  );
  expect(encodeHl7(`${text}𝛼`, charset)).toEqual({ lacking: '𝛼' });
});

test('whatever a text holds, its bytes are those of the set, and no letter makes a separator', () => {
  const sets = fc.constantFrom(...(Object.keys(characterSets) as CharacterSet[]));
  fc.assert(
    fc.property(sets, fc.string({ unit: 'grapheme' }), (charset, text) => {
      const marks = (line: string) => line.replace(/[^|^&\\\r]/g, '').length;
      const encoded = encodeHl7(text, charset, 'replace');
      const bytes = 'bytes' in encoded ? encoded.bytes : Buffer.alloc(0);
      const added = bytes.toString('latin1').split('\\R\\').length - text.split('\\R\\').length;
      expect(marks(bytes.toString('latin1'))).toBe(marks(text) + 2 * added);
      const exact = encodeHl7(text, charset);
      if ('bytes' in exact && exact.bytes.every((byte) => byte < 0x80 || byte > 0x9f)) {
        const read = new TextDecoder(characterSets[charset].label, { ignoreBOM: true }).decode(exact.bytes);
        expect(encodeHl7(read, charset)).toEqual(exact);
      }
    }),
  );
});

/** Fields 2 to 6 of the OBX segments, and notes. */
const observed = (message: string): string[] =>
  message
    .split('\r')
    .filter((line) => /^(?:OBX|NTE)\|/.test(line))
    .map((line) => (line.startsWith('NTE') ? line : line.split('|').slice(2, 7).join('|')));

test('lines are as long as the receiver takes them, each in its own OBX where it wants that', async () => {
  const text = 'Nódulo no lobo superior direito.\n\nPneumoultramicroscopicossilicovulcanoconiose e\u0301e\u0301';
  const wrapped = observed(await written(reportOn({}, text), { line_length: 20 }));
  expect(wrapped[0]).toBe(
    'FT|59776-5^Achados^LN|1|Nódulo no lobo\\.br\\superior direito.\\.br\\\\.br\\Pneumoultramicroscop\\.br\\icossilicovulcanocon\\.br\\iose e\u0301e\u0301|',
  );
  const rows = observed(await written(reportOn({}, text), { line_length: 20, text_rows: 'line' }));
  expect(rows.slice(0, 3)).toEqual([
    'TX|59776-5^Achados^LN|1|Nódulo no lobo|',
    'TX|59776-5^Achados^LN|2|superior direito.|',
    'TX|59776-5^Achados^LN|3||',
  ]);
  expect(rows.filter((row) => row.startsWith('NTE'))).toHaveLength(2);
});

test('a section that is longer than a value may be goes in several at line ends, which a reader joins', async () => {
  const paragraph = (at: number) =>
    `Parágrafo ${at}: nódulo de ${at} mm & cisto ^ ~ \\ | ${'palavra '.repeat(90).trim()}.`;
  const text = Array.from({ length: 250 }, (_, at) => paragraph(at)).join('\n\n');
  const message = await written(reportOn({}, text));
  const values = observed(message).filter((row) => row.startsWith('FT|59776-5'));
  expect(values.map((row) => row.split('|')[2])).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  for (const row of values) expect(row.split('|')[3]!.length).toBeLessThanOrEqual(32_000);
  const { items } = await readPriorFile(message);
  expect((items[0]!.item as { text?: string }).text).toContain(`${text}\n`);
  // No line end in sight.
  const unbroken = observed(await written(reportOn({}, 'a&'.repeat(10_000)), { text_rows: 'line' }));
  expect(unbroken.filter((row) => row.startsWith('TX')).map((row) => row.split('|')[3]!.length)).toEqual([
    32_000, 8000,
  ]);
});

test('measurements are numbers in UCUM with site and side, key images references, where the receiver takes them', async () => {
  const image = { series_uid: '1.2.3', instance_uid: '1.2.3.4', class_uid: '1.2.840.10008.5.1.4.1.1.2' };
  const report = reportOn({ study_uid: '1.2' }, 'Rim direito de 10,5 x 5 cm. Sem cálculos.');
  const shown = { ...report, record: { ...report.record, metadata: { key_images: [image, { instance_uid: 'x' }] } } };
  const link = 'https://pacs.example/wado?s={study_uid}&o={instance_uid}';
  const rows = observed(await written(shown, { measurements: 'rows', image_link: link }));
  expect(rows.slice(-6)).toEqual([
    'RP|55113-5^Key Images^LN|1|https://pacs.example/wado?s=1.2\\T\\o=1.2.3.4^^application^dicom|',
    'NM|410668003^Length^SCT|1.1|10.5|cm^centimeter^UCUM',
    'NTE|1|L|Rim direito de 10,5 x 5 cm.',
    'NM|410668003^Length^SCT|1.2|5|cm^centimeter^UCUM',
    'CWE|363698007^Finding Site^SCT|1|64033007^Kidney^SCT|',
    'CWE|272741003^Laterality^SCT|1|24028007^Right^SCT|',
  ]);
  expect(observed(await written(shown)).at(-1)).toContain('|urn:oid:1.2.3.4^^application^dicom|');
  // A result needs no class.
  const unclassed = { ...shown, record: { ...shown.record, metadata: { key_images: [{ instance_uid: '1.2.3.5' }] } } };
  expect(observed(await written(unclassed)).at(-1)).toContain('|urn:oid:1.2.3.5^^application^dicom|');
  expect(observed(await written(unclassed, { image_link: 'https://pacs.example/{series_uid}' })).join()).not.toContain(
    'RP',
  );
});

test('a text of several lines is FT, one of a single line TX', async () => {
  const types = async (text: string): Promise<string | undefined> =>
    /^OBX\|\d+\|(\w+)\|[^|]*Achados/m.exec((await written(reportOn({}, text))).replaceAll('\r', '\n'))?.[1];
  expect(await types('Normal.')).toBe('TX');
  expect(await types('Normal.\nSem nódulos.')).toBe('FT');
});

test('a local name that is too long for HD.1 is a separate id', async () => {
  const long = 'Hospital Universitário São Lucas';
  const field = placesOf(
    await written(reportOn({ hospital_name: long, metadata: { patient_id_issuer: long, placer_order_number: 'P' } })),
  );
  expect(field('MSH-4')).toBe(`^${long}^L`);
  expect(field('PID-3')).toBe(`P-1^^^&${long}&L`);
});

test('in 8859/1 typography that it lacks is written plainly, and what marks off fields is escaped', async () => {
  const latin1 = async (text: string) =>
    latinIn(encodeHl7(await written(reportOn({}, text), { character_set: '8859/1' }), '8859/1'));
  const message = (await latin1('coração – “≥ 5 mm” ≈3 ½ |x| e\u0301'))!;
  expect(placesOf(message)('MSH-18')).toBe('8859/1');
  expect(message).toContain('|coração - ">= 5 mm" \\R\\3 ½ \\F\\x\\F\\ é|');
  expect(await latin1('日')).toBeUndefined();
  expect(encodeHl7(await written(reportOn({}, '日')), 'UNICODE UTF-8')).toMatchObject({ bytes: expect.anything() });
});

test('a text is unchanged in 8859/1 if that contains it, and otherwise written in plain characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = latinIn(encodeHl7(text, '8859/1'));
      const isHeld = !/[^\x00-\xff]/.test(text.normalize('NFC'));
      if (isHeld) expect(bytes).toBe(text.normalize('NFC'));
      else if (bytes) expect(text.normalize('NFC')).toMatch(/[‘’‚′“”„″‐–—‑−…•≤≥≈→μ₀-₉\u202f\u2009\u200b\ufeff]/);
    }),
  );
});

test('the PDF is inside, at an address, or nowhere', async () => {
  const report = reportOn({});
  const last = async (settings: Hl7Settings) => (await hl7Report(report, settings))!.split('\r').at(-2)!;
  expect(await last({})).toMatch(/\|ED\|11528-7\^[^|]*\^LN\|\|\^application\^pdf\^Base64\^JVBERi/);
  const link = 'https://ris.example/{record_id}?v={version}&f=pdf';
  expect(await last({ pdf: 'link', pdf_link: link })).toMatch(
    /\|RP\|11528-7\^[^|]*\^LN\|\|https:\/\/ris\.example\/rec_01JNA0000000000000000000AB\?v=2\\T\\f=pdf\^\^application\^pdf\|+F/,
  );
  expect(await last({ pdf: 'none' })).toMatch(/^NTE\|/);
  await expect(hl7Report(report, { pdf: 'link' })).rejects.toThrow('pdf_link');
});

test('the orders of an exam are returned as they were sent, in whatever messages, without cancelled ones', async () => {
  const group = fc.record({
    order: fc.integer({ min: 1, max: 4 }),
    control: fc.constantFrom('NW', 'XO', 'CA'),
    isBrief: fc.boolean(),
  });
  const messages = fc.array(fc.uniqueArray(group, { minLength: 1, maxLength: 3, selector: ({ order }) => order }), {
    minLength: 1,
    maxLength: 4,
  });
  const sharing = fc.constantFrom('nothing', 'the filler’s number', 'the placer’s number', 'both numbers');
  await fc.assert(
    fc.asyncProperty(messages, sharing, async (all, shared) => {
      const placer = (order: number): string =>
        shared === 'the placer’s number' ? 'P1^RIS' : shared === 'both numbers' ? `P1^RIS${order}` : `P${order}^RIS`;
      const filler = (order: number): string => (/filler|both/.test(shared) ? 'A1^HSL' : `F${order}^HSL`);
      const open = new Set<number>();
      const cancelled = new Set<number>();
      const told = new Set<number>();
      let status = 'new';
      let exam: Exam | undefined;
      for (const groups of all) {
        const segments = groups.flatMap(({ order, control, isBrief }) => {
          // The number that is the order's own alone says which one is meant.
          const numbers = [
            isBrief && shared === 'the placer’s number' ? '' : placer(order),
            isBrief && shared !== 'the placer’s number' ? '' : filler(order),
          ].join('|');
          return [`ORC|${control}|${numbers}`, `OBR||${numbers}|C${order}^Exam ${order}^L||||||||||||||A1`];
        });
        exam = await taken(exam, segments);
        for (const { order, control } of groups) {
          if (control === 'CA') cancelled.add(order);
          if (control === 'NW') cancelled.delete(order);
          if (cancelled.has(order)) open.delete(order);
          else open.add(order);
        }
        if (groups.some(({ control }) => control === 'NW')) status = 'new';
        // A message that changes an order speaks of an exam that takes place.
        else if (open.size === 0 && groups.every(({ control }) => control === 'CA')) status = 'cancelled';
        expect(exam.status).toBe(status);
        for (const { order } of groups) told.add(order);
        // The exam is what its orders ask for that take place.
        if (told.size > 1 && open.size > 0) {
          const described = exam.exam_description.split(' + ').toSorted();
          expect(described).toEqual([...open].toSorted().map((order) => `Exam ${order}`));
        }
      }
      fc.pre(open.size > 0);
      const message = await written(reportOn({ metadata: exam!.metadata }));
      const said = (name: string, field: number): string[] =>
        message
          .split('\r')
          .filter((segment) => segment.startsWith(`${name}|`))
          .map((segment) => segment.split('|')[field] ?? '');
      const numbersOf = (of: (order: number) => string) =>
        [...open].map((order) => `C${order} ${of(order)}`).toSorted();
      const numbered = (field: number) =>
        said('OBR', 4)
          .map((procedure, at) => `${procedure.slice(0, 2)} ${said('OBR', field)[at]}`)
          .toSorted();
      expect(said('OBR', 4).toSorted()).toEqual([...open].toSorted().map((order) => `C${order}^Exam ${order}^L`));
      const full = [...open].filter((order) => all.flat().some((group) => group.order === order && !group.isBrief));
      for (const order of full) {
        expect(numbered(2)).toContain(`C${order} ${placer(order)}`);
        expect(numbered(3)).toContain(`C${order} ${filler(order)}`);
      }
      if (full.length === open.size) expect([numbered(2), numbered(3)]).toEqual([numbersOf(placer), numbersOf(filler)]);
      expect(said('ORC', 2)).toEqual(said('OBR', 2));
      expect(said('OBR', 1)).toEqual([...open].map((_, at) => String(at + 1)));
      // Each order has the text.
      expect(said('OBX', 5)).toEqual([...open].map(() => 'Normal.'));
    }),
  );
});

type Exam = ReturnType<typeof createItem>;

/** The exam after a message, as the service takes it from a sender that may cancel. */
async function taken(stored: Exam | undefined, segments: readonly string[]): Promise<Exam> {
  const { items } = await readFile(
    ['MSH|^~\\&|RIS|HSL|L|R|||ORM^O01|1|P|2.5.1', 'PID|||7', ...segments, ''].join('\r'),
  );
  const [reading] = items;
  const { fields, extra } = normaliseItem(asSent(reading!, { format: 'hl7' }))!;
  const sent = { ...takeInstructions(fields), extra, errors: [] };
  const arrival = { space: 's', source_system: null, who: 'RIS', at: '2026-03-02T08:00:00Z' };
  const item = stored ? mergeItem(stored, sent, arrival) : createItem('wli_1', sent, arrival);
  const change = readOrderChange(reading!);
  const status = (change && statusAfter(change, item)) ?? item.status;
  return { ...item, status, reason: status === 'cancelled' ? orderReasons.cancelled : null };
}

test.each([
  [
    'the filler’s number first, then both',
    [
      ['', 'F1'],
      ['P1', 'F1'],
    ],
    ['P1|F1'],
  ],
  [
    'the placer’s number first, then both',
    [
      ['P1', ''],
      ['P1', 'F1'],
    ],
    ['P1|F1'],
  ],
  [
    'each number alone, then both',
    [
      ['P1', ''],
      ['', 'F1'],
      ['P1', 'F1'],
    ],
    ['P1|F1'],
  ],
  [
    'many numbers, which are digits',
    [
      ['30', '1'],
      ['4', '2'],
      ['100', '3'],
    ],
    ['30|1', '4|2', '100|3'],
  ],
])('%s are orders in the sequence in which they came', async (_, told, expected) => {
  let exam: Exam | undefined;
  for (const [placer, filler] of told)
    exam = await taken(exam, [`ORC|NW|${placer}|${filler}`, 'OBR||||C^CT^L||||||||||||||A1']);
  const message = await written(reportOn({ metadata: exam!.metadata }));
  expect([...message.matchAll(/\rORC\|RE\|(\w*\|\w*)/g)].map(([, numbers]) => numbers)).toEqual(expected);
});

test('an exam of one order says what its order leaves out', async () => {
  const orders = [{ status: 'open', placer_order_number: 'P1' }];
  const metadata = { procedure_code: 'TX', procedure_text: 'Torax', procedure_code_system: '99H', orders };
  const place = placesOf(await written(reportOn({ exam_description: 'TC de tórax', metadata })));
  expect([place('OBR-2'), place('OBR-4')]).toEqual(['P1', 'TX^Torax^99H']);
});

test('each order of a study comes back under its own accession number', async () => {
  const orders = [{ placer_order_number: 'P1' }, { placer_order_number: 'P2', accession_number: 'A2' }];
  const message = await written(reportOn({ accession_number: 'A1', metadata: { orders } }));
  const requests = message.split('\r').filter((segment) => segment.startsWith('OBR|'));
  expect(requests.map((segment) => segment.split('|')[18])).toEqual(['A1', 'A2']);
});

test('a result whose orders were all cancelled after it was written answers each of them', async () => {
  const orders = ['P1', 'P2'].map((number) => ({ status: 'cancelled', placer_order_number: number }));
  const message = await written(reportOn({ metadata: { orders } }));
  expect(message.match(/\rORC\|RE\|P\d/g)).toEqual(['\rORC|RE|P1', '\rORC|RE|P2']);
});
