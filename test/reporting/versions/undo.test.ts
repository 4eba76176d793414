/** Every conversion whose words stand in a document can be taken back, whatever was changed elsewhere. */
import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { languages } from '../../../src/contract/shared.ts';
import type { StepName } from '../../../src/contract/provenance.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { traceEdit, wordsOf } from '../../../src/reporting/versions/edits.ts';
import type { TracedReport } from '../../../src/reporting/versions/edits.ts';
import type { Proposal } from '../../../src/reporting/input.ts';
import { undo } from '../../../src/reporting/versions/undo.ts';
import { write } from '../../../src/reporting/write.ts';
import { dictation, runs } from '../generated.ts';
import { sections } from '../written.ts';

const made = (text: string, language: Language, proposals: readonly Proposal[] = []): TracedReport =>
  write({ heard: { text }, language, sections, proposals });

const textsOf = ({ sections: all }: TracedReport): Record<string, string> =>
  Object.fromEntries(all.filter(({ text }) => text !== '').map(({ key, text }) => [key, text]));

function undone(document: TracedReport, transcript: string, step: StepName): TracedReport {
  const { id } = document.provenance.operations.find((each) => each.step === step && wordsOf(each.after).length > 0)!;
  const done = undo(document, id, transcript);
  if (typeof done === 'string') throw new Error(`${id}: ${done}`);
  expect(done.provenance.operations.map((each) => each.id)).not.toContain(id);
  expectSound(done, transcript);
  return done;
}

/** Every word of the document has an origin, and what was said stands as it was said. */
function expectSound({ sections: all, provenance }: TracedReport, transcript: string): void {
  const folded = (text: string): string => text.toLowerCase().replace(/\s/g, ' ');
  for (const { key, text } of all) {
    let end = 0;
    for (const run of provenance.words.filter(({ section }) => section === key)) {
      expect(wordsOf(text.slice(end, run.start))).toEqual([]);
      end = run.end;
      if (run.origin === 'said')
        expect(folded(text.slice(run.start, run.end))).toBe(folded(transcript.slice(run.heard!.start, run.heard!.end)));
    }
    expect(wordsOf(text.slice(end))).toEqual([]);
  }
  let end = 0;
  for (const account of provenance.heard) {
    expect(account.start).toBeGreaterThanOrEqual(end);
    expect(wordsOf(transcript.slice(end, account.start))).toEqual([]);
    end = account.end;
  }
}

describe('takes back', () => {
  it('a number', () => {
    const said = 'nódulo de seis milímetros no lobo superior direito ponto cisto de dois centímetros ponto';
    const document = undone(made(said, 'pt-BR'), said, 'numbers');
    expect(textsOf(document)).toEqual({
      findings: 'Nódulo de seis milímetros no lobo superior direito. Cisto de 2 cm.',
    });
    expect(new Set(document.provenance.words.map(({ origin }) => origin))).toEqual(new Set(['said', 'converted']));
  });

  it('a self-correction, with the numbers in it as they were written', () => {
    const said = 'nodule of five millimeters correction six millimeters in the left lobe period';
    const document = made(said, 'en-US');
    expect(textsOf(document)).toEqual({ findings: 'Nodule of 6 mm in the left lobe.' });
    expect(textsOf(undone(document, said, 'corrections'))).toEqual({
      findings: 'Nodule of 5 mm correction 6 mm in the left lobe.',
    });
  });

  it('where a model put a sentence', () => {
    const said = 'lungs are clear period no acute disease period heart is normal period';
    const document = made(said, 'en-US', [{ sentence: 1, section: 'impression' }]);
    expect(textsOf(document)).toEqual({
      findings: 'Lungs are clear. Heart is normal.',
      impression: 'No acute disease.',
    });
    expect(textsOf(undone(document, said, 'sections'))).toEqual({
      findings: 'Lungs are clear. No acute disease. Heart is normal.',
    });
  });

  it('text worded by a model', () => {
    const said = 'there is a nodule of six millimeters in the right lobe period no effusion period';
    const document = made(said, 'en-US', [{ sentence: 0, text: 'A nodule of 6 mm is in the right lobe.' }]);
    const worded = document.provenance.operations.filter(({ step }) => step === 'wording');
    expect(worded.length).toBeGreaterThan(0);
    const back = worded.reduce<TracedReport>((before) => undone(before, said, 'wording'), document);
    expect(textsOf(back)).toEqual(textsOf(made(said, 'en-US')));
  });

  it('a number of a document that somebody edited elsewhere, and none whose words were edited', () => {
    const said = 'nodule of six millimeters in the right lobe period cyst of two centimeters period';
    const before = made(said, 'en-US');
    const after = before.sections.map((each) => ({
      ...each,
      text: each.text.replace('Nodule', 'Round nodule').replace('2 cm', '3 cm'),
    }));
    const edited = { sections: after, provenance: traceEdit(before, after, { by: 'Ana', transcript: said }) };
    const [six, two] = edited.provenance.operations.filter(({ step }) => step === 'numbers');
    expect(textsOf(undone(edited, said, six!.step))).toEqual({
      findings: 'Round nodule of six millimeters in the right lobe. Cyst of 3 cm.',
    });
    expect(undo(edited, two!.id, said)).toBe('changed');
    expect(undo(edited, 'numbers.measure@0-1', said)).toBe('unknown');
    const [command] = edited.provenance.operations.filter(({ step }) => step === 'commands');
    expect(undo(edited, command!.id, said)).toBe('wordless');
  });
});

it.each(languages)('any conversion that is still unchanged, in %s', (language) =>
  fc.assert(
    fc.property(dictation(language), (text) => {
      const transcript = text.normalize('NFC');
      let document = made(transcript, language);
      for (const { id, step, after } of document.provenance.operations.toReversed()) {
        const done = undo(document, id, transcript);
        if (step === 'numbers' && wordsOf(after).length > 0) expect(done, id).not.toBe('unknown');
        // Commands leave no words, and what was taken back by a later step stands no more.
        if (typeof done === 'string') continue;
        document = done;
        expectSound(document, transcript);
      }
      // A self-correction within a measure, or a name within a list, mixes words of several steps.
      const sources = made(transcript, language).provenance.operations.map(({ source }) => source);
      const isMixed = sources.some((a, at) => sources.some((b, i) => i > at && a.start < b.end && b.start < a.end));
      const left = document.provenance.words.filter(({ origin }) => origin === 'converted');
      if (!isMixed) expect(left).toEqual([]);
    }),
    // A later step wrote a word that an earlier one had left as it was said.
    { numRuns: runs, examples: language === 'en-US' ? [['isup grade group zero I mean six']] : [] },
  ),
);
