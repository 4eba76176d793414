/** Signing: with one key where nothing is open, taken back while it can be, and on to the next exam. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  answerSign,
  graceOf,
  openExam,
  openItem,
  openReport,
  openSamples,
  recorder,
  report,
  rows,
  startApp,
  useBrowser,
  writeReport,
} from '../support/app.ts';

const browser = useBrowser();
const clear = 'Findings: lungs are clear. Impression: normal examination.';
const signedBy = (page: Page) => report(page).getByText(/^Signed by .+, \d\d:\d\d$/);
const draft = (page: Page) => report(page).getByText('Draft, version 1');
const dialogs = (page: Page) => page.locator('dialog[open]').count();

async function written(page: Page): Promise<void> {
  await openExam(page);
  await writeReport(page, clear);
}

test('four keys an exam: talk, done, sign, next; and nobody is asked where nothing is open', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  const first = openItem(page);
  // Space to talk and Space to pause are one; here the text is written.
  await writeReport(page, clear);
  await page.keyboard.press('Control+Shift+Enter');
  await signedBy(page).waitFor();
  expect(await dialogs(page)).toBe(0);
  await report(page)
    .getByText(/left to undo it$/)
    .waitFor();
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => openItem(page)).not.toBe(first);
  await recorder(page).getByRole('button', { name: 'Record' }).waitFor();
  expect(openItem(page)).not.toBe('');
});

test('a signature is taken back, and given again; at its end the report is final, everywhere', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await written(page);
  await page.keyboard.press('Control+Shift+Enter');
  await signedBy(page).waitFor();
  expect(await report(page).getByRole('textbox').count()).toBe(0);
  await page.reload();
  await signedBy(page).waitFor();
  await report(page).getByRole('button', { name: 'Undo signature' }).click();
  await draft(page).waitFor();
  await report(page).getByRole('textbox', { name: 'Text of Findings' }).waitFor();

  await graceOf(page, 1);
  await report(page).getByRole('button', { name: 'Sign', exact: true }).click();
  await report(page).getByText('Signed, version 2').waitFor();
  await report(page).getByRole('button', { name: 'Add addendum' }).waitFor();
  await signedBy(page).waitFor();
  await page.getByText('The report of this exam is signed').first().waitFor();
});

test('no key records over a signed report: first it is taken back, then an addendum is asked for', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await written(page);
  await page.keyboard.press('Control+Shift+Enter');
  await signedBy(page).waitFor();
  for (const key of ['Space', 'Control+Enter']) await page.keyboard.press(key);
  await page.getByText('To change it, undo the signature.').first().waitFor();
  await signedBy(page).waitFor();
  expect(await page.getByText('Recording').count()).toBe(0);
  await graceOf(page, 0);
  await report(page).getByRole('button', { name: 'Undo signature' }).click();
  await draft(page).waitFor();
  await page.keyboard.press('Control+Shift+Enter');
  await report(page).getByText('Signed, version 2').waitFor();
  await page.keyboard.press('Space');
  await page.getByText('To change it, add an addendum.').first().waitFor();
  await report(page).getByText('Signed, version 2').waitFor();
});

test('where something is open the dialog says whose report it is and what is open, and Enter signs', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  const name = await rows(page).first().locator('.row-name, strong').first().innerText();
  await writeReport(page, 'Findings: lungs are clear.');
  await page.keyboard.press('Control+Shift+Enter');
  const dialog = page.getByRole('dialog', { name: 'Sign this report?' });
  await dialog.getByText(name, { exact: false }).first().waitFor();
  await dialog.getByText('Patient ID').waitFor();
  const sign = dialog.getByRole('button', { name: /^Sign/ });
  await expect.poll(() => sign.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await signedBy(page).waitFor();
  await dialog.waitFor({ state: 'hidden' });
});

test('without the service a signature waits, says so, and is taken back before it was sent', async () => {
  const { url, network } = await startApp();
  const page = await openReport(browser(), url);
  network.isUp = false;
  await report(page).getByRole('textbox', { name: 'Text of Findings' }).fill('Lungs are clear.');
  await report(page).getByText('Saved here; sent when the connection is back').waitFor();
  await report(page).getByRole('button', { name: 'Sign', exact: true }).click();
  await answerSign(page, report(page).getByText('Your signature has not reached the server'));
  // What the service does not have is not signed, and says so.
  await report(page).getByText('Not signed yet', { exact: true }).waitFor();
  expect(await signedBy(page).count()).toBe(0);
  await report(page).getByRole('button', { name: 'Undo signature' }).click();
  await report(page).getByRole('textbox', { name: 'Text of Findings' }).waitFor();
  network.isUp = true;
  await expect.poll(() => page.getByText(/to be sent/).count(), { timeout: 60_000 }).toBe(0);
  await page.reload();
  await report(page).getByText('Draft, version 2').waitFor();
  await report(page).getByRole('textbox', { name: 'Text of Findings' }).waitFor();
});
