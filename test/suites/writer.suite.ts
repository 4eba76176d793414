/** What every writer keeps to, whichever it is: run for each entry of the registry. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Writer } from '../../server/engine/writer.ts';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import type { Template } from '../../src/contract/template.ts';
import { numberWords } from '../../src/domain/dictation/numbers.ts';
import { sectionKinds } from '../../src/domain/dictation/section-kinds.ts';
import { escapeWord, spokenMarks } from '../../src/domain/dictation/spoken-marks.ts';

const templateIds = ['test_template_general', 'test_template_cardiology', 'test_template_dermatology'];
const signal = new AbortController().signal;
const exam = {
  patient_name: 'Paciente Teste',
  modality: 'CT',
  exam_description: 'TC de tórax sem contraste',
  patient_sex: 'M',
  patient_age: '054Y',
};

/** Written apart from the writer's own reading of words: what a reader compares. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Section names, spoken punctuation, and number words that may become digits: all that need not be found again. */
const spokenOnly = new Set(
  languages
    .flatMap((language) => [
      ...sectionKinds.flatMap((kind) => [...kind.phrases[language], kind.titles[language]]),
      ...spokenMarks.flatMap((mark) => mark.phrases[language]),
      ...numberWords[language].small,
      ...numberWords[language].tens,
      ...numberWords[language].hundreds.flat(),
      ...Object.keys(numberWords[language].also),
      ...numberWords[language].percent,
      numberWords[language].decimal.spoken,
      numberWords[language].timesHundred ?? '',
      numberWords[language].and,
    ])
    .concat(escapeWord)
    .flatMap((phrase) => wordsOf(plain(phrase))),
);

const count = (words: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};

const clinicalWords = [
  'sem derrame',
  'pulmões limpos',
  'nódulo de 6 mm',
  'no lobo superior direito',
  'ponto de McBurney',
  'não há',
  '3,5 cm',
  'no effusion',
  'lungs are clear',
  'the findings are',
  'impression of the lesion',
  'period of apnea',
  'left',
  'BI-RADS 2',
  'sin derrame',
  'paciente en coma',
  'quiste',
  'pH 7.35',
  'L5-S1',
  '120/80',
  'Dr. Silva',
  'Paciente Teste',
  'TC de tórax',
];
const spokenPieces = languages.flatMap((language) => [
  ...spokenMarks.flatMap((mark) => mark.phrases[language]),
  ...sectionKinds.flatMap((kind) => kind.phrases[language].map((phrase) => phrase.replace(/:$/, ''))),
]);
const marks = ['. ', ', ', ': ', '; ', '\n', '\n\n', ' ', ' ', ' ', '... ', '? '];

/** A dictation of a kind: clinical words, section names and spoken punctuation in any order, or any text at all. */
const dictation = fc.oneof(
  fc
    .array(
      fc.tuple(
        fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(...clinicalWords) },
          { weight: 2, arbitrary: fc.constantFrom(...spokenPieces) },
          {
            weight: 1,
            arbitrary: fc.constantFrom('três vírgula cinco', 'three point five', 'sessenta por cento', escapeWord),
          },
          { weight: 1, arbitrary: fc.stringMatching(/^[a-zãéñç]{1,9}$/) },
        ),
        fc.constantFrom(...marks),
      ),
      { maxLength: 40 },
    )
    .map((pieces) => pieces.flat().join('')),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

