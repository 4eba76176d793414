/** Whatever text is signed comes out of the PDF, the ORU and the FHIR document again, as other people's programs read them. */
import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { writers } from '../../../../server/delivery/formats/registry.ts';
import type { Section } from '../../../../src/contract/document.ts';
import { mendText } from '../../../../src/domain/characters.ts';
import { fhirFaults } from '../../../support/fhir-r4.ts';
import { pdfText } from '../../../support/pdf-tools.ts';
import { reportWith } from '../../../support/signed-report.ts';
import { fromHl7, fromXml } from '../../../support/unescape.ts';

const phrases = [
  'Nódulo de 4,5 × 3 mm no lobo superior direito.',
  '√2 ≥ 1 ≤ ∞; β-bloqueador, Δ 12 HU, ± 0,3 °C',
  'Sem derrame pleural — índice cardiotorácico < 0,5.',
  'año, señal, coração, ação, über, Łódź, Жук, ΑΩ, ﬁbrose, Ⅳ, ½, ³, ⁻¹, H₂O, µg/μg, Å',
  'pressão 120/80 mmHg | PA ~ 12 & tal ^ \\ "aspas" <b> &amp; \\.br\\ \\F\\',
  '平片 🫀 ☑ 1️⃣ क्षय',
  'linha um\nlinha dois\n\n  terceira',
  'espaço\u00a0fixo e\tcoluna',
];
/** What a physician may write: letters, marks and signs of any script that is written from left to right. */
const anyWord = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0x1faff })
    .map((code) => String.fromCodePoint(code >= 0xd800 && code < 0xe000 ? 0x2200 : code))
    .filter((character) => /^[\p{L}\p{N}\p{P}\p{S}\p{Zs}]$/u.test(character) && !rightToLeft.test(character)),
  maxLength: 60,
});
/** Their order in the output is the reader's choice. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...phrases), anyWord), { maxLength: 6 })
  .map((parts) => mendText('prose', parts.join(' ')).normalize());
const anySections = fc
  .array(anyText, { minLength: 1, maxLength: 5 })
  .map((texts) =>
    texts.map((text, at): Section => ({ key: at === 0 ? 'findings' : 'addendum', title: `Parte ${at}`, text })),
  );

/** Where lines end is the page's choice. */
const onPaper = (text: string): string => text.replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '').normalize();

test.runIf(process.platform === 'linux')('PDF, ORU and FHIR contain the signed text', async () => {
  await fc.assert(
    fc.asyncProperty(anySections, async (sections) => {
      const report = reportWith(sections);
      const written = async (format: 'pdf' | 'hl7' | 'fhir') => Buffer.from((await writers[format](report))!);
      const texts = sections.map(({ text }) => text);

      const foot = /^rec_01JNA0000000000000000000AB.*$/gm;
      const paper = onPaper(pdfText(await written('pdf')).replace(foot, ''));
      let at = 0;
      for (const { title, text } of sections) {
        const wanted = onPaper(title + text);
        const found = paper.indexOf(wanted, at);
        expect(found, `${JSON.stringify(text)} in ${JSON.stringify(paper)}`).toBeGreaterThanOrEqual(0);
        at = found + wanted.length;
      }

      const segments = (await written('hl7')).toString().split('\r');
      const observed = segments
        .map((segment) => segment.split('|'))
        .filter(([, , type]) => type === 'TX' || type === 'FT');
      expect(observed.map((fields) => fromHl7(fields[5] ?? ''))).toEqual(texts);

      const resource = JSON.parse((await written('fhir')).toString());
      expect(fhirFaults(resource)).toEqual([]);
      // As whoever shows it without a style sheet: a line end is an element, and blanks before a line stay.
      const div: string = resource.text.div;
      const narrative = [...div.matchAll(/<p>(.*?)<\/p>/gs)].map(([, text = '']) => {
        expect(text).not.toMatch(/[\r\n]/);
        return fromXml(text.replaceAll('<br/>', '\n')).replaceAll('\u00a0', ' ');
      });
      expect(narrative).toEqual(texts.map((text) => text.replace(/\r\n|\r/g, '\n').replaceAll('\u00a0', ' ')));
      const { language } = resource;
      expect(div).toMatch(`<div xmlns="http://www.w3.org/1999/xhtml" xml:lang="${language}" lang="${language}">`);
      const plain = Buffer.from(resource.presentedForm[0].data, 'base64').toString();
      for (const text of texts) expect(plain).toContain(text);
    }),
    { numRuns: 6 },
  );
});
