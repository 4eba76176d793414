/** How far a large file has come, in words. */
import { expect, test } from 'vitest';
import { createTransferWords } from '../../cli/commands/engine/transfer-words.ts';

function told() {
  let now = 0;
  const words = createTransferWords(() => now);
  return (ms: number, step: string, done: number, of?: number): string => {
    now = ms;
    return words({ step, done, of });
  };
}

test('say size and share at once, the rate once it says something, and the time that is left', () => {
  const at = told();
  expect(at(0, 'fetching', 0, 475_276_334)).toBe('Fetching 1 kB of 475 MB (0 %)');
  expect(at(1000, 'fetching', 5_000_000, 475_276_334)).toBe('Fetching 5 MB of 475 MB (1 %)');
  expect(at(10_000, 'fetching', 50_000_000, 475_276_334)).toBe('Fetching 50 MB of 475 MB (10 %), 5.0 MB/s, 86 s left');
  expect(at(11_000, 'fetching', 50_000_000, 475_276_334)).toContain('2 min left');
  expect(at(95_000, 'fetching', 475_276_334, 475_276_334)).toBe('Fetching 475 MB of 475 MB (100 %), 5.0 MB/s');
});

test('show the rate of this transfer alone, starting over in each step', () => {
  const at = told();
  expect(at(0, 'fetching', 400_000_000, 475_276_334)).toBe('Fetching 400 MB of 475 MB (84 %)');
  expect(at(2000, 'fetching', 402_000_000, 475_276_334)).toBe('Fetching 402 MB of 475 MB (84 %), 1.0 MB/s, 74 s left');
  // The server had another file: it comes from the beginning.
  expect(at(3000, 'fetching', 0, 475_276_334)).toBe('Fetching 1 kB of 475 MB (0 %)');
  expect(at(4000, 'unpacking', 2_000_000)).toBe('Unpacking 2 MB');
  expect(at(6000, 'unpacking', 20_000_000)).toBe('Unpacking 20 MB, 9.0 MB/s');
  expect(at(7000, 'checking', 0)).toBe('Checking');
});

test('say nothing of time while nothing comes', () => {
  const at = told();
  at(0, 'fetching', 1_000_000, 2_000_000);
  expect(at(60_000, 'fetching', 1_000_000, 2_000_000)).toBe('Fetching 1 MB of 2 MB (50 %), 0.0 MB/s');
});
