/** What two people made of one report at the same time. */
import * as fc from '../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { mergeReports, saySame, withText } from '../../../src/reporting/versions/report-merge.ts';
import type { ReportWords } from '../../../src/reporting/versions/report-merge.ts';

const words = (title: string, texts: Readonly<Record<string, string>>): ReportWords => ({
  title,
  sections: Object.entries(texts).map(([key, text]) => ({ key, title: key.toUpperCase(), text })),
});
const before = words('CT', { findings: 'Clear.', impression: 'Normal.' });

describe('by example', () => {
  test.each<[string, ReportWords, ReportWords, ReportWords]>([
    [
      'edits of different sections stand side by side',
      words('CT', { findings: 'Nodule.', impression: 'Normal.' }),
      words('CT', { findings: 'Clear.', impression: 'No change.' }),
      words('CT', { findings: 'Nodule.', impression: 'No change.' }),
    ],
    [
      'an edit of the title and one of a section',
      words('CT chest', { findings: 'Clear.', impression: 'Normal.' }),
      words('CT', { findings: 'Nodule.', impression: 'Normal.' }),
      words('CT chest', { findings: 'Nodule.', impression: 'Normal.' }),
    ],
    [
      'a section that each added stays where it was put',
      words('CT', { technique: 'Low dose.', findings: 'Clear.', impression: 'Normal.' }),
      words('CT', { findings: 'Clear.', comparison: 'None.', impression: 'Normal.' }),
      words('CT', { technique: 'Low dose.', findings: 'Clear.', comparison: 'None.', impression: 'Normal.' }),
    ],
    [
      'a section that one removed and the other left alone is gone',
      words('CT', { findings: 'Nodule.', impression: 'Normal.' }),
      words('CT', { findings: 'Clear.' }),
      words('CT', { findings: 'Nodule.' }),
    ],
    [
      'the same edit twice is one edit',
      words('CT', { findings: 'Nodule.', impression: 'Normal.' }),
      words('CT', { findings: 'Nodule.', impression: 'Normal.' }),
      words('CT', { findings: 'Nodule.', impression: 'Normal.' }),
    ],
  ])('%s', (_name, ours, theirs, both) => {
    expect(mergeReports(before, ours, theirs)).toMatchObject({ words: both, clashes: [] });
    expect(mergeReports(before, theirs, ours)).toMatchObject({ words: both, clashes: [] });
  });

  test('only the section that both changed asks, with both texts', () => {
    const ours = words('CT', { findings: 'Nodule.', impression: 'See findings.' });
    const theirs = words('CT', { findings: 'Mass.', impression: 'Normal.' });
    expect(mergeReports(before, ours, theirs)).toEqual({
      words: words('CT', { findings: 'Nodule.', impression: 'See findings.' }),
      clashes: [{ key: 'findings', heading: 'FINDINGS', before: 'Clear.', ours: 'Nodule.', theirs: 'Mass.' }],
      taken: [],
    });
  });

  test('a section that one removed and the other changed asks, and its words stay', () => {
    const merge = mergeReports(
      before,
      words('CT', { findings: 'Clear.' }),
      words('CT', { findings: 'Clear.', impression: 'New.' }),
    );
    expect(merge.clashes).toMatchObject([{ key: 'impression', ours: undefined, theirs: 'New.' }]);
    expect(merge.words.sections).toMatchObject([{ key: 'findings' }, { key: 'impression', text: 'New.' }]);
  });
});

/** Reports of up to five sections, whose keys differ. */
const reports = fc
  .tuple(
    fc.constantFrom('A', 'B', 'C'),
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 5 }),
    fc.array(fc.constantFrom('', 'one', 'two', 'three'), { minLength: 5, maxLength: 5 }),
  )
  .map(([title, keys, texts]) => words(title, Object.fromEntries(keys.map((key, at) => [key, texts[at]!]))));

const textOf = ({ sections }: ReportWords, key: string) => sections.find((section) => section.key === key)?.text;
const allKeys = ['a', 'b', 'c', 'd', 'e'];

describe('whatever both changed', () => {
  test('every change of either person stays, or asks; nothing else is altered', () => {
    fc.assert(
      fc.property(reports, reports, reports, (was, ours, theirs) => {
        const merge = mergeReports(was, ours, theirs);
        for (const key of allKeys) {
          const [then, mine, other, now] = [was, ours, theirs, merge.words].map((each) => textOf(each, key));
          const clash = merge.clashes.find((each) => each.key === key);
          if (clash) {
            expect([clash.ours, clash.theirs]).toEqual([mine, other]);
            expect([mine, other]).toContain(now);
            expect(now).toBeDefined();
          } else expect(now).toBe(mine === then ? other : mine);
          expect(clash !== undefined).toBe(mine !== then && other !== then && mine !== other);
        }
        expect(new Set(merge.words.sections.map(({ key }) => key)).size).toBe(merge.words.sections.length);
      }),
    );
  });

  test('where one did nothing, the report is the other’s, in the other’s order', () => {
    fc.assert(
      fc.property(reports, reports, (was, changed) => {
        for (const merge of [mergeReports(was, changed, was), mergeReports(was, was, changed)]) {
          expect(merge.clashes).toEqual([]);
          expect(saySame(merge.words, changed)).toBe(true);
        }
      }),
    );
  });

  test('a decision about a section ends its clash, and no other’s', () => {
    fc.assert(
      fc.property(reports, reports, reports, (was, ours, theirs) => {
        const { clashes } = mergeReports(was, ours, theirs);
        for (const { key, theirs: text } of clashes) {
          const left = clashes
            .filter((each) => each.key !== key)
            .map((each) => each.key)
            .toSorted();
          const rebased = withText(was, key, text, theirs);
          expect(
            mergeReports(rebased, ours, theirs)
              .clashes.map((each) => each.key)
              .toSorted(),
          ).toEqual(left);
          expect(
            mergeReports(was, withText(ours, key, text, theirs), theirs)
              .clashes.map((each) => each.key)
              .toSorted(),
          ).toEqual(left);
        }
      }),
    );
  });
});
