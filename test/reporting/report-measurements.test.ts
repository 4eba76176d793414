/** Values that a report gives to receivers: those of this exam, on a side only where the text leaves no doubt. */
import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import { readMeasurements } from '../../src/reporting/report-measurements.ts';

const read = (text: string, language: Parameters<typeof readMeasurements>[1] = 'pt-BR', key = 'findings') =>
  readMeasurements({ key, title: 'T', text }, language).flatMap(({ measurements }) =>
    measurements.map(({ values, unit, side = '', measured = '' }) =>
      `${values.join('x')} ${unit} ${side} ${measured}`.trim(),
    ),
  );

test.each([
  ['Nódulo de 6 mm no lobo superior direito.', ['6 mm right nodule']],
  ['Rim esquerdo mede 11,2 x 5,1 x 4,8 cm.', ['11.2x5.1x4.8 cm left kidney']],
  ['Rim direito 10 cm, rim esquerdo 11,5 cm.', ['10 cm right kidney', '11.5 cm left kidney']],
  ['Rim direito 10 cm, baço 11 cm.', ['10 cm right kidney', '11 cm  spleen']],
  ['Nódulo de 6 mm no lobo direito e de 4 mm no lobo esquerdo.', ['6 mm  nodule', '4 mm']],
  ['Fígado de 15 cm, com cisto no lobo direito.', ['15 cm  liver']],
  ['Densidade de 30 UH.', ['30 UH  attenuation']],
  ['Sem nódulos maiores que 5 mm.', []],
  ['Nódulo de 6 mm (antes 4 mm).', []],
  ['Nódulos de 3 a 5 mm.', []],
  ['Aumento de 3 mm.', []],
  ['Nódulo a 4 cm da carina.', []],
])('%s', (text, expected) => expect(read(text)).toEqual(expected));

test('English and Spanish', () => {
  expect(read('Right kidney 10.5 cm, left kidney 11 cm. A 6 mm nodule is 2 cm above the carina.', 'en-US')).toEqual([
    '10.5 cm right kidney',
    '11 cm left kidney',
    '6 mm  nodule',
  ]);
  expect(read('Riñón derecho de 10,4 cm.', 'es-ES')).toEqual(['10.4 cm right kidney']);
});

test('techniques and conclusions have none; a text that is too long to check has none', () => {
  expect(read('Cortes de 1 mm.', 'pt-BR', 'technique')).toEqual([]);
  expect(read('Nódulo de 6 mm.', 'pt-BR', 'impression')).toEqual([]);
  expect(read('Nódulo de 6 mm. '.repeat(20_000))).toEqual([]);
});

test('places lie in the text, one after the other, and values are decimals', () => {
  const part = fc.constantFrom(
    'Nódulo',
    'rim',
    'direito',
    'esquerdo',
    '6',
    '1,5',
    'x',
    'mm',
    'cm',
    '.',
    '\n',
    'α',
    '日',
    '\u0301',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const text = parts.join(' ').normalize('NFC');
      let from = 0;
      for (const { start, end, measurements } of readMeasurements({ key: 'findings', title: 'T', text }, 'pt-BR')) {
        expect(start).toBeGreaterThanOrEqual(from);
        expect(end).toBeLessThanOrEqual(text.length);
        for (const { values } of measurements) for (const value of values) expect(value).toMatch(/^-?\d+(\.\d+)?$/);
        from = end;
      }
    }),
  );
});
