import * as fc from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { computeFigures, groupings, groupReports, wordsIn } from '../../src/domain/own-statistics.ts';
import type { OwnReport } from '../../src/domain/own-statistics.ts';

const signed = (at: string, change: Partial<OwnReport> = {}): OwnReport => ({
  signed_at: at,
  exam_at: null,
  modality: 'CT',
  spoken_seconds: 0,
  words: 0,
  corrections: 0,
  ...change,
});
const inBrasilia = (): number => -180;

describe('the figures of reports', () => {
  it('are the median turnaround, the mean of corrections, and words by minute of speech', () => {
    const at = '2026-03-02T12:00:00Z';
    const reports = [
      signed(at, { exam_at: '2026-03-02T11:00:00Z', spoken_seconds: 30, words: 60, corrections: 1 }),
      signed(at, { exam_at: '2026-03-02T08:50:00-03:00', spoken_seconds: 90, words: 120, corrections: 2 }),
      signed(at, { exam_at: '2026-02-20T12:00:00Z' }),
      // An exam that lies ahead, and one whose time nobody knows.
      signed(at, { exam_at: '2026-03-03T12:00:00Z', words: 500 }),
      signed(at, { corrections: 1 }),
    ];
    expect(computeFigures(reports)).toEqual({ reports: 5, turnaround: 60, corrections: 0.8, pace: 90 });
    expect(computeFigures(reports.slice(0, 2)).turnaround).toBe(35);
    expect(computeFigures([])).toEqual({ reports: 0, turnaround: null, corrections: 0, pace: null });
  });

  it('are those of the local day, of the week from its Monday, and of the modality', () => {
    const reports = [
      // Sunday evening in Brasília is Monday in UTC.
      signed('2026-03-02T01:30:00Z', { modality: 'MR' }),
      signed('2026-03-02T15:00:00Z'),
      signed('2026-03-08T23:00:00-03:00', { modality: null }),
    ];
    const keys = (by: (typeof groupings)[number]): unknown =>
      groupReports(reports, by, inBrasilia).map(({ key, reports: count }) => [key, count]);
    expect(keys('day')).toEqual([
      ['2026-03-08', 1],
      ['2026-03-02', 1],
      ['2026-03-01', 1],
    ]);
    expect(keys('week')).toEqual([
      ['2026-03-02', 2],
      ['2026-02-23', 1],
    ]);
    expect(keys('modality')).toEqual([
      ['CT', 1],
      ['MR', 1],
      [null, 1],
    ]);
  });

  it('count each report once, whatever they are grouped by', () => {
    const report = fc.record({
      signed_at: fc
        .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
        .map((at) => at.toISOString()),
      exam_at: fc.constant(null),
      modality: fc.constantFrom('CT', 'MR', 'US', null),
      spoken_seconds: fc.nat(600),
      words: fc.nat(900),
      corrections: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(report), fc.constantFrom(...groupings), (reports, by) => {
        const rows = groupReports(reports, by, inBrasilia);
        expect(rows.reduce((sum, row) => sum + row.reports, 0)).toBe(reports.length);
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      }),
    );
  });
});

it('words are counted in every language', () => {
  expect(wordsIn('Nódulo de 6 mm, sem calcificação.')).toBe(6);
  expect(wordsIn(' … ')).toBe(0);
});
