/** Versions as a person tells of them. */
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { findChanges, groupVersions, sameStepMs } from '../../../desktop/renderer/state/report/version-groups.ts';
import type { RecordVersion } from '../../../src/contract/record-version.ts';
import { base } from './report-service.ts';

const start = Date.parse('2026-03-02T11:30:00.000Z');
const version = (n: number, change: RecordVersion['change'], who: string, minutes: number): RecordVersion => ({
  version: n,
  at: new Date(start + minutes * 60_000).toISOString(),
  who,
  change,
  status: 'draft',
  title: 'CT',
});
const numbers = (list: readonly RecordVersion[]): number[][] =>
  groupVersions(list).map(({ versions }) => versions.map((each) => each.version));

test('saves of one person within some minutes are one step; milestones, other people and pauses begin another', () => {
  expect(
    numbers([
      version(9, 'signed', 'Anna', 40),
      version(8, 'edited', 'Anna', 39),
      version(7, 'edited', 'Anna', 38),
      version(6, 'corrected', 'Anna', 37),
      version(5, 'edited', 'Anna', 36),
      version(4, 'edited', 'Anna', 12),
      version(3, 'edited', 'Bruno', 11),
      version(2, 'edited', 'Anna', 1),
      version(1, 'generated', 'Anna', 0),
    ]),
  ).toEqual([[9], [8, 7], [6], [5], [4], [3], [2], [1]]);
});

test('every version is in one step, in the same order, and neighbours in a step are close and of one person', () => {
  const steps = fc.array(
    fc.tuple(
      fc.constantFrom<RecordVersion['change']>('edited', 'edited', 'corrected', 'signed'),
      fc.constantFrom('A', 'B'),
      fc.nat(20),
    ),
  );
  fc.assert(
    fc.property(steps, (made) => {
      let at = 0;
      const list = made.map(([change, who, minutes], n) => version(n + 1, change, who, (at += minutes))).toReversed();
      expect(groupVersions(list).flatMap(({ versions }) => versions)).toEqual(list);
      for (const { versions } of groupVersions(list)) {
        if (versions.length > 1) expect(new Set(versions.map(({ change, who }) => change + who)).size).toBe(1);
        versions.forEach(({ at: earlier }, nth) => {
          if (nth > 0) expect(Date.parse(versions[nth - 1]!.at) - Date.parse(earlier)).toBeLessThanOrEqual(sameStepMs);
        });
      }
    }),
  );
});

test('a step says its sections, and how many words came and went', () => {
  const [findings, impression] = base.sections as [(typeof base.sections)[0], (typeof base.sections)[0]];
  const after = {
    title: 'CT of the chest, again',
    sections: [
      { ...findings, text: 'Lungs are not clear: nodule.' },
      impression,
      { key: 'addendum', title: 'Addendum', text: 'One.' },
      { key: 'addendum', title: 'Addendum', text: 'Two words.' },
    ],
  };
  expect(findChanges(base, base)).toEqual([]);
  expect(findChanges(base, after)).toEqual([
    { heading: '', added: 1, removed: 0 },
    { heading: 'Findings', added: 2, removed: 0 },
    { heading: 'Addendum', added: 1, removed: 0 },
    { heading: 'Addendum', added: 2, removed: 0 },
  ]);
});
