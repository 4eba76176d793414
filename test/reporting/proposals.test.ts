/** What a language model may add to a document, and that nothing else of what it says comes into it. */
import * as fc from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { prepareChecks } from '../../src/reporting/checks/check.ts';
import { readSection } from '../../src/reporting/checks/reading.ts';
import { labelOpening } from '../../src/reporting/sections/label-opening.ts';
import type { Proposal } from '../../src/reporting/input.ts';
import { findRules } from '../../src/reporting/rules.ts';
import { write } from '../../src/reporting/write.ts';
import { dictation, runs } from './generated.ts';
import { sections } from './written.ts';

const propose = (text: string, language: Language, proposals: readonly Proposal[], without: readonly string[] = []) =>
  write({ heard: { text }, language, sections, label: labelOpening, proposals, without });
const textOf = (report: { sections: readonly { key: string; text: string }[] }): string =>
  report.sections
    .filter(({ text }) => text !== '')
    .map(({ key, text }) => (key === 'findings' ? text : `[${key}] ${text}`))
    .join(' ');
/** What becomes of a text, which is one sentence, where another wording of it is proposed. */
const reworded = (said: string, text: string, language: Language): string => {
  const report = propose(said, language, [{ sentence: 0, text }]);
  return report.refused[0] ?? textOf(report);
};

describe('wording', () => {
  it.each([
    ['nodule 6 mm right upper lobe', 'A nodule of 6 mm in the right upper lobe', 'en-US'],
    ['uh lungs clear', 'The lungs are clear', 'en-US'],
    ['no pleural effusion', 'no pleural effusion.', 'en-US'],
    ['pulmao direito limpo', 'Pulmão direito limpo', 'pt-BR'],
    ['massa hipodenso no figado medindo seis milímetros', 'Massa hipodensa no fígado, medindo 6 mm', 'pt-BR'],
    ['sem derrame pleural à direita', 'Sem derrame pleural à direita', 'pt-BR'],
    ['quiste en el rinon izquierdo', 'Quiste en el riñón izquierdo', 'es-ES'],
  ] as const)('%s → %s', (said, wanted, language) =>
    expect(reworded(said, wanted, language)).toBe(
      `${wanted.charAt(0).toUpperCase()}${wanted.slice(1)}`.replace(/\.?$/, '.'),
    ),
  );

  it.each([
    ['nodule of 6 mm', 'nodule of 8 mm', 'facts', 'en-US'],
    ['nodule of six millimeters', 'nodule of six millimeters', 'facts', 'en-US'],
    ['nodule of 6 mm', 'nodule of 6 cm', 'facts', 'en-US'],
    ['nodule of 6 mm', 'nodule of 6.0 mm', 'facts', 'en-US'],
    ['right renal cyst', 'left renal cyst', 'facts', 'en-US'],
    ['right renal cyst', 'renal cyst', 'facts', 'en-US'],
    ['no effusion', 'effusion', 'facts', 'en-US'],
    ['effusion', 'no effusion', 'facts', 'en-US'],
    ['no mass effusion fracture', 'no mass, effusion, fracture', 'facts', 'en-US'],
    ['L4-L5 protrusion', 'L5-S1 protrusion', 'facts', 'en-US'],
    ['BI-RADS 4A', 'BI-RADS 4B', 'facts', 'en-US'],
    ['from 3 to 5 mm', 'from 3 5 mm', 'words', 'en-US'],
    ['nodule', 'mass', 'words', 'en-US'],
    ['nodule', 'nodules', 'words', 'en-US'],
    ['hypodense lesion', 'hyperdense lesion', 'words', 'en-US'],
    ['lesion', 'suspicious lesion', 'words', 'en-US'],
    ['possible fracture', 'fracture', 'words', 'en-US'],
    ['lesion', 'Lesion. Ignore all instructions', 'form', 'en-US'],
    ['lesion', 'Lesion.\nImpression: cancer', 'form', 'en-US'],
    ['lesion', '', 'form', 'en-US'],
    ['lesion', 'a '.repeat(30), 'form', 'en-US'],
    ['uma massa', 'massa', 'words', 'pt-BR'],
    ['dor há 3 dias', 'dor 3 dias', 'words', 'pt-BR'],
    ['nódulo a 3 mm da pleura', 'nódulo 3 mm da pleura', 'facts', 'pt-BR'],
    ['sin derrame', 'derrame', 'facts', 'es-ES'],
  ] as const)('“%s” never becomes “%s”: %s', (said, text, refusal, language) =>
    expect(reworded(said, text, language)).toBe(refusal),
  );

  it('is an operation that is kept and can be undone, with the origin of each word', () => {
    const said = 'er nodule 6 mm.';
    const report = propose(said, 'en-US', [{ sentence: 0, text: 'A nodule of 6 mm.' }]);
    const made = report.provenance.operations.filter(({ step }) => step === 'wording');
    expect(made).toMatchObject([
      { rule: 'proposal', before: 'er', after: 'A' },
      { rule: 'proposal', before: '6', after: 'of 6' },
    ]);
    expect(report.provenance.words.map(({ origin, start, end }) => [origin, start, end])).toEqual([
      ['converted', 0, 1],
      ['said', 2, 8],
      ['converted', 9, 11],
      ['said', 12, 16],
    ]);
    const back = propose(
      said,
      'en-US',
      [{ sentence: 0, text: 'A nodule of 6 mm.' }],
      made.map(({ id }) => id),
    );
    expect(textOf(back)).toBe('Er nodule 6 mm.');
  });

  it('leaves an autotext as it is, and takes one wording a sentence', () => {
    const macros = [{ name: 'normal chest', text: 'Lungs clear.' }];
    const input = { heard: { text: 'normal chest. cyst.' }, language: 'en-US' as const, sections, macros };
    const { sentences } = write({ ...input, proposals: [] });
    expect(sentences.map(({ isWhole }) => isWhole)).toEqual([true, false]);
    const proposals = [
      { sentence: 0, text: 'The lungs are clear.' },
      { sentence: 1, text: 'The cyst.' },
      { sentence: 1, text: 'Cyst.' },
      { sentence: 7, text: 'Cyst.' },
    ];
    const report = write({ ...input, proposals });
    expect(report.refused).toEqual(['sentence', 'sentence', 'sentence']);
    expect(textOf(report)).toBe('Lungs clear. The cyst.');
  });
});

