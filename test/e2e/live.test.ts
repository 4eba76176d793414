/** Words while somebody speaks, from the microphone to the report: by the recogniser of test mode, over the real service. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  makeReport,
  openExam,
  openSamples,
  pause,
  recorder,
  report,
  shownSeconds,
  speak,
  startApp,
  useBrowser,
} from '../support/app.ts';

const browser = useBrowser();

const textsOf = (fields: Locator): Promise<string[]> =>
  fields.evaluateAll((all) => all.map((field) => (field as HTMLTextAreaElement).value));
const wordsOf = (page: Page): Promise<string[]> => textsOf(report(page).getByRole('textbox', { name: /^Words of/ }));

test('words appear where the report will be, with the vocabulary, provisional ones look different, and become the report', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await page.getByRole('button', { name: /Account and settings/ }).click();
  await page.getByRole('menuitem', { name: 'Vocabulary' }).click();
  const sheet = page.getByRole('dialog', { name: 'Vocabulary' });
  await sheet.getByRole('button', { name: 'New word' }).first().click();
  await sheet.getByLabel('Always write').fill('Simulatum');
  await sheet.getByLabel('For', { exact: true }).fill('simulated');
  await page.keyboard.press('Control+Enter');
  await sheet.getByText('Saved, version 1').waitFor();
  await page.keyboard.press('Escape');
  await openExam(page);
  await speak(page, 1);
  await report(page).locator('.live-partial').first().waitFor();
  await report(page).getByText('As you dictate').waitFor();
  await expect.poll(() => shownSeconds(page)).toBeGreaterThanOrEqual(7);
  await pause(page);
  // What was being said does not change any more.
  await expect.poll(() => report(page).locator('.live-partial').count()).toBe(0);
  // What is left of the dictation comes when the sound ends, phrase by phrase: this is its last.
  const impression = report(page).getByRole('textbox', { name: 'Words of Impression' });
  await expect.poll(() => impression.inputValue()).toBe('Nonspecific white matter changes.');
  const said = await wordsOf(page);
  expect(said.join(' ')).toContain('Simulatum transcript');
  // They are still there when the page is loaded anew.
  await page.reload();
  await recorder(page).waitFor();
  await expect.poll(() => wordsOf(page)).toEqual(said);
  await page.getByRole('button', { name: /Generate report/ }).click();
  await report(page).getByText('Draft, version 1').waitFor();
  const written = await textsOf(report(page).getByRole('textbox', { name: /^Text of/ }));
  for (const text of said.filter((each) => each !== '')) expect(written).toContain(text);
});

test('a second dictation of the exam shows its words above the report, which goes on being edited', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  await makeReport(page);
  await recorder(page).getByRole('button', { name: 'Dictate again' }).click();
  await recorder(page).getByRole('heading', { name: 'Recording' }).waitFor();
  await report(page).getByRole('region', { name: 'What you have dictated' }).locator('.live-partial').first().waitFor();
  const impression = report(page).getByRole('textbox', { name: 'Text of Impression' });
  await impression.fill('Written while speaking.');
  await report(page).getByText('Saved', { exact: true }).waitFor();
  expect(await impression.inputValue()).toBe('Written while speaking.');
  await pause(page);
});
