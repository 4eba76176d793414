/** The report in its own window: one report, one recorder, one set of keys, whichever window has the focus. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  findings,
  openExam,
  openSamples,
  pause,
  recorder,
  report,
  rows,
  speak,
  startApp,
  useBrowser,
  writeReport,
} from '../support/app.ts';

const browser = useBrowser();
const away = (page: Page) => page.getByRole('heading', { name: 'The report is in its own window' });

async function openWindow(page: Page): Promise<Page> {
  const [window] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Report in its own window' }).click(),
  ]);
  await away(page).waitFor();
  return window;
}

test('typed words go along and back, keys act in the window that has what they need, and a killed window loses nothing', async () => {
  const app = await startApp();
  const page = await openSamples(browser(), app.url);
  await openExam(page);
  const scope = recorder(page).locator('.recorder-scope');
  await scope.waitFor();
  await page.keyboard.press('Alt+s');
  await page.getByText('Scores and measurements go into a report.').waitFor();
  await writeReport(page, 'Findings: lungs are clear. Impression: normal.');
  // A typed report needs the recorder as little as one with sound.
  await scope.waitFor({ state: 'detached' });
  await findings(page).fill('Lungs are clear. Typed in the pane.');
  const window = await openWindow(page);
  await expect.poll(() => findings(window).inputValue()).toBe('Lungs are clear. Typed in the pane.');
  expect(await report(page).count()).toBe(0);
  expect(await recorder(window).count()).toBe(0);

  // The next exam opens in both, from either.
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => window.url().split('/').at(-1)).toBe(page.url().split('/').at(-1));
  await window.bringToFront();
  await window.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => findings(window).inputValue()).toContain('Typed in the pane.');
  await expect.poll(() => rows(page).first().getAttribute('aria-selected')).toBe('true');

  // Reloaded and killed with words that were typed a moment ago.
  await findings(window).fill('Typed before the reload.');
  await window.reload();
  await expect.poll(() => findings(window).inputValue()).toBe('Typed before the reload.');
  await away(page).waitFor();
  await page.reload();
  await away(page).waitFor();
  await findings(window).fill('Typed before the end.');
  await window.close();
  await expect.poll(() => findings(page).inputValue()).toBe('Typed before the end.');
  await expect
    .poll(() =>
      report(page)
        .getByText(/changed|in the meantime/)
        .count(),
    )
    .toBe(0);

  const again = await openWindow(page);
  await expect.poll(() => findings(again).inputValue()).toBe('Typed before the end.');
  await Promise.all([again.waitForEvent('close'), page.getByRole('button', { name: 'Bring report back' }).click()]);
  await expect.poll(() => findings(page).inputValue()).toBe('Typed before the end.');
});

test('a dictation goes on where it is; its key works in both windows, and its words appear in the other', async () => {
  const app = await startApp();
  const page = await openSamples(browser(), app.url);
  await openExam(page, 1);
  await speak(page, 1);
  const window = await openWindow(page);
  await window.getByText('Recording').waitFor();
  const heading = (name: string) => recorder(page).getByRole('heading', { name }).waitFor();
  await window.keyboard.press('Space');
  await heading('Paused');
  await window.keyboard.press('Space');
  await heading('Recording');
  await pause(page);
  await window.keyboard.press('ControlOrMeta+Enter');
  await report(window).getByText('Draft, version 1').waitFor();
  // The window with the list goes; the other one becomes the page.
  await page.close();
  const partners = () => window.evaluate(async () => (await navigator.locks.query()).pending?.length);
  await expect.poll(partners).toBe(0);
  await window.keyboard.press('Space');
  await window.getByRole('button', { name: 'Open the list here' }).click();
  await rows(window).first().waitFor();
  await report(window).waitFor();
});