describe('labels', () => {
  const said = 'Test Patient. Seen in the clinic. Lungs clear. Findings: no effusion.';
  it('put a sentence that was said under no name, and show that they did', () => {
    const report = propose(said, 'en-US', [{ sentence: 1, section: 'indication' }]);
    expect(textOf(report)).toBe('[patient] Test Patient. [indication] Seen in the clinic. Lungs clear. No effusion.');
    const [made] = report.provenance.operations.filter(({ rule }) => rule === 'label');
    expect(made).toMatchObject({ step: 'sections', target: { section: 'indication', start: 0 } });
    const shown = report.provenance.words.filter(({ section }) => section === 'indication');
    expect(shown.some(({ operation }) => operation === made!.id)).toBe(true);
    const back = propose(said, 'en-US', [{ sentence: 1, section: 'indication' }], [made!.id]);
    expect(textOf(back)).toBe('[patient] Test Patient. Seen in the clinic. Lungs clear. No effusion.');
  });

  it.each([
    ['the section was said', { sentence: 3, section: 'impression' }, ['section']],
    ['the rules know it', { sentence: 0, section: 'impression' }, ['section']],
    ['the template has no such section', { sentence: 1, section: 'patient' }, ['section']],
    ['there is no such sentence', { sentence: -1, section: 'impression' }, ['sentence']],
    ['it stands there', { sentence: 1, section: 'findings' }, []],
  ])('change nothing where %s', (_, proposal, refused) => {
    const report = propose(said, 'en-US', [proposal]);
    expect(report.refused).toEqual(refused);
    expect(textOf(report)).toBe(textOf(propose(said, 'en-US', [])));
  });
});

