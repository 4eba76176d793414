/** A report from its draft to its addendum. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { anywherePlace } from '../../desktop/bridge/anywhere.ts';
import {
  findings,
  graceOf,
  listenFor,
  openExam,
  openInTestMode,
  openReport,
  openSamples,
  report,
  startApp,
  useBrowser,
  dictateReport,
} from '../support/app.ts';

const browser = useBrowser();

const open = async (): Promise<Page> => openReport(browser(), (await startApp()).url);
const field = (page: Page, title: string) => report(page).getByRole('textbox', { name: `Text of ${title}` });
const saved = (page: Page) =>
  report(page)
    .getByRole('status')
    .filter({ hasText: /^Saved$/ })
    .waitFor();
const version = (page: Page, n: number) => report(page).getByText(`Draft, version ${n}`).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('typed text is saved automatically, can be compared with the version before, and that one can be restored', async () => {
  const page = await open();
  const before = await field(page, 'Impression').inputValue();
  const said = await listenFor(report(page), 'Not saved yet');
  await field(page, 'Impression').fill(`${before} No change since last year.`);
  await said();
  await version(page, 2);
  await saved(page);
  await page.reload();
  await report(page).waitFor();
  await expect.poll(() => field(page, 'Impression').inputValue()).toBe(`${before} No change since last year.`);

  await press(page, 'Versions');
  const dialog = page.getByRole('dialog', { name: 'Versions' });
  await dialog.getByRole('button', { name: /Version 1/ }).click();
  await dialog.locator('ins').waitFor();
  await expect
    .poll(() => dialog.locator('ins').allInnerTexts())
    .toEqual([expect.stringContaining('No change since last year.')]);
  await dialog.getByRole('button', { name: 'Restore this version' }).click();
  await version(page, 3);
  await expect.poll(() => field(page, 'Impression').inputValue()).toBe(before);
});

test('a conversion is shown where the words come from, and is put back as it was said', async () => {
  const app = await startApp();
  const page = await openSamples(browser(), app.url);
  await openExam(page);
  await dictateReport(page, app, 'Findings: nodule of six millimeters in the right lobe. Impression: nodule.');
  const findings = field(page, 'Findings');
  await expect.poll(() => findings.inputValue()).toBe('Nodule of 6 mm in the right lobe.');
  await press(page, 'More for this report');
  await page.getByRole('menuitem', { name: 'Show where the text comes from' }).click();
  await report(page).getByRole('listitem').getByText('six millimeters → 6 mm').waitFor();
  await press(page, 'Put back as dictated');
  await expect.poll(() => findings.inputValue()).toBe('Nodule of six millimeters in the right lobe.');
  await version(page, 2);
});

test('an instruction corrects the text, shows its changes, and can be undone', async () => {
  const page = await open();
  const before = await field(page, 'Impression').inputValue();
  const [word = ''] = /\w{5,}/.exec(before) ?? [];
  await press(page, 'Correct by voice');
  const dialog = page.getByRole('dialog', { name: 'What should be changed?' });
  await dialog.getByLabel('Instruction').fill(`in the impression, replace ${word} with unremarkable`);
  await dialog.getByRole('button', { name: 'Apply' }).click();
  const result = page.getByRole('region', { name: 'Corrected' });
  await result.waitFor();
  expect((await result.locator('del').first().innerText()).toLowerCase()).toContain(word.toLowerCase());
  await expect.poll(() => result.locator('ins').first().innerText()).toMatch(/unremarkable/i);
  await expect.poll(() => field(page, 'Impression').inputValue()).toMatch(/unremarkable/i);
  await result.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => field(page, 'Impression').inputValue()).toBe(before);
  await saved(page);

  // A command that was said there instead acts, and changes nothing.
  await press(page, 'Correct by voice');
  await dialog.getByLabel('Instruction').fill('What can I say?');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('dialog', { name: 'What can I say?' }).waitFor();
  expect(await field(page, 'Impression').inputValue()).toBe(before);
});

test('the small window records for another program, and says where its text is', async () => {
  const { url } = await startApp();
  const page = await openInTestMode(browser(), url);
  // The desktop app's own windows insert; a page in a browser can't.
  await page.route(/anywhere\.insert$/, (route) => route.fulfill({ json: { output: { way: 'copied' } } }));
  await page.setViewportSize({ width: 420, height: 176 });
  await page.evaluate((place) => {
    location.hash = place;
    location.reload();
  }, anywherePlace);
  await page.getByText('Recording', { exact: true }).waitFor();
  const meter = page.locator('.meter i');
  await expect.poll(() => meter.evaluate((bar) => bar.style.clipPath)).not.toContain('100%');
  await press(page, 'Done');
  await page.getByRole('status').filter({ hasText: 'In the clipboard: press Ctrl V' }).waitFor();
  expect(await page.locator('.anywhere-text').innerText()).toMatch(/\p{L}{4}/u);
  expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);
});

test('a contradiction between sections is marked in place and repeated at signing; a signed report changes only by an addendum', async () => {
  const page = await open();
  await field(page, 'Findings').fill('Lesion of 47 mm in the left lobe.');
  await field(page, 'Impression').fill('Lesion of 47 cm in the left lobe.');
  await saved(page);
  await expect.poll(() => report(page).locator('.mark-warned').allInnerTexts()).toContain('47 cm');
  await page.keyboard.press('F7');
  await report(page)
    .locator('.word-note [lang=en-US]')
    .getByText(/“47 cm”/)
    .first()
    .waitFor();

  await press(page, 'Sign');
  const dialog = page.getByRole('dialog', { name: 'Sign this report?' });
  await expect.poll(() => dialog.getByText(/There (is one|are \d+) places? to review/).isVisible()).toBe(true);
  await dialog.getByRole('button', { name: 'Review' }).click();
  await report(page)
    .getByText(/^Draft/)
    .waitFor();
  await graceOf(page, 0);
  await press(page, 'Sign');
  await dialog.getByRole('button', { name: /^Sign over/ }).click();
  await report(page)
    .getByText(/^Signed, version/)
    .waitFor();
  await expect.poll(() => report(page).getByRole('textbox').count()).toBe(0);
  await page.getByRole('button', { name: /^Reported\s*1/ }).waitFor();

  await report(page).getByRole('button', { name: 'Add addendum' }).click();
  const addendum = report(page);
  await addendum.getByLabel('Text of the addendum').fill('Compared with the examination of last year: no change.');
  await page.route(/record\.addendum$/, (route) => route.abort(), { times: 1 });
  await addendum.getByRole('button', { name: 'Add addendum' }).click();
  await addendum.getByRole('alert').getByText('The server is not responding.').waitFor();
  await addendum.getByRole('button', { name: 'Add addendum' }).click();
  await addendum.getByLabel('Text of the addendum').waitFor({ state: 'detached' });
  await report(page).getByRole('heading', { name: 'Addendum', exact: true }).waitFor();
  await report(page)
    .getByRole('paragraph')
    .filter({ hasText: 'Compared with the examination of last year: no change.' })
    .waitFor();
});

test('it can be heard, copied and saved as a file, and a draft can be deleted', async () => {
  const page = await open();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const sound = report(page).getByRole('group', { name: 'Audio of the dictation' });
  await sound.getByRole('button', { name: /^Listen/ }).click();
  await expect
    .poll(() => sound.getByRole('slider').evaluate((element: HTMLInputElement) => element.valueAsNumber))
    .toBeGreaterThan(0.5);

  const choose = async (name: string) => {
    await press(page, 'More for this report');
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Copy the text');
  await page.getByText('Copied.').waitFor();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(await field(page, 'Impression').inputValue());
  // As in a page without https.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await choose('Copy the text');
  await page.getByText('The browser did not allow copying.').waitFor();
  const download = page.waitForEvent('download');
  await choose('Save as PDF');
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
  await choose('Delete this draft');
  await page
    .getByRole('dialog', { name: 'Delete this draft?' })
    .getByRole('button', { name: 'Delete this draft' })
    .click();
  await findings(page).waitFor();
  await expect.poll(() => findings(page).inputValue()).toBe('');
});
