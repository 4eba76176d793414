/** What a text of the report offers at its caret. */
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { maxOffers, findOffers } from '../../../desktop/renderer/state/report/offers.ts';

const macros = ['abdome normal', 'tórax normal', 'cisto simples'].map((name) => ({ name, text: `Texto de ${name}.` }));
const namesAt = (value: string, at = value.length): readonly string[] =>
  findOffers(value, at, at, macros)?.items.map(({ name }) => name) ?? [];

test('a slash offers the autotexts, letters after it fewer, those whose name begins so first', () => {
  expect(namesAt('/')).toEqual(['abdome normal', 'tórax normal', 'cisto simples']);
  expect(namesAt('Fígado normal. /nor')).toEqual(['abdome normal', 'tórax normal']);
  expect(namesAt('/TORAX')).toEqual(['tórax normal']);
  expect(namesAt('/tórax normal')).toEqual(['tórax normal']);
  expect(namesAt('/rim')).toEqual([]);
  expect(findOffers('Fígado. /nor', 12, 12, macros)).toMatchObject({ start: 8, end: 12 });
});

test('a slash in a date or a unit offers nothing', () => {
  for (const text of ['12/2026', '5 mg/dl', 'e/ou', '/abdome\n']) expect(namesAt(text)).toEqual([]);
});

test('a selected field offers its choices; a blank offers none', () => {
  const value = 'Rim [lado: direito|esquerdo], [__ mm].';
  const [start, end] = [value.indexOf('['), value.indexOf(']') + 1];
  expect(findOffers(value, start, end, macros)).toMatchObject({
    kind: 'choice',
    items: [{ text: 'direito' }, { text: 'esquerdo' }],
  });
  expect(findOffers(value, value.indexOf('[__'), value.indexOf('mm]') + 3, macros)).toBeUndefined();
});

test('only text typed since the slash is replaced', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('', 'n', 'nor', 'cisto s'), fc.string(), (before, typed, after) => {
      const value = `${before} /${typed}${after}`;
      const at = before.length + 2 + typed.length;
      const offers = findOffers(value, at, at, macros);
      expect(offers?.items.length).toBeLessThanOrEqual(maxOffers);
      expect(offers && value.slice(offers.start, offers.end)).toBe(`/${typed}`);
    }),
  );
});
