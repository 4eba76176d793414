/** A dictation that nobody hears yet, sent all the same: it waits, says so everywhere, and can be taken back. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import {
  addPerson,
  anna,
  importSamples,
  openAs,
  openExam,
  pause,
  recorder,
  shownSeconds,
  speak,
  startApp,
  useBrowser,
} from '../support/app.ts';

const browser = useBrowser();

/** Pictures for whoever changes the page, where the variable names a directory. */
async function look(page: Page, name: string): Promise<void> {
  const directory = process.env['LAUDIO_PICTURES_IN'];
  if (directory === undefined) return;
  for (const [size, width, height] of [
    ['large', 1440, 900],
    ['narrow', 390, 844],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(directory, `${name}-${size}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('a dictation that is sent where nobody hears waits, says so, and comes back when it is stopped', async () => {
  const app = await startApp();
  await addPerson(app, anna);
  const page = await openAs(browser(), app.url, anna, { reducedMotion: 'reduce' });
  await importSamples(page);
  await openExam(page);
  await page.getByText('No speech recognition').waitFor();
  await page.getByRole('button', { name: /Speech models/ }).waitFor();
  await speak(page, 1);
  await pause(page);
  await look(page, 'before');
  await page.getByRole('button', { name: 'Send it, and wait' }).click();
  const waits = /^The server has no speech recognition yet/;
  await recorder(page).getByRole('heading', { name: 'Sent, and waiting' }).waitFor();
  await recorder(page).getByText(waits).waitFor();
  await look(page, 'exam');
  expect((await app.operator.system.status({})).data.waiting.jobs).toBe(1);
  await page.getByRole('button', { name: /1 report in progress/ }).click();
  const list = page.getByRole('dialog');
  await list.getByText(waits).waitFor();
  await look(page, 'list');
  await list.getByRole('button', { name: 'Cancel' }).click();
  await list.getByText('Nothing in progress').waitFor();
  await page.keyboard.press('Escape');
  await recorder(page).getByRole('heading', { name: 'Paused' }).waitFor();
  expect(await shownSeconds(page)).toBeGreaterThanOrEqual(1);
  expect((await app.operator.system.status({})).data.waiting.jobs).toBe(0);
});
