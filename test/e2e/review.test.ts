/** What to look at before signing: in place, with a way to the words; decided about, and asked about once more. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  openExam,
  openSamples,
  report,
  startApp,
  useBrowser,
  writeReport,
  signReport,
  graceOf,
} from '../support/app.ts';

const browser = useBrowser();

const said = 'Findings: nodule of six millimeters in the right lobe. Impression: nodule in the right lobe.';
const field = (page: Page, title: string) => report(page).getByRole('textbox', { name: `Text of ${title}` });
const warning = (page: Page) => report(page).locator('.document-warning');
const press = (page: Page, name: string) => report(page).getByRole('button', { name, exact: true }).click();
const version = (page: Page, n: number) => report(page).getByText(`Draft, version ${n}`).waitFor();

async function open(): Promise<Page> {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  await writeReport(page, said);
  return page;
}

/** The words that are selected in a section. */
const selected = (page: Page, title: string): Promise<string> =>
  field(page, title).evaluate((element) => {
    const { value, selectionStart, selectionEnd } = element as HTMLTextAreaElement;
    return document.activeElement === element ? value.slice(selectionStart, selectionEnd) : '';
  });

test('a side that contradicts the findings is marked while it is typed, shown, and let stand with a name', async () => {
  const page = await open();
  // Before it is saved, and whether or not it can be.
  await page.route(/record\.save$/, (route) => route.abort());
  await field(page, 'Impression').fill('Nodule in the left lobe.');
  await warning(page).getByText('“left” here and “right” in another section.').waitFor();
  await page.unroute(/record\.save$/);
  await expect.poll(() => report(page).locator('.mark-warned').allInnerTexts()).toEqual(['left']);
  // The field in which somebody types covers none of its marks.
  const background = (element: Element) => getComputedStyle(element).backgroundColor;
  await expect.poll(() => field(page, 'Impression').evaluate(background)).toBe('rgba(0, 0, 0, 0)');
  await press(page, 'Show the words');
  await expect.poll(() => selected(page, 'Impression')).toBe('left');

  await press(page, 'Let it stand');
  await report(page)
    .getByText(/lets it stand\.$/)
    .waitFor();
  expect(await warning(page).count()).toBe(0);
  await page.reload();
  await report(page)
    .getByText(/lets it stand\.$/)
    .waitFor();
  await press(page, 'Take back');
  await warning(page).getByText('“left” here').waitFor();
  await field(page, 'Impression').fill('Nodule in the right lobe.');
  await warning(page).waitFor({ state: 'detached' });
});

test('nobody signs over a warning unawares, and who does is kept with the version', async () => {
  const page = await open();
  await field(page, 'Impression').fill('Nodule in the left lobe.');
  await version(page, 2);
  await press(page, 'Sign');
  const dialog = page.getByRole('dialog', { name: 'Sign this report?' });
  await dialog.getByRole('button', { name: /^“left” here/ }).click();
  await expect.poll(() => selected(page, 'Impression')).toBe('left');
  await graceOf(page, 0);
  await press(page, 'Sign');
  await dialog.getByRole('button', { name: 'Sign over the warning' }).click();
  await report(page)
    .getByText(/^Signed, version/)
    .waitFor();
  expect(await warning(page).count()).toBe(0);
  await page.getByRole('button', { name: 'Versions', exact: true }).click();
  await page.getByRole('dialog', { name: 'Versions' }).getByText('over one warning').waitFor();
});

test('what nobody said is marked until somebody signs; where each word comes from is shown on wish', async () => {
  const page = await open();
  const marks = (origin: string) => report(page).locator(`.document-marks .mark-${origin}`);
  await expect.poll(() => marks('exam').count()).toBe(1);
  expect(await marks('converted').count()).toBe(0);
  await press(page, 'More for this report');
  await page.getByRole('menuitem', { name: 'Show where the words come from' }).click();
  await expect.poll(() => marks('converted').allInnerTexts()).toEqual(['6', 'mm']);
  await field(page, 'Findings').press('End');
  await field(page, 'Findings').pressSequentially(' Stable.');
  await expect.poll(() => marks('edited').allInnerTexts()).toEqual(['Stable']);
  await signReport(page);
  expect(await report(page).locator('mark').count()).toBe(0);
});
