/** A day at the page, by keys: random but realistic days in a browser against a model of what must be there. */
import { expect, test } from 'vitest';
import { startApp, useOwnBrowser } from '../support/app.ts';
import { explored } from '../support/explored.ts';
import { beginDay, expectRest, expectWords, startDay, viewOf } from '../support/page-day.ts';
import type { PageDay } from '../support/page-day.ts';
import { comeBack, instructions, macro, pastes, phrases, steps } from '../support/page-steps.ts';
import type { Drawn } from '../support/page-steps.ts';
import * as fc from '../support/properties.ts';

const browser = useOwnBrowser();

export const day = fc.array(
  fc.tuple(
    fc.oneof(
      { arbitrary: fc.constantFrom(...Object.keys(steps)), weight: 2 },
      { arbitrary: fc.constantFrom('type', 'make the report', 'sign', 'fill in a field'), weight: 1 },
    ),
    fc.record({
      phrase: fc.constantFrom(...phrases),
      paste: fc.constantFrom(...(Object.keys(pastes) as (keyof typeof pastes)[])),
      instruction: fc.constantFrom(...instructions),
      nth: fc.nat(19),
      hurries: fc.boolean(),
    }),
  ),
  { minLength: 5, maxLength: explored.isOn ? 40 : 16, size: 'max' },
);

export async function playDay(present: PageDay, played: readonly (readonly [string, Drawn])[]): Promise<void> {
  await beginDay(present, 2);
  for (const [name, drawn] of played) {
    const before = await viewOf(present.page);
    await steps[name]!(present, drawn);
    const after = await expectWords(present);
    if (before.focus !== null && !['load the page again', 'the page dies'].includes(name))
      expect(after.focus, `${name}: focus`).not.toBeNull();
    if (!drawn.hurries) await expectRest(present);
  }
  await comeBack(present);
  await expectRest(present);
}

test('no day at the page loses a word, moves one, or shows what the service does not have', async () => {
  const app = await startApp();
  const present = await startDay(browser(), app);
  await present.service.macros.create({ body: { ...macro, language: 'en-US' } });
  await fc.assert(
    fc.asyncProperty(day, (played) => playDay(present, played)),
    // The gate has no time to look for the shortest day that fails.
    { numRuns: explored.isOn ? 3 : 2, endOnFailure: !explored.isOn },
  );
});
