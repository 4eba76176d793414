/** Two people's changes of one section, joined. */
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { joinTexts } from '../../../src/reporting/versions/both-texts.ts';

test.each([
  [
    'the unchanged rest comes once',
    'Liver normal. Spleen normal.',
    'Liver normal. Spleen 14 cm.',
    'Liver large. Spleen normal.',
    'Liver large. Spleen 14 cm.',
  ],
  [
    'both changes of one sentence stand one after the other',
    'Normal.',
    'Anna’s impression.',
    'Bruno’s impression.',
    'Anna’s impression.\nBruno’s impression.',
  ],
  [
    'both additions stay',
    'Clear.',
    'Clear. Nodule of 1.5 cm, Dr. Reis.',
    'Clear. Effusion.',
    'Clear. Nodule of 1.5 cm, Dr. Reis.\nEffusion.',
  ],
  ['the same addition comes once', 'Clear.', 'Clear. Nodule.', 'Clear. Nodule. Effusion.', 'Clear. Nodule.\nEffusion.'],
  [
    'a section that each wrote anew',
    '',
    'No fracture. Effusion.',
    'No fracture. Swelling.',
    'No fracture. Effusion.\nSwelling.',
  ],
  [
    'the same addition at two places comes at both',
    'Liver large. Spleen large.',
    'Liver large. No change. Spleen large.',
    'Liver large. Spleen large. No change.',
    'Liver large. No change. Spleen large.\nNo change.',
  ],
  [
    'the same words instead of two sentences come once',
    'Liver normal. Spleen normal.',
    'Liver normal. See text.',
    'See text. Spleen normal.',
    'See text.',
  ],
  ['lines stay lines', 'A.\n\nB.', 'A1.\n\nB.', 'A.\n\nB.\n\nC.', 'A1.\n\nB.\nC.'],
])('%s', (_name, before, theirs, ours, both) => expect(joinTexts(before, theirs, ours)).toBe(both));

test('nothing that either wrote is lost, and no sentence comes twice at one place', () => {
  const sentences = fc.uniqueArray(fc.constantFrom('Clear.', 'Nodule.', 'Effusion.', 'Mass.', 'Normal.'), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(sentences, sentences, sentences, (before, theirs, ours) => {
      const both = joinTexts(before.join(' '), theirs.join(' '), ours.join(' ')).split(/\s/).filter(Boolean);
      const isShared = (each: string) => [before, theirs, ours].every((texts) => texts.some((text) => text === each));
      for (const [at, sentence] of both.entries()) {
        const next = both.indexOf(sentence, at + 1);
        if (next >= 0) expect(both.slice(at + 1, next).some(isShared)).toBe(true);
      }
      for (const written of [...theirs, ...ours]) if (!before.includes(written)) expect(both).toContain(written);
      expect(joinTexts(before.join(' '), theirs.join(' '), theirs.join(' '))).toBe(theirs.join(' '));
    }),
    { numRuns: 200 },
  );
});
