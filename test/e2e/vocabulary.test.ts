/** Vocabulary: a word that came out misspelt is taken from the report, written right, and is right in the next report. */
import { expect, test } from 'vitest';
import { openExam, openSamples, report, startApp, useBrowser, writeReport } from '../support/app.ts';

const browser = useBrowser();

test('selected words become a word of the vocabulary; what the service refuses stays to be changed', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  await writeReport(page, 'Findings: Pain at mac burney point. Impression: normal.');
  const findings = report(page).getByRole('textbox', { name: 'Text of Findings' });
  await findings.click();
  await findings.evaluate((element) => {
    const area = element as HTMLTextAreaElement;
    const at = area.value.indexOf('mac burney');
    area.setSelectionRange(at, at + 'mac burney'.length);
  });
  await report(page).getByRole('button', { name: 'More for this report', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Add the selected words to the vocabulary' }).click();
  const sheet = page.getByRole('dialog', { name: 'Vocabulary' });
  const write = sheet.getByLabel('Always write');
  const forms = sheet.getByLabel('For', { exact: true });
  expect(await write.inputValue()).toBe('mac burney');
  expect(await forms.inputValue()).toBe('mac burney');
  await write.fill('McBurney');
  await forms.fill('mac burney\n\nleft burney');
  await page.keyboard.press('Control+Enter');
  await sheet.getByText(/the same numbers, sides and negations/).waitFor();
  await forms.fill('mac burney\nmack burney');
  await page.keyboard.press('Control+Enter');
  const row = sheet.getByRole('button', { name: /^McBurney/ });
  await row.waitFor();
  await sheet.getByRole('searchbox', { name: 'Search words' }).press('ArrowDown');
  expect(await row.evaluate((element) => element === document.activeElement)).toBe(true);
  await row.click();
  await write.fill('MacBurney');
  await sheet.getByRole('button', { name: 'New word' }).click();
  await row.click();
  // What was not saved is still there.
  expect(await write.inputValue()).toBe('MacBurney');
  await sheet.getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
  expect(await sheet.getByText('No words yet').isVisible()).toBe(true);
});
