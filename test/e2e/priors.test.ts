/** Earlier reports: by exam date, one beside the report, and what is taken over from it by key. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { builtInTestClient } from '../../server/index.ts';
import { contract } from '../../src/contract/index.ts';
import { openItem, openSamples, report, rows, signReport, startApp, useBrowser, writeReport } from '../support/app.ts';
import type { RunningApp } from '../support/app.ts';
import { priorSample, readPriorFile } from '../support/prior-readings.ts';
import { testToken } from '../support/test-token.ts';

const browser = useBrowser();

const past = (page: Page) => page.locator('.past');
const reader = (page: Page) => page.getByRole('region', { name: 'Prior reports of this patient' });
const field = (page: Page, title: string) => report(page).getByRole('textbox', { name: `Text of ${title}` });
const sentence = (page: Page, words: string) => reader(page).getByRole('button', { name: words });

/** What is marked as taken over. */
const taken = async (page: Page): Promise<string> =>
  (await report(page).locator('.document-marks .mark-prior').allInnerTexts()).join('');

/** The samples of former exams, of the patient of SL-2026-004417. */
async function importPriors({ url }: RunningApp): Promise<void> {
  const items: unknown[] = [];
  for (const name of ['results.hl7', 'report.fhir.json', 'reports.ndjson'])
    items.push(...(await readPriorFile(priorSample(name))).items.map(({ item }) => item));
  const answer = await fetch(url + contract.priors.endpoints.import.path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await testToken({ url, test_client: builtInTestClient })}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ items }),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

async function openWithPriors(): Promise<{ app: RunningApp; page: Page }> {
  const app = await startApp();
  await importPriors(app);
  const page = await openSamples(browser(), app.url, { viewport: { width: 1440, height: 900 } });
  await rows(page).filter({ hasText: 'TC de tórax sem contraste' }).first().click();
  await past(page).getByText('Prior reports of this patient').waitFor();
  return { app, page };
}

test('a prior is opened next to the report, compared and copied from, by keyboard', async () => {
  const { page } = await openWithPriors();
  await writeReport(page, 'Findings: nodule of 6 mm in the right upper lobe. Impression: none.');
  await field(page, 'Findings').fill('Nódulo de 6 mm no lobo superior direito.');
  await field(page, 'Findings').press('End');

  await page.keyboard.press('Control+Shift+L');
  await reader(page).getByText('1 of 3').waitFor();
  // All of the chest: the CT first, as the exam is one, then by the day of the exam.
  const days = await past(page)
    .locator('.prior-row time')
    .evaluateAll((all) => all.map((each) => each.getAttribute('datetime')?.slice(0, 10)));
  expect(days).toEqual(['2024-01-13', '2025-03-02', '2021-08-09']);
  await page.keyboard.press('Alt+PageDown');
  await reader(page).getByText('2 of 3').waitFor();
  await page.keyboard.press('Alt+PageUp');
  await reader(page).getByText('Controle em 6 meses.').waitFor();

  // The comparison comes behind its measurement, wherever the caret is; its origin is seen.
  await page.keyboard.press('Control+Shift+M');
  await expect
    .poll(() => field(page, 'Findings').inputValue())
    .toBe('Nódulo de 6 mm (previously 4 mm) no lobo superior direito.');
  await expect.poll(() => taken(page)).toBe('previously 4 mm');

  await sentence(page, 'Ausência de derrame pleural ou pericárdico.').focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => field(page, 'Findings').inputValue())
    .toContain('Ausência de derrame pleural ou pericárdico.');
  await expect.poll(() => taken(page)).toContain('Ausência de derrame pleural ou pericárdico');

  await page.keyboard.press('Control+Shift+L');
  await reader(page).waitFor({ state: 'detached' });
  expect(openItem(page)).not.toBe('');
});

test('a prior makes room for the report, or is a page where there is none; a signed report takes nothing over', async () => {
  const { page } = await openWithPriors();
  await writeReport(page, 'Test Patient. Findings: lungs are clear. Impression: normal.');
  await signReport(page);
  await page.setViewportSize({ width: 1024, height: 700 });
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  await page.keyboard.press('Control+Shift+L');
  await reader(page).getByText('The report is signed').waitFor();
  const [left, right] = [await reader(page).boundingBox(), await report(page).boundingBox()];
  expect(left).toMatchObject({ x: 0 });
  expect(left?.width).toBeLessThanOrEqual(right?.x ?? 0);
  expect((right?.x ?? 0) + (right?.width ?? 0)).toBeLessThanOrEqual(1024);
  await page.keyboard.press('F9');
  await page.getByRole('dialog', { name: 'Versions' }).waitFor();
  expect(await page.locator('.prior-reader').isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 800, height: 700 });
  // The bar with the sign of a live microphone stays in sight.
  const bar = await page.getByRole('banner').boundingBox();
  expect(await reader(page).boundingBox()).toMatchObject({ x: 0, y: bar?.height, width: 800 });
  expect(await reader(page).locator('.prior-sentence').count()).toBe(0);
  await reader(page).getByRole('button', { name: 'Close the prior report' }).click();
  await reader(page).waitFor({ state: 'detached' });
});

test('the history of an untouched exam shows when it arrived', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await rows(page).first().click();
  await past(page).getByText('Exam history').click();
  await past(page).getByText('Entered the list').waitFor();
});
