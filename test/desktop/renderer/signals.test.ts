/** The build takes the reading of a member for free of effects: a signal that is only read would be followed by nobody. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow, root } from '../../support/modules.ts';

/** A statement that only reads a member. */
const bareReading = /^\s*void [\w.?!]+;$/gm;

test('no value is read for nothing', () => {
  const files = filesBelow(root, ['desktop/renderer'], /\.tsx?$/);
  expect(files.length).toBeGreaterThan(100);
  const bare = files.flatMap((path) =>
    Array.from(readFileSync(join(root, path), 'utf8').matchAll(bareReading), ([line]) => `${path}: ${line.trim()}`),
  );
  expect(bare).toEqual([]);
  expect('    void isOnline.value;\n').toMatch(bareReading);
});
