/** Two people at one report: other sections come in by themselves, the same section asks, and the versions tell the story. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  addPerson,
  anna,
  bruno,
  importSamples,
  openAs,
  openExam,
  report,
  rows,
  startApp,
  useBrowser,
  writeReport,
} from '../support/app.ts';
import { sampled } from '../support/explored.ts';

const browser = useBrowser();
const text = (page: Page, section: string) => report(page).getByRole('textbox', { name: `Text of ${section}` });

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 390, height: 844 },
] as const;
/** In the gate the largest, where most is seen at once. */
const sizesOfAxe = sampled(sizes, 1);

/** What axe finds, and nothing is wider than the screen, at three sizes. */
async function look(page: Page): Promise<void> {
  for (const viewport of sizes) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    if (!sizesOfAxe.includes(viewport)) continue;
    const { violations } = await page.evaluate(async () =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      }),
    );
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))])).toEqual([]);
  }
  await page.setViewportSize(sizes[0]);
}

test('different sections are merged with a notice; the same section asks; versions group saves and show what changed', async () => {
  const app = await startApp();
  await Promise.all([addPerson(app, anna), addPerson(app, bruno)]);
  const [a, b] = (await Promise.all([
    openAs(browser(), app.url, anna),
    openAs(browser(), app.url, bruno, { colorScheme: 'dark' }),
  ])) as [Page, Page];
  await b.evaluate(axe.source);
  await importSamples(a);
  await openExam(a);
  await writeReport(a, 'Findings: lungs are clear. Impression: normal examination.');
  await rows(b).first().click();
  await report(b).waitFor();
  const findings = await text(a, 'Findings').inputValue();
  const impression = await text(a, 'Impression').inputValue();

  // Bruno's saves wait until Anna's is known.
  let isHeld = true;
  await b.route('**/app/call/record.save', async (route) => {
    await expect.poll(() => !isHeld || report(a).getByText('Draft, version 2').isVisible()).toBe(true);
    await route.continue();
  });
  await text(b, 'Impression').fill(`${impression} Seen by Bruno.`);
  await text(a, 'Findings').fill(`${findings} Seen by Anna.`);
  await report(b).getByText(`${anna.display_name} changed this in the meantime: Findings.`).waitFor();
  expect(await text(b, 'Findings').inputValue()).toBe(`${findings} Seen by Anna.`);
  expect(await text(b, 'Impression').inputValue()).toBe(`${impression} Seen by Bruno.`);
  await expect.poll(() => text(a, 'Impression').inputValue()).toBe(`${impression} Seen by Bruno.`);
  await look(b);
  await report(b).getByRole('button', { name: 'I have read it' }).click();
  await report(b).getByText('changed this in the meantime').waitFor({ state: 'detached' });

  isHeld = false;
  await b.unroute('**/app/call/record.save');
  await b.route('**/app/call/record.save', async (route) => {
    await report(a).getByText('Draft, version 4').waitFor();
    await route.continue();
  });
  await text(b, 'Impression').fill('Bruno’s impression.');
  await text(a, 'Impression').fill('Anna’s impression.');
  const conflict = report(b).getByRole('alert').filter({ hasText: 'Dr. Anna Lima changed this report' });
  await conflict.getByText('You both changed the same section.').waitFor();
  expect(await conflict.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
    'Impression: My version',
    expect.stringMatching(/^Impression: Other version \(\d\)$/),
  ]);
  await look(b);
  await b.unroute('**/app/call/record.save');
  await conflict.getByRole('button', { name: 'Keep both and edit: Impression' }).click();
  await conflict.waitFor({ state: 'hidden' });
  await expect.poll(() => text(a, 'Impression').inputValue()).toBe('Anna’s impression.\nBruno’s impression.');

  await text(b, 'Impression').fill('Together.');
  await expect.poll(() => text(a, 'Impression').inputValue()).toBe('Together.');
  await report(b).getByRole('button', { name: 'Versions' }).click();
  const versions = b.getByRole('dialog', { name: 'Versions' });
  const steps = versions.locator('ol').first().locator(':scope > li');
  await expect.poll(() => steps.count()).toBeGreaterThanOrEqual(4);
  const first = steps.first();
  await expect.poll(() => first.innerText()).toMatch(/Dr\. Bruno Reis, 2 saves[\s\S]*Impression \+\d+ −\d+/);
  await first.getByText('Each save').click();
  await expect.poll(() => first.getByRole('button').count()).toBe(3);
  await first.getByRole('button').last().click();
  await versions.getByText('Compared with the current version').waitFor();
  await look(b);
});
