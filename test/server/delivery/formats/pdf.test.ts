/** The PDF of a document, part by part, as poppler and qpdf see it. No full validator of PDF/A is a package of Debian or npm. */
import * as fc from '../../../support/properties.ts';
import { test as anywhere, expect } from 'vitest';
import { pdfReport } from '../../../../server/delivery/formats/pdf.ts';
import { faceNames, faceOf } from '../../../../server/delivery/formats/pdf/typeface.ts';
import type { Report } from '../../../../src/reporting/report-head.ts';
import type { Section } from '../../../../src/contract/document.ts';
import {
  pdfFacts,
  pdfFonts,
  pdfMetadata,
  pdfObjects,
  pdfStructure,
  pdfText,
  printedWords,
} from '../../../support/pdf-tools.ts';
import type { PrintedWord } from '../../../support/pdf-tools.ts';
import { storedItem } from '../../../support/stored-item.ts';
import { reportWith } from '../../../support/signed-report.ts';
import { fromXml } from '../../../support/unescape.ts';

const test = anywhere.runIf(process.platform === 'linux');

const findings = (text: string): Section => ({ key: 'findings', title: 'Achados', text });
const pdfOf = async (text: string, title = 'TC de tórax'): Promise<Uint8Array> =>
  (await pdfReport(reportWith([findings(text)], { title })))!;

test('signs of medicine, Greek and accents are shown as they are', async () => {
  const text = '√2 ≥ 1 ≤ ∞, β ≠ Ω, 4,5 × 3 mm, ±2 °C, 10⁻³ H₂O, ½, 5 µm, ♀ → coração, Ł ő Жк';
  expect(pdfText(await pdfOf(text)).replaceAll(/\s/g, '')).toContain(text.replaceAll(' ', ''));
});

test.each(faceNames)('every character of the face %s is mapped, one for one', async (name) => {
  const { font, kindOf } = faceOf(name);
  const isSeen = (character: string): boolean =>
    kindOf(character) === 'plain' && /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) && character.normalize() === character;
  const characters = font.characterSet.map((code) => String.fromCodePoint(code)).filter(isSeen);
  expect(characters.length).toBeGreaterThan(4900);
  const text = characters.map((character) => `k${character}k`).join(' ');
  const sections = name === 'text' ? [findings(text)] : [{ ...findings(''), title: text }];
  const words = new Set(pdfText((await pdfReport(reportWith(sections)))!).split(/\s+/));
  expect(characters.filter((character) => !words.has(`k${character}k`))).toEqual([]);
});

test('a sign that was a part of another in an earlier document is mapped as well', async () => {
  await pdfOf('½ Ǻ');
  expect(pdfText(await pdfOf('10⁻¹ Å ˚'))).toContain('10⁻¹ Å ˚');
});

test('a draft and a test document say so', async () => {
  const draft = reportWith([findings('Normal.')], { status: 'draft', test_mode: true, language: 'en-US' });
  const text = pdfText((await pdfReport(draft))!);
  for (const notice of ['Draft: not signed yet', 'Test data: simulated document']) expect(text).toContain(notice);
});

test('a report in the place of another says so, above the patient', async () => {
  const replaces = { record_id: 'rec_first', version: 4 };
  const text = pdfText((await pdfReport(reportWith([findings('Normal.')], { language: 'en-US', replaces })))!);
  expect(text.replace(/\s+/g, ' ')).toContain(
    'Corrected report: it replaces the prior report of this exam (rec_first, version 4)',
  );
});

test('the institution is above, the signer with licence, place and local date below', async () => {
  const report: Report = {
    ...reportWith([findings('Normal.')]),
    item: storedItem('wli_1', { hospital_name: 'Hospital São Lucas', patient_birth_date: '1971-06-14' }),
    signature: { who: 'Dra. Helena', licence: 'CRM-SP 123456', place: 'Santos', at: '2026-03-02T11:00:00.000Z' },
    timeZone: 'America/Sao_Paulo',
  };
  const text = pdfText((await pdfReport(report))!);
  expect(text).toMatch(/^Hospital São Lucas\nTC de tórax\n/);
  expect(text).toContain('Nascimento 14/06/1971');
  expect(text).toMatch(
    /Normal\.\nAssinado por Dra\. Helena, CRM-SP 123456\nAssinado em Santos, 02\/03\/2026, 08:00 GMT-3\n/,
  );
});

