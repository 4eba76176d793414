/** Dictations of many exams, as recognisers give them, with what stands in the document: `[key]` before another section. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as fc from '../support/properties.ts';
import { languages } from '../../src/contract/shared.ts';
import { spokenDecimal } from './spoken.ts';
import { written } from './written.ts';

describe.each(languages)('dictations in %s', (language) => {
  const file = new URL(`dictations/${language}.json`, import.meta.url);
  const pairs = JSON.parse(readFileSync(file, 'utf8')) as [heard: string, text: string][];
  it.each(pairs)('%s', (heard, text) => expect(written(heard, language)).toBe(text));

  it('has the same decimal whatever commas a model writes round the sign, in words and in figures', () => {
    const { lead, unit, mark } = {
      'pt-BR': { lead: 'Nódulo de', unit: 'milímetros', mark: ',' },
      'en-US': { lead: 'Nodule of', unit: 'millimeters', mark: '.' },
      'es-ES': { lead: 'Nódulo de', unit: 'milímetros', mark: ',' },
    }[language];
    const decimals = fc.stringMatching(/^[0-9]?[1-9]$/);
    const [before, after] = [fc.constantFrom('', ','), fc.constantFrom('', ',')];
    fc.assert(
      fc.property(fc.nat(150), decimals, before, after, fc.boolean(), (whole, places, first, last, isInFigures) => {
        const [said = '', sign = '', rest = ''] = spokenDecimal(whole, places, language).split(
          / (vírgula|point|coma) /,
        );
        const [number, fraction] = isInFigures ? [whole, places] : [said, rest];
        expect(written(`${lead} ${number}${first} ${sign}${last} ${fraction} ${unit}`, language)).toBe(
          `${lead} ${whole}${mark}${places} mm.`,
        );
      }),
      { numRuns: 60 },
    );
  });
});
