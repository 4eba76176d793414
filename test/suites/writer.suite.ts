/** What every writer keeps to, whichever it is. */
import { explored, sampled } from '../support/explored.ts';
import * as fc from '../support/properties.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Writer } from '../../server/speech/writer.ts';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { phraseList } from '../../src/domain/fold.ts';
import { tables } from '../../src/reporting/languages/index.ts';
import { shippedTemplates } from '../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../src/reporting/templates/template.ts';
import type { Template } from '../../src/contract/template.ts';

const templatesIn = (language: Language): Template[] =>
  Object.entries(shippedTemplates).map(([id, data]) => templateIn(language, id, data));
const [template] = templatesIn('en-US') as [Template];
const anyTemplate = fc.constantFrom(...languages.flatMap(templatesIn));
const signal = new AbortController().signal;
const exam = {
  patient_name: 'Paciente Teste',
  modality: 'CT',
  exam_description: 'TC de tórax sem contraste',
  patient_sex: 'M',
  patient_age: '054Y',
};

/** Written apart from the writer's own reading of words: what a reader compares. A mark without a letter before it is no word. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];

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
const spokenPieces = languages.flatMap((language) => {
  const { marks, sections } = tables[language];
  const names = Object.values(sections.names).flatMap(phraseList);
  return [...marks.marks.flatMap(({ phrases }) => phraseList(phrases)), ...names.map((name) => name.replace(/:$/, ''))];
});
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
            arbitrary: fc.constantFrom('três vírgula cinco', 'three point five', 'sessenta por cento', 'literal'),
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

/**
 * Runs the shared suite against one writer, which `open` makes anew for each test. `leavesLong`: what is long it leaves to
 * the rules, which have the suite themselves.
 */
export function describeWriter(name: string, open: () => Promise<Writer>, { leavesLong = false } = {}): void {
  const opened = async (): Promise<Writer> => {
    const writer = await open();
    onTestFinished(() => writer.close());
    return writer;
  };

  describe(`${name}: compose`, () => {
    it('accounts for every word of the text once, and writes those that it says it has written', async () => {
      const writer = await opened();
      await fc.assert(
        fc.asyncProperty(dictation, anyTemplate, async (text, form) => {
          const { sections, provenance } = await writer.compose(
            { heard: { text }, template: form, language: form.language, exam: null },
            signal,
          );
          const whole = text.normalize('NFC');
          const found = count(wordsOf(sections.map((section) => section.text).join('\n')));
          const written: string[] = [];
          let end = 0;
          for (const account of provenance.heard) {
            expect(wordsOf(whole.slice(end, account.start))).toEqual([]);
            if (account.fate === 'written') written.push(...wordsOf(whole.slice(account.start, account.end)));
            expect(account.start).toBeGreaterThanOrEqual(end);
            ({ end } = account);
          }
          expect(wordsOf(whole.slice(end))).toEqual([]);
          for (const [word, times] of count(written)) {
            expect(found.get(word) ?? 0, word).toBeGreaterThanOrEqual(times);
          }
        }),
        { numRuns: 100 },
      );
    });

    it('makes up nothing but the technique and the defaults of the template, and makes the same document every time', async () => {
      const [writer, other] = [await opened(), await opened()];
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(...clinicalWords, 'Achados:', 'Impressão:', 'Technique:'), { maxLength: 20 }),
          anyTemplate,
          async (pieces, form) => {
            const input = { heard: { text: pieces.join('. ') }, template: form, language: form.language, exam };
            const document = await writer.compose(input, signal);
            const said = new Set(wordsOf(input.heard.text));
            const defaults = new Map(form.sections.map(({ key, text = '' }) => [key, text]));
            for (const { key, text } of document.sections) {
              if (key === 'technique' || text === defaults.get(key)) continue;
              for (const word of wordsOf(text)) expect(said).toContain(word);
            }
            expect(JSON.stringify(await other.compose(input, signal))).toBe(JSON.stringify(document));
          },
        ),
        { numRuns: 40 },
      );
    });

    it.each(languages)('gives valid sections with titles in %s', async (language) => {
      const writer = await opened();
      for (const form of templatesIn(language)) {
        const text = 'Test Patient. Recomendações: retorno. Comparison: none.';
        const { sections } = await writer.compose({ heard: { text }, template: form, language, exam }, signal);
        for (const section of sections) {
          expect(section.key).toMatch(/^[a-z][a-z0-9_]*$/);
          expect(section.title).not.toBe('');
        }
        expect(new Set(sections.map((section) => section.key)).size).toBe(sections.length);
      }
    });

    // A rule that is quadratic in the length of a run takes minutes here; all of it takes about a second.
    it('is done in time with any long text', async () => {
      const writer = await opened();
      const [form] = templatesIn('pt-BR') as [Template];
      // In the gate stalls.test.ts and rules-writer.test.ts hold longer texts to the time of each turn.
      const length = explored.isOn ? 300_000 : 100_000;
      const pieces = ['sem derrame ponto achados normais. ', '!', '. ', '* ', 'literal ', 'um vírgula ', ',\n', '('];
      for (const piece of leavesLong ? sampled(pieces, 3) : pieces) {
        const text = `${piece.repeat(length / piece.length)}x`;
        const { sections } = await writer.compose(
          { heard: { text }, template: form, language: 'pt-BR', exam: null },
          signal,
        );
        expect(sections.length).toBeGreaterThan(0);
      }
    });
  });

  describe(`${name}: correct`, () => {
    it('gives the sections back as they were, and says so, where it does not understand', async () => {
      const sections = [{ key: 'findings', title: 'Findings', text: 'No effusion on the left.' }];
      const input = { instruction: 'Make some coffee.', sections, last: null, language: 'en-US' as const };
      const answer = await (await opened()).correct(input, signal);
      expect(answer).toMatchObject({ sections, changes: [], answer: { asks: true } });
      expect(answer.answer?.message).toMatch(/\w/);
    });

    it('reports exactly its changes', async () => {
      const writer = await opened();
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
            const answer = await writer.correct({ instruction, sections, last: null, language: 'en-US' }, signal);
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

  it(`${name}: stops when it is no longer wanted`, async () => {
    const writer = await opened();
    const aborted = AbortSignal.abort();
    await expect(
      writer.compose({ heard: { text: 'x' }, template, language: 'en-US', exam: null }, aborted),
    ).rejects.toThrow();
    const correction = { instruction: 'x', sections: [], last: null, language: 'en-US' as const };
    await expect(writer.correct(correction, aborted)).rejects.toThrow();
  });
}
