/** Words while somebody speaks, from the microphone to the report: by the recogniser of test mode, over the real service. */
import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openExam, openSamples, pause, recorder, report, speak, startApp, useBrowser } from '../support/app.ts';

const browser = useBrowser();

const shot = async (page: Page, name: string): Promise<void> => {
  if (process.env['SHOTS']) await writeFile(`${process.env['SHOTS']}/${name}.png`, await page.screenshot());
};

test('the words appear in the report’s place, those that may still change look different, and become the report', async () => {
  const { url } = await startApp();
  const page = await openSamples(browser(), url);
  await openExam(page);
  await speak(page, 1);
  await report(page).locator('.live-partial').first().waitFor();
  await shot(page, 'live-1');
  await report(page).getByText('Simulated transcript').first().waitFor();
  await speakOn(page, 9);
  await shot(page, 'live-2');
  await pause(page);
  // What was being said is final now.
  await expect.poll(() => report(page).locator('.live-partial').count()).toBe(0);
  await shot(page, 'live-3');
  const said = await report(page).locator('.live-text').innerText();
  await page.getByRole('button', { name: /Make the report/ }).click();
  await report(page).getByText('Draft, version 1').waitFor();
  await shot(page, 'live-4');
  expect(said).toContain('Simulated transcript');
  await expect.poll(() => recorder(page).getByRole('heading', { level: 2 }).innerText()).toBe('Report ready');
});

async function speakOn(page: Page, seconds: number): Promise<void> {
  await expect
    .poll(async () => Number((await recorder(page).getByRole('timer').innerText()).split(':')[1]))
    .toBeGreaterThanOrEqual(seconds);
}
