/** Autotexts: made in the app, called in a report, their fields filled in before anybody signs. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  dictateReport,
  openExam,
  openSamples,
  report,
  signReport,
  startApp,
  useBrowser,
  writeReport,
} from '../support/app.ts';

const browser = useBrowser();

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Autotexts' });
const row = (page: Page, name: RegExp) => sheet(page).getByRole('list').getByRole('button', { name });
const field = (page: Page, title: string) => report(page).getByRole('textbox', { name: `Text of ${title}` });
const press = (page: Page, name: string | RegExp) => report(page).getByRole('button', { name, exact: true }).click();

/** Makes an autotext by keyboard alone. */
async function makeMacro(page: Page, name: string, text: string): Promise<void> {
  await page.keyboard.press('m');
  await sheet(page).getByRole('button', { name: 'New autotext' }).first().press('Enter');
  await page.keyboard.type(name);
  await sheet(page).getByLabel('Text', { exact: true }).focus();
  await page.keyboard.type(text);
  await page.keyboard.press('Control+Enter');
}

/** The words that are selected in a section. */
const selected = (page: Page, title: string): Promise<string> =>
  field(page, title).evaluate((element) => {
    const { value, selectionStart, selectionEnd } = element as HTMLTextAreaElement;
    return document.activeElement === element ? value.slice(selectionStart, selectionEnd) : '';
  });

test('an autotext is inserted by its name, and its fields must be filled in before signing', async () => {
  const app = await startApp();
  const page = await openSamples(browser(), app.url);
  await makeMacro(page, 'simple cyst', 'Cyst in the [side: right|left] kidney, [__ mm].');
  await sheet(page).getByText('Saved, version 1').waitFor();
  expect(await sheet(page).getByText('2 fields to fill in').isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await sheet(page).waitFor({ state: 'hidden' });

  await openExam(page);
  await dictateReport(page, app, 'Findings: Simple cyst. Spleen is normal. Impression: renal cyst.');
  const text = () => field(page, 'Findings').inputValue();
  expect(await text()).toContain('Cyst in the [side: right|left] kidney, [__ mm].');
  const fields = () => report(page).locator('.mark-field').allInnerTexts();
  await expect.poll(fields).toEqual(['[side: right|left]', '[__ mm]']);
  await page.mouse.move(0, 0);
  const mark = (await report(page).locator('.mark-field').first().boundingBox())!;
  await page.mouse.move(mark.x + mark.width / 2, mark.y + mark.height / 2);
  const card = report(page).getByRole('group', { name: 'What to check here' });
  await card.getByText('[side: right|left]').waitFor();
  expect(await report(page).getByRole('button', { name: 'Keep as is' }).count()).toBe(0);

  await card.getByRole('button', { name: 'left' }).click();
  await expect.poll(text).toContain('Cyst in the left kidney, [__ mm].');
  await expect.poll(fields).toEqual(['[__ mm]']);
  await press(page, 'Sign');
  const dialog = page.getByRole('dialog', { name: 'Sign this report?' });
  await dialog.getByText('Fill in the blank field to sign.').waitFor();
  expect(await dialog.getByRole('button', { name: /^Sign/ }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Fill in' }).click();
  await expect.poll(() => selected(page, 'Findings')).toBe('[__ mm]');
  await page.keyboard.type('12 mm');
  await expect.poll(text).toContain('Cyst in the left kidney, 12 mm.');
  await expect.poll(fields).toEqual([]);
  await signReport(page);
});

test('a click into a field selects it; selected words become an autotext', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  await writeReport(page, 'Findings: [__ mm] nodule in the right lobe. Impression: nodule.');
  const findings = field(page, 'Findings');
  await report(page).locator('.mark-field').waitFor({ state: 'attached' });
  await expect
    .poll(async () => {
      await findings.click({ position: { x: 24, y: 14 } });
      return selected(page, 'Findings');
    })
    .toBe('[__ mm]');
  await findings.evaluate((element) => {
    const area = element as HTMLTextAreaElement;
    const at = area.value.indexOf('nodule in');
    area.setSelectionRange(at, at + 'nodule in the right lobe'.length);
  });
  await press(page, 'More for this report');
  await page.getByRole('menuitem', { name: 'Save selection as autotext' }).click();
  expect(await sheet(page).getByLabel('Text', { exact: true }).inputValue()).toBe('nodule in the right lobe');
  expect(await sheet(page).getByRole('combobox', { name: 'Section' }).last().inputValue()).toBe('findings');
});

test('one made offline waits, and is sent when the service is back; a deleted one can be restored', async () => {
  const { url, network } = await startApp();
  const page = await openSamples(browser(), url);
  network.isUp = false;
  await makeMacro(page, 'normal chest', 'Lungs are clear.');
  await row(page, /normal chest waiting to be sent/).waitFor();
  network.isUp = true;
  await sheet(page).getByRole('button', { name: 'Duplicate' }).waitFor();
  await row(page, /^normal chest Lungs are clear/).waitFor({ timeout: 40_000 });
  await row(page, /^normal chest/).click();
  await sheet(page).getByText('Saved, version 1').waitFor();
  await sheet(page).getByRole('button', { name: 'Delete' }).click();
  await sheet(page).getByText('“normal chest” is deleted.').waitFor();
  await row(page, /normal chest/).waitFor({ state: 'detached' });
  await sheet(page).getByRole('button', { name: 'Undo' }).click();
  await row(page, /^normal chest Lungs are clear/).waitFor();
});
