import { expect, test } from 'vitest';
import { formatDay, formatInstant, formatTime } from '../../src/domain/local-dates.ts';

test.each([
  ['pt-BR', '14/06/1971'],
  ['es-ES', '14/06/1971'],
  ['en-US', '06/14/1971'],
] as const)('a day in %s is %s', (language, shown) => expect(formatDay('1971-06-14', language)).toBe(shown));

test.each(['1971', '1971-06', 'unknown', ''])('%j gains no precision', (date) =>
  expect(formatDay(date, 'pt-BR')).toBe(date),
);

test.each([
  ['2026-03-02T08:30:00-03:00', '02/03/2026, 08:30'],
  ['2026-03-02T23:59:59.999+14:00', '02/03/2026, 23:59'],
  ['2026-03-02T08:30:00', '02/03/2026, 08:30'],
  ['2026-03-02T11:30:00.000Z', '02/03/2026, 08:30 GMT-3'],
  ['2026-03-02', '02/03/2026'],
  ['soon', 'soon'],
])('%s is shown by the clock of its place', (at, shown) =>
  expect(formatTime(at, 'pt-BR', 'America/Sao_Paulo')).toBe(shown),
);

test('an instant names the zone whose clock shows it', () => {
  expect(formatInstant('2026-03-02T01:05:00.000Z', 'en-US', 'America/Sao_Paulo')).toBe('03/01/2026, 22:05 GMT-3');
  expect(formatInstant('2026-07-02T11:00:00.000Z', 'es-ES', 'Europe/Madrid')).toBe('02/07/2026, 13:00 GMT+2');
});
