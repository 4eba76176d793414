/** The foot of the report: its buttons stand together in a pane of any width, and one of them at most is filled. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openExam, openSamples, report, speak, startApp, useBrowser, writeReport } from '../support/app.ts';

const browser = useBrowser();

/** Tops of the buttons in the foot, in px; buttons that stand beside each other have one. */
const rowsOfButtons = (page: Page): Promise<number> =>
  page
    .locator('.document-foot-steps .button')
    .evaluateAll((buttons) => new Set(buttons.map((button) => Math.round(button.getBoundingClientRect().top))).size);
const filled = (page: Page): Promise<string[]> =>
  page
    .locator('.button-primary:visible')
    .evaluateAll((buttons) => buttons.map((button) => button.querySelector('.button-text')?.textContent ?? ''));

test('no button wraps alone at 200 % zoom, on a phone or next to two panes; during a new dictation Sign is not the filled one', async () => {
  const page = await openSamples(browser(), (await startApp()).url, { viewport: { width: 1280, height: 800 } });
  await openExam(page);
  await writeReport(page, 'Findings: lungs are clear. Impression: normal examination.');
  await expect.poll(() => filled(page)).toEqual(['Sign']);
  // Nothing was dictated: the recorder offers to begin, and no more.
  expect(await page.locator('.recorder-foot').count()).toBe(0);
  expect(await page.locator('.recorder-controls button').count()).toBe(1);
  for (const [width, height] of [
    [1280, 800],
    [640, 400],
    [390, 844],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    if (width < 1000)
      await page
        .getByRole('button', { name: /^Report/ })
        .first()
        .click();
    await expect.poll(() => rowsOfButtons(page)).toBe(1);
    const inSight = report(page).getByRole('button', { name: 'Sign', exact: true });
    await expect.poll(() => inSight.evaluate((sign) => sign.getBoundingClientRect().right)).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await speak(page, 1);
  await expect.poll(() => filled(page)).not.toContain('Sign');
  await report(page).getByRole('button', { name: 'Sign', exact: true }).waitFor();
});
