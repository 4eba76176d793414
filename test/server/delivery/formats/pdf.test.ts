/** The PDF of a document, part by part, as poppler and qpdf see it. No full validator of PDF/A is a package of Debian or npm. */
import { test as anywhere, expect } from 'vitest';
import { pdfReport } from '../../../../server/delivery/formats/pdf.ts';
import { faceNames, faceOf } from '../../../../server/delivery/formats/pdf/typeface.ts';
import type { Report } from '../../../../src/reporting/report-head.ts';
import type { Section } from '../../../../src/contract/document.ts';
import { pdfFacts, pdfFonts, pdfMetadata, pdfObjects, pdfStructure, pdfText } from '../../../support/pdf-tools.ts';
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
  const { font, has } = faceOf(name);
  const isSeen = (character: string): boolean =>
    has(character) && /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) && character.normalize() === character;
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

test('a joined emoji is not broken at the end of a line', async () => {
  const text = '👩‍⚕️'.repeat(40);
  expect(pdfText(await pdfOf(text)).replaceAll(/\s/g, '')).toContain(text);
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