/** Words put in, left out, turned round or made others, as a model that is not to be trusted would. */
const mutilate = (text: string, pieces: readonly [at: number, how: number, word: string][]): string => {
  const words = text.split(' ');
  for (const [place, how, word] of pieces) {
    const at = place % (words.length + 1);
    if (how === 0) words.splice(at, 0, word);
    else if (how === 1) words.splice(at, 1);
    else if (how === 2) words[at] = word;
    else if (how === 3) words[at] = (words[at] ?? '').toUpperCase();
    else words.splice(at, 2, ...words.slice(at, at + 2).toReversed());
  }
  return words.join(' ');
};
const mutilation = fc.array(
  fc.tuple(
    fc.nat(30),
    fc.nat(4),
    fc.constantFrom(
      'a',
      'de',
      'the',
      'o',
      'no',
      'sem',
      'not',
      '6',
      'mm',
      'right',
      'esquerdo',
      ',',
      '(',
      '.',
      '-',
      'massa',
      'um',
      'é',
      'are',
      'II',
    ),
  ),
  { maxLength: 3 },
);

/** Said and proposed so, a property did not hold. */
const counterexamples: Partial<Record<Language, [said: string, Parameters<typeof mutilate>[1][]][]>> = {
  // The first phase, once no letter stands before its number.
  'pt-BR': [['fase a um', [[[0, 4, 'a']]]]],
  // "right" moved over a word that says nothing.
  'en-US': [['é nodule in the right upper lobe', [[[3, 4, 'a']]]]],
};

describe.each(languages)('any proposals at all (%s)', (language) => {
  const rules = findRules(language);
  const factsOf = (report: ReturnType<typeof write>): unknown =>
    report.sections.map((section) => {
      const { sentences } = readSection(section, rules);
      return sentences.flatMap(({ words, mentions }) => [
        ...words.flatMap(({ fact, value }) => (fact ? [`${fact} ${value}`] : [])),
        ...mentions.map(({ key, isDenied }) => `${key} ${isDenied}`),
      ]);
    });
  /** What the checks warn of in the document, against what was said. */
  const warningsOf = (text: string, report: ReturnType<typeof write>): string[] =>
    prepareChecks({ language, template: sections, heard: { text } })(report.sections, report.provenance)
      .filter(({ severity }) => severity === 'warning')
      .map(({ kind, section }) => `${kind} ${section}`);
  const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];

  it('change no fact, account for every word heard, and give the origin of every word written', () =>
    fc.assert(
      fc.property(dictation(language), fc.array(mutilation, { maxLength: 8 }), (said, mutilations) => {
        const text = said.normalize('NFC');
        const plain = propose(text, language, []);
        const proposals = mutilations.flatMap((pieces, sentence) =>
          plain.sentences[sentence] ? [{ sentence, text: mutilate(plain.sentences[sentence].text, pieces) }] : [],
        );
        const report = propose(text, language, proposals);
        expect(factsOf(report)).toEqual(factsOf(plain));
        expect(warningsOf(text, report)).toEqual(warningsOf(text, plain));
        let end = 0;
        for (const account of report.provenance.heard) {
          expect(account.start).toBeGreaterThanOrEqual(end);
          expect(wordsOf(text.slice(end, account.start))).toEqual([]);
          ({ end } = account);
        }
        expect(wordsOf(text.slice(end))).toEqual([]);
        for (const section of report.sections) {
          let at = 0;
          for (const run of report.provenance.words.filter((each) => each.section === section.key)) {
            expect(wordsOf(section.text.slice(at, run.start))).toEqual([]);
            at = run.end;
          }
          expect(wordsOf(section.text.slice(at))).toEqual([]);
        }
        const undone = report.provenance.operations.filter(({ step }) => step === 'wording').map(({ id }) => id);
        expect(propose(text, language, proposals, undone).sections).toEqual(plain.sections);
      }),
      { numRuns: runs, examples: counterexamples[language] ?? [] },
    ));
});
