/** Code of the page that is loaded when a view is opened: of another build, or from an app that does not answer. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openInTestMode, startApp, useBrowser } from '../support/app.ts';

const browser = useBrowser();

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Settings' });

/** Opens the settings, which no page has loaded before. */
async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account and settings/ }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
}

/** Once nothing more is loaded ahead. */
async function openPage(): Promise<Page> {
  const page = await openInTestMode(browser(), (await startApp()).url);
  const ahead = () =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /report-.*\.js/.test(name)));
  await expect.poll(async () => (await ahead()).length).toBe(1);
  return page;
}

test('a page that was open while Laudio was updated says so, and works after it was loaded again', async () => {
  const page = await openPage();
  // The files of another build have other names.
  await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }));
  await openSettings(page);
  const notice = page.getByRole('alert').filter({ hasText: 'Laudio was updated.' });
  await notice.getByText('What you wrote is saved.').waitFor();
  await page.unroute('**/assets/*.js');
  await notice.getByRole('button', { name: 'Reload' }).click();
  await openSettings(page);
  await sheet(page).waitFor();
});

test('a view that cannot be loaded while Laudio does not answer is there once it answers', async () => {
  const page = await openPage();
  await page.route('**/assets/*.js', (route) => route.abort());
  await openSettings(page);
  await page.getByRole('alert').filter({ hasText: 'Laudio is not responding on this computer.' }).waitFor();
  expect(await sheet(page).count()).toBe(0);
  await page.unroute('**/assets/*.js');
  await sheet(page).waitFor();
});