test('the lines of the letterhead are below the name', async () => {
  const letterhead = ['Hospital São Lucas', 'Rua A, 10', '11000-000 Santos', '(13) 3000-0000'];
  const text = pdfText((await pdfReport({ ...reportWith([findings('Normal.')]), letterhead }))!);
  expect(text.startsWith(`${letterhead.join('\n')}\nTC de tórax\n`)).toBe(true);
});

test('a character that no font has is shown by its number, and copied as what it is', async () => {
  const pdf = await pdfOf('sinal 平🫀 e fim');
  expect(pdfText(pdf).replace(/\s/g, '')).toContain('sinal平🫀efim');
  const { objects } = pdfObjects(pdf);
  const contents = [...objects.values()].map(({ data }) => data?.toString('latin1') ?? '');
  expect(contents.filter((content) => content.includes('/ActualText'))).toHaveLength(1);
});

test('a joined emoji is copied whole', async () => {
  const text = 'a 👩‍⚕️ b 🇧🇷 c 👍🏽 d 1️⃣';
  expect(pdfText(await pdfOf(text)).replaceAll(/\s/g, '')).toContain(text.replaceAll(' ', ''));
});

test('a named character is copied where it stands, in whichever order a reader takes the page', async () => {
  const text = 'Team 👩‍⚕️ and 🇧🇷 in 東京 today';
  const pdf = await pdfOf(`${text}\nsecond line`);
  for (const way of ['-raw', '-layout', '-nopgbrk'])
    expect(pdfText(pdf, way).replaceAll(/\s+/g, ' ')).toContain(`${text} second line`);
  const [team, emoji] = printedWords(pdf).filter((word) => /^(?:Team|👩.*)$/u.test(word.text));
  expect(emoji?.top).toBeCloseTo(team!.top, 2);
  expect(emoji?.left).toBeGreaterThan(team!.right);
});

test('a joined emoji is not broken at the end of a line', async () => {
  const text = '👩‍⚕️'.repeat(40);
  expect(pdfText(await pdfOf(text)).replaceAll(/\s/g, '')).toContain(text);
});

/** The words that are copied, without the marks of direction that the reader adds. */
const copiedWords = (pdf: Uint8Array): string[] =>
  pdfText(pdf)
    .replace(/[\u202a-\u202e]/g, '')
    .split(/\s+/);

/** The lines as they are printed, each from left to right. */
function printedLines(pdf: Uint8Array): PrintedWord[][] {
  const lines = Map.groupBy(printedWords(pdf), ({ top }) => Math.round(top));
  return [...lines.values()].map((words) => words.toSorted((a, b) => a.left - b.left));
}

const isRightToLeft = (word: string): boolean => /[\u0590-\u06ff]/.test(word);
const reversed = (word: string): string => [...word].toReversed().join('');

/** Words without numbers or punctuation as they are printed, from left to right. */
function inPrintedOrder(words: readonly string[], isAlignedRight: boolean): string[] {
  const groups: string[][] = [];
  for (const word of words)
    if (groups.length > 0 && isRightToLeft(groups.at(-1)![0]!) === isRightToLeft(word)) groups.at(-1)!.push(word);
    else groups.push([word]);
  const printed = groups.map((group) => (isRightToLeft(group[0]!) ? group.map(reversed).toReversed() : group));
  return (isAlignedRight ? printed.toReversed() : printed).flat();
}

test('words of every direction are printed in their order line by line, and copied as what they are', async () => {
  const word = fc.oneof(
    ...['abcdé', 'אבגדה', 'بتلامي'].map((letters) =>
      fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 8 }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 60 }), async (words) => {
      const pdf = await pdfOf(words.join(' '));
      expect(copiedWords(pdf)).toEqual(expect.arrayContaining(words));
      const isAlignedRight = isRightToLeft(words[0]!);
      const lines = printedLines(pdf);
      const first = lines.findIndex(([heading]) => heading!.text === 'Achados') + 1;
      let at = 0;
      for (const line of lines.slice(
        first,
        lines.findIndex(([label]) => label!.text === 'Assinado'),
      )) {
        const given = words.slice(at, (at += line.length));
        expect(line.map(({ text }) => text)).toEqual(inPrintedOrder(given, isAlignedRight));
        if (isAlignedRight) expect(line.at(-1)!.right).toBeCloseTo(531.28, 0);
        else expect(line[0]!.left).toBeCloseTo(64, 0);
      }
      expect(at).toBe(words.length);
    }),
    { numRuns: 15 },
  );
});

