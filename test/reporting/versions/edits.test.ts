/** Edits one after the other: whatever was removed before, each has its account, and every word keeps where it comes from. */
import { expect, it } from 'vitest';
import { languages } from '../../../src/contract/shared.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { editing, traceEdit, withRestoredSections, wordsOf } from '../../../src/reporting/versions/edits.ts';
import type { TracedReport } from '../../../src/reporting/versions/edits.ts';
import { write } from '../../../src/reporting/write.ts';
import * as fc from '../../support/properties.ts';
import { dictation, runs } from '../generated.ts';
import { sections } from '../written.ts';

const made = (text: string, language: Language): TracedReport => write({ heard: { text }, language, sections });

/** The document once somebody has changed its texts. */
function edited(before: TracedReport, transcript: string, change: (text: string, key: string) => string): TracedReport {
  const after = before.sections.map((each) => ({ ...each, text: change(each.text, each.key) }));
  return { sections: after, provenance: traceEdit(before, after, { by: 'Ana', transcript }) };
}

/** Every word of the document has one origin, and every word that was heard one account, in order. */
function expectWhole({ sections: all, provenance }: TracedReport, transcript: string): void {
  for (const { key, text } of all) {
    let end = 0;
    for (const run of provenance.words.filter(({ section }) => section === key)) {
      expect(run.start).toBeGreaterThanOrEqual(end);
      expect(wordsOf(text.slice(end, run.start))).toEqual([]);
      end = run.end;
    }
    expect(wordsOf(text.slice(end))).toEqual([]);
  }
  let end = 0;
  for (const { start, end: next } of provenance.heard) {
    expect(start).toBeGreaterThanOrEqual(end);
    expect(wordsOf(transcript.slice(end, start))).toEqual([]);
    end = next;
  }
  const removals = provenance.operations.filter(({ id }) => id.startsWith(editing)).map(({ id }) => id);
  expect(new Set(removals).size).toBe(removals.length);
  const named = provenance.heard.flatMap(({ operation }) => (operation?.startsWith(editing) ? [operation] : []));
  expect(removals).toEqual(expect.arrayContaining(named));
}

it.each([
  ['the second beside the first', 'three', 'four'],
  ['the second before the first', 'four', 'three'],
])('two removals side by side, %s, are two', (_order, first, second) => {
  const said = 'one two three four five';
  const before = made(said, 'en-US');
  const removed = [first, second].reduce(
    (document, word) => edited(document, said, (text) => text.replace(new RegExp(`\\s?\\b${word}\\b`, 'i'), '')),
    before,
  );
  expectWhole(removed, said);
  const removals = removed.provenance.operations.filter(({ id }) => id.startsWith(editing));
  expect(removals.map(({ before: text }) => text).toSorted()).toEqual([second, first].toSorted());
});

it.each(languages)('any words removed, written and moved, edit after edit, in %s', (language) =>
  fc.assert(
    fc.property(
      dictation(language),
      fc.array(
        fc.record({
          do: fc.constantFrom('remove', 'write', 'move'),
          at: fc.nat(1000),
          words: fc.integer({ min: 1, max: 3 }),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      (text, steps) => {
        const transcript = text.normalize('NFC');
        let document = made(transcript, language);
        for (const { do: what, at, words } of steps) {
          const filled = document.sections.filter((section) => wordsOf(section.text).length > 0);
          if (filled.length === 0) return;
          const { key } = filled[at % filled.length]!;
          document = edited(document, transcript, (old, of) => {
            if (of !== key) return old;
            const all = wordsOf(old);
            const first = at % all.length;
            const [from, to] = [all[first]!.start, all[Math.min(all.length, first + words) - 1]!.end];
            if (what === 'write') return `${old.slice(0, from)}added ${old.slice(from)}`;
            const rest = old.slice(0, from) + old.slice(to);
            return what === 'remove' ? rest : `${rest} ${old.slice(from, to)}`;
          });
          expectWhole(document, transcript);
        }
      },
    ),
    { numRuns: 2 * runs },
  ),
);

it('sections that come back from several versions have the origins that they had there', () => {
  const said = 'findings lungs are clear period impression normal examination period';
  const first = made(said, 'en-US');
  const second = edited(first, said, (text, key) => (key === 'findings' ? 'Other.' : text));
  const third = edited(second, said, (text, key) => (key === 'impression' ? 'Another.' : text));
  const former = [second, first];
  const known = former.reduce(
    (present, version) => withRestoredSections(present, version, first.sections, said),
    third,
  );
  const back = traceEdit(known, first.sections, { by: 'Ana', transcript: said });
  expect(back.words.map(({ origin }) => origin)).not.toContain('edited');
  expectWhole({ sections: first.sections, provenance: back }, said);
});

it.each([
  ['what a prior brought', { prior: { id: 'pri_1', exam_datetime: '2024-01-13T09:10:00-03:00' } }, 'prior'],
  ['a macro', { macro: { name: 'size', version: 1 } as never }, 'macro'],
  ['a score', { score: 'tirads' }, 'score'],
  ['a measurement', { viewer: { id: 'obs-1', values: [{ value: 4, unit: 'mm' }] } as never }, 'viewer'],
] as const)('%s keeps its origin amid words that were typed, over further edits', (_which, from, origin) => {
  const section = { key: 'findings', title: 'Findings' };
  const typed: TracedReport = {
    sections: [{ ...section, text: 'Nodule of 6 mm in the lobe.' }],
    provenance: traceEdit(
      { sections: [], provenance: { words: [], heard: [], operations: [] } },
      [{ ...section, text: 'Nodule of 6 mm in the lobe.' }],
      { by: 'Ana', transcript: '' },
    ),
  };
  const after = [{ ...section, text: 'Nodule of 6 mm (previously 4 mm) in the lobe.' }];
  const brought = [{ section: 'findings', text: 'previously 4 mm', ...from }];
  const taken = { sections: after, provenance: traceEdit(typed, after, { by: 'Ana', transcript: '', brought }) };
  const later = edited(taken, '', (text) => text.replace('lobe', 'upper lobe'));
  for (const each of [taken, later]) {
    expectWhole(each, '');
    const runs = each.provenance.words.filter((run) => run.origin === origin);
    expect(runs.map(({ start, end }) => each.sections[0]!.text.slice(start, end))).toEqual(['previously 4 mm']);
  }
});
