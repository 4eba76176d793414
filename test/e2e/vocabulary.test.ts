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
  await page.getByRole('menuitem', { name: 'Add selection to vocabulary' }).click();
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
  await sheet.getByText('Saved, version 1').waitFor();
  const row = sheet.getByRole('button', { name: /^McBurney/ });
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
  // The key takes the deletion back where no field has it.
  await sheet.getByRole('button', { name: 'Undo' }).focus();
  await page.keyboard.press('Control+z');
  await row.waitFor();
});

test('a word that is taken from a report without the service waits, and is sent when it is back; a file is imported', async () => {
  const { url, network } = await startApp();
  const page = await openSamples(browser(), url);
  await openExam(page);
  await writeReport(page, 'Findings: Tumor of clatskin. Impression: normal.');
  network.isUp = false;
  await report(page)
    .getByRole('textbox', { name: 'Text of Findings' })
    .evaluate((element) => {
      const area = element as HTMLTextAreaElement;
      area.focus();
      const at = area.value.indexOf('clatskin');
      area.setSelectionRange(at, at + 'clatskin'.length);
    });
  await report(page).getByRole('button', { name: 'More for this report', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Add selection to vocabulary' }).click();
  const sheet = page.getByRole('dialog', { name: 'Vocabulary' });
  await sheet.getByLabel('Always write').fill('Klatskin');
  await page.keyboard.press('Control+Enter');
  await sheet.getByRole('button', { name: /^Klatskin waiting to be sent/ }).waitFor();
  expect(await sheet.getByRole('button', { name: 'Import a file' }).isDisabled()).toBe(true);
  network.isUp = true;
  await sheet.getByRole('button', { name: /^Klatskin EN clatskin/ }).waitFor({ timeout: 40_000 });

  const choose = async (content: string): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await sheet.getByRole('button', { name: 'Import a file' }).click();
    await (await chooser).setFiles({ name: 'words.txt', mimeType: 'text/plain', buffer: Buffer.from(content) });
  };
  const done = page.getByRole('dialog', { name: 'File imported' });
  const numbers = async (): Promise<string[]> => {
    await done.getByRole('definition').first().waitFor();
    return done.getByRole('definition').allInnerTexts();
  };
  const file = 'Gadovist = gado vist\nCastleman\n';
  await choose(file);
  expect(await numbers()).toEqual(['2', '0', '0']);
  await done.getByRole('button', { name: 'Close' }).last().click();
  await sheet.getByRole('button', { name: /^Castleman/ }).waitFor();
  await choose(file);
  const refused = page.getByRole('dialog', { name: 'The file was not imported' });
  await refused.getByText(/^Line 2/).waitFor();
  await refused.getByRole('button', { name: 'Replace the existing ones' }).click();
  expect(await numbers()).toEqual(['0', '0', '2']);
});
