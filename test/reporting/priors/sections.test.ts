import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { sectionsOfText } from '../../../src/reporting/priors/sections.ts';

const shown = (text: string) => sectionsOfText(text).map((part) => [part.key, part.title, part.text]);

test('headings of any language make sections; the text before them has no title', () => {
  expect(
    shown('TC DE TÓRAX\nTécnica: sem contraste.\r\n\r\nACHADOS:\r\num\r\n\r\n\r\n\r\ndois\r\nImpressão\r\ntrês'),
  ).toEqual([
    [null, null, 'TC DE TÓRAX'],
    ['technique', 'Técnica', 'sem contraste.'],
    ['findings', 'ACHADOS', 'um\n\ndois'],
    ['impression', 'Impressão', 'três'],
  ]);
  expect(shown('**Findings:** clear\n\n== IMPRESSION ==\nnormal')).toEqual([
    ['findings', 'Findings', 'clear'],
    ['impression', 'IMPRESSION', 'normal'],
  ]);
  expect(shown('PULMÕES:\nlivres\nMedida: 4 mm')).toEqual([[null, 'PULMÕES', 'livres\nMedida: 4 mm']]);
});

test('no word of a text is lost, and no text takes long', () => {
  const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const line = fc.oneof(fc.string(), fc.constantFrom('Achados:', 'IMPRESSÃO', 'Laudo: x', '## Conclusion', ''));
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const text = lines.join('\n');
      const kept = sectionsOfText(text).flatMap((part) => [part.title ?? '', part.text]);
      expect(words(kept.join('\n'))).toEqual(words(text));
    }),
  );
  expect(sectionsOfText('='.repeat(200_000))).toHaveLength(1);
  expect(sectionsOfText(' \n ')).toEqual([]);
});
