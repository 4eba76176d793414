/** Signing by a PIN: set in the settings, asked for by the dialog, never sent later. */
import { expect, test } from 'vitest';
import {
  addPerson,
  anna,
  importSamples,
  openAs,
  openExam,
  report,
  startApp,
  useBrowser,
  writeReport,
} from '../support/app.ts';

const browser = useBrowser();
const pin = '73519284';

test('a PIN is set with the password, asked for with each signature, reported if wrong, and never stored by the page', async () => {
  const app = await startApp();
  await addPerson(app, anna);
  const page = await openAs(browser(), app.url, anna);
  await importSamples(page);
  await page.getByRole('button', { name: /Account and settings/ }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Set a PIN' }).click();
  await settings.getByLabel('Your password').fill('not mine at all');
  await settings.getByLabel('New PIN', { exact: true }).fill(pin);
  await settings.getByLabel('The new PIN again').fill(pin);
  await page.keyboard.press('Enter');
  await settings.getByText('Wrong password').waitFor();
  await settings.getByLabel('Your password').fill(anna.password);
  await page.keyboard.press('Enter');
  await settings.getByText('The PIN is asked for at every signature').waitFor();
  await settings.getByRole('button', { name: 'Close' }).first().click();

  await openExam(page);
  await writeReport(page, 'Findings: lungs are clear. Impression: normal examination.');
  await page.keyboard.press('Control+Shift+Enter');
  const dialog = page.locator('dialog[open]');
  const field = dialog.getByLabel('PIN', { exact: true });
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type('0000');
  await page.keyboard.press('Enter');
  await dialog.getByText('Wrong PIN').waitFor();
  await expect.poll(() => field.inputValue()).toBe('');

  app.network.isUp = false;
  await page.keyboard.type(pin);
  await page.keyboard.press('Enter');
  await dialog.getByText('Signing with a PIN needs a connection').first().waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Sign', exact: true }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await report(page).getByText('Draft, version 1').waitFor();

  app.network.isUp = true;
  await page.reload();
  await report(page).getByText('Draft, version 1').waitFor();
  await page.getByText('Offline').waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+Shift+Enter');
  await field.fill(pin);
  await page.keyboard.press('Enter');
  await report(page)
    .getByText(/^Signed by .+, \d\d:\d\d$/)
    .waitFor();
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage, at: location.href }));
  expect(kept).not.toContain(pin);
});
