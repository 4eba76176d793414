import * as fc from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { ageAt } from '../../src/domain/patient-age.ts';

describe('the age of a patient at the exam', () => {
  it.each([
    ['1971-06-14', '2026-06-13T23:59:00-03:00', '054Y'],
    ['1971-06-14', '2026-06-14T00:01:00-03:00', '055Y'],
    ['2024-02-29', '2026-02-28', '023M'],
    ['2024-02-29', '2026-03-01', '002Y'],
    ['2026-10-23', '2026-11-22', '030D'],
    ['2026-10-22', '2026-11-22', '001M'],
    ['2026-11-22', '2026-11-22', '000D'],
    ['1904-01-01', '2026-11-22', '122Y'],
  ])('born %s, exam %s: %s', (birth, exam, age) => expect(ageAt(birth, exam)).toBe(age));

  it.each([
    ['1971', '2026-11-22'],
    ['1971-06', '2026-11-22'],
    ['', '2026-11-22'],
    ['1971-13-40', '2026-11-22'],
    ['2026-11-23', '2026-11-22'],
    ['1900-01-01', '2026-11-22'],
    ['1971-06-14', '2026'],
  ])('is missing if a date does not determine it: %s, %s', (birth, exam) => expect(ageAt(birth, exam)).toBeUndefined());

  it('grows by one on the birthday and on no other day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 120 }), fc.integer({ min: 1, max: 365 }), (years, day) => {
        const birth = new Date(Date.UTC(1903, 0, day));
        const iso = (date: Date): string => date.toISOString().slice(0, 10);
        const birthday = new Date(birth);
        birthday.setUTCFullYear(birth.getUTCFullYear() + years);
        const eve = new Date(birthday.getTime() - 24 * 3600_000);
        const count = String(years).padStart(3, '0');
        expect(ageAt(iso(birth), iso(birthday))).toBe(`${count}Y`);
        expect(ageAt(iso(birth), iso(eve))).not.toBe(`${count}Y`);
      }),
    );
  });
});