test.each([
  ['Nódulo (גוש 12 מ"מ) de 3 mm', 'Nódulo (מ"מ 12 שוג) de 3 mm'],
  ['גוש בגודל 12 מ"מ (CT), תמונה 3/12.', '.3/12 הנומת ,(CT) מ"מ 12 לדוגב שוג'],
  ['قطر الآفة ١٢٫٥ مم × 8 mm [انظر 3/12] 50%', '%50 [3/12 رظنا] mm 8 × مم ١٢٫٥ ةفآلا رطق'],
  ['אבג 😀 דהו; ab', 'ab ;והד 😀 גבא'],
  ['זווית ∠ 5°', '5° ∠ תיווז'],
  ['a \u200fאב!\u200f b', 'a !בא b'],
])('%j is printed from left to right as %j', async (text, printed) => {
  const lines = printedLines(await pdfOf(text)).map((line) => line.map((word) => word.text).join(' '));
  expect(lines).toContain(printed);
});

test('a value from right to left begins in its column', async () => {
  const signature = { who: 'ד"ר שרה כהן', at: '2026-03-02T11:00:00.000Z' };
  const words = printedWords((await pdfReport({ ...reportWith([findings('Normal.')]), signature }))!);
  const [value, label] = ['ןהכ', 'por'].map((text) => words.find((word) => word.text === text));
  expect(value?.left).toBeCloseTo(176, 1);
  expect(value?.top).toBe(label?.top);
});

test('letters are joined, and marks are copied with them', async () => {
  const pdf = await pdfOf('ببب لا محمّد שָׁלוֹם');
  expect(copiedWords(pdf)).toEqual(expect.arrayContaining(['ببب', 'لا', 'محمّد', 'שָׁלוֹם']));
  const { objects } = pdfObjects(pdf);
  const contents = [...objects.values()].map(({ data }) => data?.toString('latin1') ?? '').join('');
  const [, marked] = /\/ReversedChars BMC([^]*?)\nEMC/.exec(contents)!;
  const glyphs = marked!.match(/<[0-9a-f]+>/g)!.flatMap((shown) => shown.slice(1, -1).match(/.{4}/g)!);
  // Three forms of one letter, and one glyph for two letters; no glyph for a mark.
  expect(new Set(glyphs.slice(-3)).size).toBe(3);
  expect(glyphs).toHaveLength('ببب X محمد שלום '.length);
  expect(marked).toMatch(/\nf\n/);
});

test('a character that no font has is copied in its place among letters from right to left', async () => {
  const words = printedWords(await pdfOf('אב 平 ש גד')).filter(({ text }) => isRightToLeft(text) || text === '平');
  expect(words.toSorted((one, other) => other.left - one.left).map(({ text }) => text)).toEqual([
    'בא',
    '平',
    'ש',
    'דג',
  ]);
});

test('a word that is wider than the page is broken, and copied whole', async () => {
  const word = 'بشر'.repeat(120);
  const pdf = await pdfOf(word);
  expect(copiedWords(pdf).filter(isRightToLeft).join('')).toBe(word);
  for (const { left } of printedWords(pdf)) expect(left).toBeGreaterThan(62);
});

test('a long text runs over numbered pages', async () => {
  const pdf = await pdfOf(`${'linha de texto\n'.repeat(120)}fim`);
  const { Pages: pages } = pdfFacts(pdf);
  expect(Number(pages)).toBeGreaterThan(2);
  const text = pdfText(pdf);
  expect(text.match(/linha de texto/g)).toHaveLength(120);
  for (const part of ['fim', `1/${pages}`, `${pages}/${pages}`]) expect(text).toContain(part);
});

test('every font is embedded, with used glyphs only, and maps to its text', async () => {
  const pdf = await pdfOf('√ normal');
  const fonts = pdfFonts(pdf);
  expect(fonts.map(({ name }) => name.replace(/^[A-Z]{6}\+/, '')).toSorted()).toEqual([
    'DejaVuSansCondensed',
    'DejaVuSansCondensed-Bold',
  ]);
  for (const font of fonts) expect(font).toMatchObject({ embedded: true, subset: true, unicode: true });
  expect(pdf.length).toBeLessThan(40_000);
});