/** Runs the shared suite against one writer. */
export function describeWriter(name: string, create: () => Writer): void {
  const templateOf = (writer: Writer, id: string, language: Language): Template => {
    const template = writer.template(id, language);
    if (!template) throw new Error(`${name} has no template ${id}`);
    return template;
  };

  describe(`${name}: templates`, () => {
    it.each(languages)('has the three of test mode in %s, the general one first', (language) => {
      const writer = create();
      const listed = writer.templates(language);
      expect(listed.slice(0, 3).map((template) => template.id)).toEqual(templateIds);
      for (const template of listed) {
        expect(template).toEqual(writer.template(template.id, language));
        expect(template.language).toBe(language);
        expect(template.sections.length).toBeGreaterThan(2);
        expect(new Set(template.sections.map((section) => section.key)).size).toBe(template.sections.length);
      }
    });

    it('knows no other id', () => {
      for (const id of ['', 'nope', '__proto__', 'constructor']) expect(create().template(id, 'en-US')).toBeUndefined();
    });
  });

  describe(`${name}: compose`, () => {
    it('keeps every word of the text, whatever it is', async () => {
      const writer = create();
      await fc.assert(
        fc.asyncProperty(
          dictation,
          fc.constantFrom(...templateIds),
          fc.constantFrom(...languages),
          async (text, id, language) => {
            const { sections } = await writer.compose(
              { text, template: templateOf(writer, id, language), language, exam: null },
              signal,
            );
            const found = count(wordsOf(sections.map((section) => section.text).join('\n')));
            for (const [word, times] of count(wordsOf(text))) {
              if (!spokenOnly.has(plain(word))) expect(found.get(word) ?? 0, word).toBeGreaterThanOrEqual(times);
            }
          },
        ),
        { numRuns: 300 },
      );
    });

    it('makes up nothing but the technique, and makes the same document every time', async () => {
      const [writer, other] = [create(), create()];
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(...clinicalWords, 'Achados:', 'Impressão:', 'Technique:'), { maxLength: 20 }),
          fc.constantFrom(...templateIds),
          fc.constantFrom(...languages),
          async (pieces, id, language) => {
            const input = { text: pieces.join('. '), template: templateOf(writer, id, language), language, exam };
            const document = await writer.compose(input, signal);
            const said = new Set(wordsOf(input.text));
            const made = document.sections.filter((section) => section.key !== 'technique');
            for (const word of made.flatMap((section) => wordsOf(section.text))) expect(said).toContain(word);
            expect(JSON.stringify(await other.compose(input, signal))).toBe(JSON.stringify(document));
          },
        ),
        { numRuns: 100 },
      );
    });

    it.each(languages)('gives valid sections with titles in %s', async (language) => {
      const writer = create();
      for (const template of writer.templates(language)) {
        const text = 'Test Patient. Recomendações: retorno. Comparison: none.';
        const { title, sections } = await writer.compose({ text, template, language, exam }, signal);
        expect(title).toBe(exam.exam_description);
        for (const section of sections) {
          expect(section.key).toMatch(/^[a-z][a-z0-9_]*$/);
          expect(section.title).not.toBe('');
        }
        expect(new Set(sections.map((section) => section.key)).size).toBe(sections.length);
      }
    });

    // A rule that is quadratic in the length of a run takes minutes here; all of it takes about a second.
    it('is done in time with any long text', { timeout: 20_000 }, async () => {
      const writer = create();
      const template = templateOf(writer, 'test_template_general', 'pt-BR');
      const length = 300_000;
      for (const piece of [
        'sem derrame ponto achados normais. ',
        '!',
        '. ',
        '* ',
        'literal ',
        'um vírgula ',
        ',\n',
        '(',
      ]) {
        const text = `${piece.repeat(length / piece.length)}x`;
        const { sections } = await writer.compose({ text, template, language: 'pt-BR', exam: null }, signal);
        expect(sections.length).toBeGreaterThan(0);
      }
    });
  });

  describe(`${name}: correct`, () => {
    it('gives the sections back as they were where it does not understand', async () => {
      const sections = [{ key: 'findings', title: 'Findings', text: 'No effusion on the left.' }];
      const answer = await create().correct({ instruction: 'Make some coffee.', sections, language: 'en-US' }, signal);
      expect(answer).toEqual({ sections, changes: [] });
    });

    it('tells exactly what it changed', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            fc.string({ unit: 'grapheme' }),
            fc.constantFrom('Delete cyst', 'scratch that', 'Add x to the plan', 'Replace cyst with mass'),
          ),
          fc.array(fc.constantFrom('Cyst.', 'Small cyst, stable.', '', 'cyst'), { minLength: 1, maxLength: 3 }),
          async (instruction, texts) => {
            const sections = texts.map((text, i) => ({
              key: ['findings', 'impression', 'plan'][i] ?? 'x',
              title: `T${i}`,
              text,
            }));
            const answer = await create().correct({ instruction, sections, language: 'en-US' }, signal);
            const textOf = (key: string, of: readonly { key: string; text: string }[]): string | null =>
              of.find((each) => each.key === key)?.text ?? null;
            const keys = new Set([...sections, ...answer.sections].map((section) => section.key));
            const changed = [...keys].filter((key) => textOf(key, sections) !== textOf(key, answer.sections));
            expect(answer.changes).toEqual(
              changed.map((key) => ({
                section: key,
                before: textOf(key, sections),
                after: textOf(key, answer.sections),
              })),
            );
          },
        ),
      );
    });
  });

  describe(`${name}: languageOf`, () => {
    it.each([
      ['pt-BR', 'Pulmões limpos, sem derrame pleural.'],
      ['pt-BR', 'TC de tórax sem contraste'],
      ['en-US', 'The lungs are clear, without effusion.'],
      ['en-US', 'Test Patient. Chest CT without contrast. Findings: no effusion.'],
      ['es-ES', 'Pulmones limpios, sin derrame pleural.'],
      ['es-ES', 'Radiografía de tórax: hallazgos normales'],
    ])('tells %s', (language, text) => {
      expect(create().languageOf(text)).toBe(language);
    });

    it('does not guess', () => {
      for (const text of ['', '12345', 'XYZ', 'ECG']) expect(create().languageOf(text)).toBeUndefined();
    });
  });

  it(`${name}: stops when it is no longer wanted`, async () => {
    const writer = create();
    const aborted = AbortSignal.abort();
    const template = templateOf(writer, 'test_template_general', 'en-US');
    await expect(writer.compose({ text: 'x', template, language: 'en-US', exam: null }, aborted)).rejects.toThrow();
    await expect(writer.correct({ instruction: 'x', sections: [], language: 'en-US' }, aborted)).rejects.toThrow();
  });
}
