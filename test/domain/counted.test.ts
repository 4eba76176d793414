import { expect, it } from 'vitest';
import { counted } from '../../src/domain/counted.ts';

it('one is singular, and nothing else is', () => {
  expect([0, 1, 2].map((count) => counted(count, 'audio file'))).toEqual([
    '0 audio files',
    '1 audio file',
    '2 audio files',
  ]);
  expect(counted(12_000, 'item', '12,000')).toBe('12,000 items');
});
