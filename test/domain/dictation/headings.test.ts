import { describe, expect, it } from 'vitest';
import { splitSections } from '../../../src/domain/dictation/headings.ts';

const split = (text: string): string[] => {
  const { opening, dictated } = splitSections(text, [{ key: 'measurements', title: 'Biometria' }]);
  return [opening, ...dictated.map((each) => `${each.key}|${each.text}`)];
};

describe('section names', () => {
  it.each([
    ['Achados: limpos. Impressão: normal.', ['', 'findings|limpos.', 'impression|normal.']],
    ['ACHADOS limpos. IMPRESSAO normal.', ['', 'findings|limpos.', 'impression|normal.']],
    [
      'Findings lungs are clear. Impression normal chest.',
      ['', 'findings|lungs are clear.', 'impression|normal chest.'],
    ],
    ['Clear. Impression. Normal.', ['Clear.', 'impression|Normal.']],
    ['Clear\nImpression\nNormal', ['Clear', 'impression|Normal']],
    ['limpos, impressão: normal', ['limpos,', 'impression|normal']],
    ['Impressão, exame normal', ['', 'impression|exame normal']],
    ['## Findings\nclear', ['', 'findings|clear']],
    ['Hipótese diagnóstica: psoríase', ['', 'diagnosis|psoríase']],
    ['Biometria: 38 mm', ['', 'measurements|38 mm']],
    ['Impressão. Achados compatíveis com pneumonia.', ['', 'impression|Achados compatíveis com pneumonia.']],
    ['Clear. Impression', ['Clear.', 'impression|']],
  ])('%s', (text, pieces) => expect(split(text)).toEqual(pieces));

  it.each([
    'the impression of the lesion',
    'Findings are stable.',
    'No findings: none',
    'Impression of mass effect.',
    'Achados de aspecto habitual.',
    'Hallazgos compatibles con neumonía.',
    'Basilar impression: mild.',
    'Plano muscular íntegro.',
    'The plan for biopsy.',
    'Grade 3.5 findings',
    'literal2 findings',
  ])('is none: %s', (text) => expect(split(text)).toEqual([text]));

  it('is text after "literal"', () => {
    expect(split('Clear. Literal findings: none.')).toEqual(['Clear. findings: none.']);
  });
});
