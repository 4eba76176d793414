/** What the gate makes of files that fail beside others and pass alone. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTests } from './gate/run.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** Fails the first time. */
const byChance = (mark: string) => `
  import { existsSync, writeFileSync } from 'node:fs';
  import { expect, test } from 'vitest';
  test('by chance', () => {
    const wasHere = existsSync(${JSON.stringify(mark)});
    writeFileSync(${JSON.stringify(mark)}, '');
    expect(wasHere).toBe(true);
  });`;

test('each of several files that fail once counts as passed, and is named; one that fails again has failed', async () => {
  const directory = await temporaryDirectory();
  for (const name of ['a', 'b']) await writeFile(join(directory, `${name}.test.ts`), byChance(join(directory, name)));
  await writeFile(
    join(directory, 'c.test.ts'),
    `import { test } from 'vitest'; test('always', () => { throw new Error(); }); test('fine', () => {});`,
  );
  const { passed, failed, flaky } = await runTests({
    vitest: { root: directory, config: false, reporters: [] },
    filters: [directory],
  });
  expect({
    passed,
    failed,
    flaky: flaky.map((name) => name.slice(-'a.test.ts > by chance'.length)).toSorted(),
  }).toEqual({
    passed: 3,
    failed: 1,
    flaky: ['a.test.ts > by chance', 'b.test.ts > by chance'],
  });
});
