/** Which words are marked, by the dictionary that Laudio ships, and what is suggested for them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as fc from '../../support/properties.ts';
import { beforeAll, expect, test } from 'vitest';
import { createEnglishSpeller } from '../../../desktop/renderer/state/spelling/english.ts';
import { wordsOf } from '../../../desktop/renderer/state/spelling/speller.ts';
import type { Speller } from '../../../desktop/renderer/state/spelling/speller.ts';
import { root } from '../../support/modules.ts';

let speller: Speller;
beforeAll(() => {
  const packed = readFileSync(join(root, 'node_modules/@cspell/dict-en_us/en_US.trie.gz'));
  speller = createEnglishSpeller(new Uint8Array(gunzipSync(packed)));
});

const marked = (text: string, known: readonly string[] = []): string[] =>
  speller.misspelt(text, wordsOf(known)).map(({ start, end }) => text.slice(start, end));

/** The sections that our own cases of documents expect. */
function* writtenIn(data: unknown, key = ''): Generator<string> {
  if (Array.isArray(data)) for (const each of data) yield* writtenIn(each, key);
  else if (typeof data === 'object' && data !== null)
    for (const [name, value] of Object.entries(data))
      yield* writtenIn(value, key === 'sections' || key === 'text' ? key : name);
  else if (typeof data === 'string' && key === 'sections') yield data;
}

/** Physicians' names, which the dictionary lacks. */
const namesOfPeople = ['Lindqvist', 'Smyth'];

test('no word of a right report is marked', () => {
  const directory = join(root, 'test/documents/en-US');
  const texts = readdirSync(directory).flatMap((name) => [
    ...writtenIn(JSON.parse(readFileSync(join(directory, name), 'utf8')) as unknown),
  ]);
  expect(texts.length).toBeGreaterThan(200);
  expect([...new Set(texts.flatMap((text) => marked(text, namesOfPeople)))]).toEqual([]);
});

test.each([
  ['Small pleural efusion.', ['efusion']],
  ['There is an acute fracure of teh left hip.', ['fracure', 'teh']],
  ['The kidny is normal, the livr is not.', ['kidny', 'livr']],
  ['A wellcircumscribed lession.', ['wellcircumscribed', 'lession']],
])('marks in “%s” %j', (text, words) => {
  expect(marked(text)).toEqual(words);
});

test('abbreviations, codes, units, levels, fields and words of two letters are not checked', () => {
  const text =
    'T2-weighted FLAIR at L4-L5, SUVmax 4.5, 12 mm x 3 mL, ADCs, BI-RADS 4A, [sidde: rihgt|left], ws, pt_42qx, qx7.';
  expect(marked(text)).toEqual([]);
});

test('prefixes make words of known ones, and of no others', () => {
  expect(marked('Subpleural, peripancreatic, nonenhancing, intrahepatic, retroaortic.')).toEqual([]);
  expect(marked('Subxzzural, nonqqing.')).toEqual(['Subxzzural', 'nonqqing']);
});

test('names and words of one’s own are right, in any case and form', () => {
  expect(marked('Dr. Albuquerqui saw Paciente Anônimo at Hospital Itapuã.', [])).not.toEqual([]);
  expect(marked('Dr. Albuquerqui’s note on ANÔNIMO.', ['ALBUQUERQUI^ANNA', 'Paciente Anônimo'])).toEqual([]);
});

test('suggests intended words, in the same case, and a few at most', () => {
  expect(speller.suggest('efusion')).toContain('effusion');
  expect(speller.suggest('Pnemothorax')[0]).toBe('Pneumothorax');
  expect(speller.suggest('mediastinm')).toContain('mediastinum');
  for (const word of ['kidny', 'xqzzkw', 'efusion']) expect(speller.suggest(word).length).toBeLessThanOrEqual(4);
});

test('of any text, the marks are words of that text, in order, and take no other words in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      let before = 0;
      for (const { start, end } of speller.misspelt(text, new Set())) {
        expect(start).toBeGreaterThanOrEqual(before);
        expect(text.slice(start, end)).toMatch(/^\p{L}[^\s]*$/u);
        before = end;
      }
    }),
  );
});
