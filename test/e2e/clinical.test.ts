/** By keyboard in the page: a critical result is told and listed until then, and a score comes into the report with its origin. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openExam, openSamples, report, startApp, useBrowser, writeReport } from '../support/app.ts';

const browser = useBrowser();

const field = (page: Page, title: string) => report(page).getByRole('textbox', { name: `Text of ${title}` });
const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['LAUDIO_TEST_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/clinical-${name}.png` });
};

async function open(text: string): Promise<Page> {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  await writeReport(page, text);
  return page;
}

test('a critical result is open in the report, the list and the bar until its communication is recorded', async () => {
  const page = await open('Findings: large right tension pneumothorax. Impression: tension pneumothorax.');
  await report(page)
    .getByText(/^“.*pneumothorax.*”: critical result not communicated/)
    .waitFor();
  const bar = page.getByRole('button', { name: '1 critical result open' });
  await bar.waitFor();
  await expect.poll(() => page.locator('.row .row-critical').count()).toBe(1);
  await picture(page, 'open');
  await bar.click();
  const list = page.getByRole('dialog', { name: 'Critical results' });
  await list.getByText(/pneumothorax/).waitFor();
  await picture(page, 'list');
  await list.getByRole('button', { name: 'Open', exact: true }).click();

  await field(page, 'Impression').press('Alt+c');
  const dialog = page.getByRole('dialog', { name: 'To whom was this critical result communicated?' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('');
  await page.keyboard.press('Enter');
  await dialog.getByText('A name is missing.').waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Dr. Nunes');
  await dialog.getByRole('textbox', { name: 'Role' }).fill('emergency physician');
  await dialog.getByRole('checkbox', { name: 'Read back and confirmed' }).check();
  await picture(page, 'tell');
  await dialog.getByRole('textbox', { name: 'Role' }).press('Enter');
  await report(page)
    .getByText(
      /pneumothorax: communicated to Dr\. Nunes \(emergency physician\) by telephone on .*read back and confirmed\.$/i,
    )
    .waitFor();
  await bar.waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('.row .row-critical').count()).toBe(0);
  expect(await report(page).locator('.mark-warned').count()).toBe(0);
  await picture(page, 'told');
  await page.reload();
  await report(page)
    .getByText(/communicated to Dr\. Nunes/)
    .waitFor();
});

test('selected words become a critical result by a key, which is dismissed with a reason', async () => {
  const page = await open('Findings: mass of 9 cm. Impression: large mass.');
  await field(page, 'Impression').selectText();
  await field(page, 'Impression').press('Alt+c');
  await page.getByRole('dialog', { name: 'To whom was this critical result communicated?' }).waitFor();
  await page.keyboard.press('Escape');
  await report(page).getByRole('button', { name: 'No communication needed' }).click();
  const dialog = page.getByRole('dialog', { name: 'No communication needed?' });
  await dialog.getByRole('textbox').fill('Known since March.');
  await page.keyboard.press('Enter');
  await report(page)
    .getByText(/decided that no communication is needed\. Known since March\./)
    .waitFor();
});

test('a score is filled in by keys, inserted at the caret, and marked as coming from a form', async () => {
  const page = await open('Findings: solid nodule. Impression: nodule of the thyroid.');
  await field(page, 'Impression').press('End');
  await field(page, 'Impression').press('Alt+s');
  const dialog = page.getByRole('dialog', { name: 'Scores and measurements' });
  await dialog.getByRole('combobox', { name: 'Form' }).selectOption('ACR TI-RADS');
  await dialog.getByRole('combobox', { name: 'Composition' }).selectOption('solid or almost completely solid');
  await dialog.getByRole('combobox', { name: 'Echogenicity' }).selectOption('hypoechoic');
  await dialog.getByRole('combobox', { name: 'Shape' }).selectOption('wider than tall');
  await dialog.getByRole('combobox', { name: 'Margin' }).selectOption('smooth');
  await dialog.getByRole('textbox', { name: /Greatest diameter/ }).fill('12,5');
  await dialog.getByText('ACR TI-RADS: TR4 (4 points), moderately suspicious.').waitFor();
  await picture(page, 'score');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  const line = 'ACR TI-RADS: TR4 (4 points), moderately suspicious. Ultrasound follow-up at 1, 2, 3 and 5 years.';
  await expect
    .poll(() => field(page, 'Impression').inputValue())
    .toMatch(new RegExp(`thyroid\\. ${line.replace(/[().]/g, '\\$&')}$`));
  await expect
    .poll(async () => (await report(page).locator('.document-marks .mark-score').allInnerTexts()).join(' '))
    .toContain('TR4');
  await picture(page, 'scored');
  // On a screen with one pane the form is seen from the exam too, and while the window becomes smaller.
  await page.setViewportSize({ width: 1024, height: 700 });
  const showExam = () => page.getByRole('button', { name: 'Exam', exact: true }).filter({ visible: true }).click();
  await showExam();
  await page.keyboard.press('Alt+s');
  await dialog.getByRole('combobox', { name: 'Form' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await showExam();
  await page.setViewportSize({ width: 1440, height: 900 });
  await report(page)
    .getByRole('button', { name: /^Correct / })
    .click();
  await page.setViewportSize({ width: 1024, height: 700 });
  expect(await page.locator('dialog[open]').isVisible()).toBe(true);
});