test('the tags say what is heading and what is text, in their order and apart from page numbers', async () => {
  const structure = pdfStructure(await pdfOf('Primeiro 平 parágrafo.'));
  expect(structure).toMatch(/^Document\n {2}H1 \(block\)\n {4}"TC de tórax ?"/);
  expect(structure).toMatch(/H2 \(block\)\n {4}"Achados ?"\n {2}P \(block\)\n {4}"Primeiro "\n/);
  expect(structure).toContain(' parágrafo.');
  expect(structure).not.toContain('1/1');
});

const titles = ['TC de tórax', 'a < b & c > "d" \'e\'', ']]> ∞ <rdf:li>', '🫀 平'];

test.each(titles)('PDF/A-2a describes itself the same twice: %j', async (title) => {
  const pdf = await pdfOf('Normal.', title);
  const metadata = pdfMetadata(pdf);
  expect(metadata).toMatch(/<pdfaid:part>2<\/pdfaid:part>\s*<pdfaid:conformance>A<\/pdfaid:conformance>/);
  expect(metadata).toContain('<pdfuaid:part>1</pdfuaid:part>');
  const [, described] = /<rdf:li xml:lang="x-default">(.*)<\/rdf:li>/.exec(metadata)!;
  expect(described).not.toMatch(/<|&(?!(amp|lt|gt|quot|#39);)/);
  expect(fromXml(described!)).toBe(title);
  const { trailer, objects } = pdfObjects(pdf);
  const valueOf = (reference: unknown) => objects.get(reference as string)!.value;
  const info = valueOf(trailer['/Info']);
  const told = Object.fromEntries(Object.entries(info).map(([key, reference]) => [key, valueOf(reference)]));
  expect(told).toEqual({
    '/Title': `u:${title}`,
    '/Creator': 'u:Laudio',
    '/Producer': 'u:PDFKit',
    '/CreationDate': 'u:D:20260302110000Z',
  });
  for (const part of [
    '<xmp:CreateDate>2026-03-02T11:00:00Z</xmp:CreateDate>',
    '<xmp:CreatorTool>Laudio</xmp:CreatorTool>',
    '<pdf:Producer>PDFKit</pdf:Producer>',
  ])
    expect(metadata).toContain(part);
});

test('PDF/A-2a says its colours, its language and its identity, and holds nothing that runs or is fetched', async () => {
  const pdf = await pdfOf('√ 平 normal');
  const { trailer, objects } = pdfObjects(pdf);
  const all = [...objects.values()];
  const valueOf = (reference: unknown) => objects.get(reference as string)!.value;
  const catalogue = valueOf(trailer['/Root']);
  expect(Buffer.from(pdf.subarray(0, 8)).toString()).toBe('%PDF-1.7');
  expect(trailer['/ID']).toHaveLength(2);
  expect(trailer).not.toHaveProperty('/Encrypt');
  expect(catalogue).toMatchObject({ '/Lang': 'u:pt-BR', '/MarkInfo': expect.anything() });
  expect(valueOf(catalogue['/MarkInfo'])).toEqual({ '/Marked': true });

  const [intent] = (catalogue['/OutputIntents'] as string[]).map(valueOf);
  expect(intent).toMatchObject({ '/S': '/GTS_PDFA1', '/OutputConditionIdentifier': 'u:sRGB IEC61966-2.1' });
  const profile = objects.get(intent!['/DestOutputProfile'] as string)!;
  expect(profile.value['/N']).toBe(3);
  expect([16, 36].map((at) => profile.data!.toString('latin1', at, at + 4))).toEqual(['RGB ', 'acsp']);
  expect(profile.data!.readUInt32BE(0)).toBe(profile.data!.length);

  const keys = new Set(all.flatMap(({ value }) => (Array.isArray(value) ? [] : Object.keys(value))));
  const forbidden = ['/AA', '/OpenAction', '/JavaScript', '/JS', '/EmbeddedFiles', '/Annots', '/SMask', '/XFA', '/F'];
  expect(forbidden.filter((key) => keys.has(key))).toEqual([]);
  const fonts = all.filter(({ value }) => value['/Type'] === '/Font' && value['/Subtype'] === '/CIDFontType2');
  expect(fonts).toHaveLength(2);
  for (const { value } of fonts) expect(value['/CIDToGIDMap']).toBe('/Identity');
  // Glyph 0 is "not defined".
  const shown = all.flatMap(({ data }) => data?.toString('latin1').match(/<[0-9a-f]+>(?= -?\d+\])/g) ?? []);
  expect(shown.length).toBeGreaterThan(3);
  for (const glyphs of shown) expect(glyphs.slice(1, -1).match(/.{4}/g)).not.toContain('0000');
});
