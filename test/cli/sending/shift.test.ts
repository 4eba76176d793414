import { describe, expect, it } from 'vitest';
import { createShift, readShift } from '../../../cli/sending/shift.ts';

const at = (time: string) => ({ accession_number: 'A-1', exam_datetime: time });
const now = Date.parse('2026-11-21T01:30:00Z');

describe('--shift', () => {
  it.each([
    // At -03:00 it is still the 20th.
    ['2026-03-02T08:30:00-03:00', '2026-11-20T08:30:00-03:00'],
    ['2026-03-02T08:30:00+02:00', '2026-11-21T08:30:00+02:00'],
    ['2026-03-02T08:30:00Z', '2026-11-21T08:30:00Z'],
    ['2024-02-29T23:59:59.250-03:00', '2026-11-20T23:59:59.250-03:00'],
    [' 2026-03-02 08:30 -03:00'.replace(' -', '-'), '2026-11-20T08:30:00-03:00'],
  ])('now moves %s to %s', (before, after) => {
    expect(createShift('now', now).move(at(before))).toEqual(at(after));
  });

  it('now moves every exam by the days of the first one with a time', () => {
    const shift = createShift('now', now);
    expect(shift.move({ accession_number: 'A-0' })).toEqual({ accession_number: 'A-0' });
    expect(shift.days()).toBeUndefined();
    expect(shift.move(at('2026-11-18T08:00:00Z'))).toEqual(at('2026-11-21T08:00:00Z'));
    expect(shift.move(at('2026-11-19T07:00:00-03:00'))).toEqual(at('2026-11-22T07:00:00-03:00'));
    expect(shift.move(at('2026-12-31T07:00:00Z'))).toEqual(at('2027-01-03T07:00:00Z'));
  });

  it('leaves other texts and fields alone', () => {
    const shift = createShift(1, now);
    for (const item of [{ exam_datetime: 'soon' }, { exam_datetime: 42 }, { patient_birth_date: '1961-07-19' }]) {
      expect(shift.move(item)).toEqual(item);
    }
  });

  it.each([
    ['now', 'now'],
    ['-1', -1],
    ['+7', 7],
    ['0', 0],
  ])('takes %s', (word, wish) => expect(readShift(word)).toBe(wish));

  it.each(['', 'today', '1.5', '1d', 'NaN'])('refuses %j', (word) =>
    expect(() => readShift(word)).toThrow('--shift takes'),
  );
});
