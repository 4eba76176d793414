/** An impression proposed in the page: asked for by a key or a button, taken sentence by sentence, never before. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openExam, openSamples, report, startApp, useBrowser, writeReport } from '../support/app.ts';
import { startChatServer } from '../support/fake-chat-server.ts';
import { refusal } from '../support/language-model.ts';

const browser = useBrowser();
const model = await startChatServer();
const untold = { impression: model.impression, dialect: model.dialect };
afterAll(() => model.close());
beforeEach(() => void Object.assign(model, untold));

const writer = { use: 'openai:medical-small', options: { url: `${model.url}/v1` } };
const field = (page: Page, title: string) => report(page).getByRole('textbox', { name: `Text of ${title}` });
const proposals = (page: Page) => report(page).getByRole('region', { name: 'Proposed from the findings' });
const button = (page: Page) => report(page).getByRole('button', { name: 'Propose from findings' });
/** What axe finds in the proposals, dark and light, and nothing is wider than the screen. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env['LAUDIO_TEST_PICTURES'];
  await page.evaluate(axe.source);
  // The wider page differs only in what is around the report.
  for (const width of folder === undefined ? [1024] : [1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: typeof axe }).axe.run('#impression-proposals'),
      );
      expect.soft(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(overflow).toBeLessThanOrEqual(0);
  }
}

const written =
  'Findings: There is a solid nodule in the right upper lobe, measuring 6 mm. No pleural effusion. The heart is enlarged.';
const nodule = 'Solid nodule of 6 mm in the right upper lobe.';

async function open(text = written, chosen = { writer }): Promise<Page> {
  const page = await openSamples(browser(), (await startApp(chosen)).url);
  await openExam(page);
  await writeReport(page, text);
  return page;
}

test('sentences are taken one by one or all, each with its findings marked; what says more is left out', async () => {
  model.impression = () => [
    { text: nodule, basis: [0] },
    { text: 'Nodule of 9 mm in the right upper lobe.', basis: [0] },
    { text: 'Enlarged heart.', basis: [2] },
    { text: 'No pleural effusion.', basis: [1] },
  ];
  const page = await open();
  await button(page).click();
  const list = proposals(page);
  await list.getByText('One sentence left out: it said more than the findings.').waitFor();
  expect(await list.getByRole('listitem').locator('p:first-child').allInnerTexts()).toEqual([
    nodule,
    'Enlarged heart.',
    'No pleural effusion.',
  ]);
  expect(await field(page, 'Impression').inputValue()).toBe('');
  const cited = async () => (await report(page).locator('.document-marks .mark-cited').allInnerTexts()).join('');
  await expect.poll(cited).toBe('There is a solid nodule in the right upper lobe, measuring 6 mm.');
  await look(page, 'offered');

  await page.keyboard.press('Enter');
  await expect.poll(() => field(page, 'Impression').inputValue()).toBe(nodule);
  await expect.poll(cited).toBe('The heart is enlarged.');
  await expect
    .poll(() => report(page).locator('.document-marks .mark-proposed').allInnerTexts())
    .toEqual([nodule.slice(0, -1)]);
  await list.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => field(page, 'Impression').inputValue()).toBe('');
  await list.getByRole('button', { name: 'Take all' }).click();
  await expect
    .poll(() => field(page, 'Impression').inputValue())
    .toBe(`${nodule}\nEnlarged heart.\nNo pleural effusion.`);
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await expect.poll(() => field(page, 'Impression').evaluate((each) => each === document.activeElement)).toBe(true);
  await page.reload();
  await expect.poll(() => report(page).locator('.document-marks .mark-proposed').count()).toBeGreaterThan(0);
});

test('the key asks while somebody types; findings that changed since, and a model that fails, are told', async () => {
  model.impression = () => [{ text: nodule, basis: [0] }];
  const page = await open();
  await field(page, 'Findings').press('Alt+i');
  const take = proposals(page).getByRole('button', { name: 'Take' });
  await take.waitFor();
  // A person who types is left where they are; the key again goes to the list.
  await field(page, 'Findings').fill('There is a solid nodule in the left upper lobe, measuring 6 mm.');
  await proposals(page).getByText('The findings have changed since. Propose again.').waitFor();
  expect(await take.isDisabled()).toBe(true);
  model.dialect = () => refusal(503, 'Loading model');
  await field(page, 'Findings').press('Alt+i');
  await proposals(page).getByText('The language model did not answer. Nothing was changed.').waitFor();
  Object.assign(model, untold);
  await proposals(page).getByRole('button', { name: 'Propose again' }).click();
  await proposals(page).getByText('Nothing to propose: write the impression yourself.').waitFor();
  expect(await field(page, 'Impression').inputValue()).toBe('');
  const asked = model.chats().length;
  model.dialect = () => new Promise(() => {});
  await field(page, 'Findings').press('End');
  await field(page, 'Findings').type(' No mass.');
  await field(page, 'Findings').press('Alt+i');
  await proposals(page).getByText('Reading the findings').waitFor();
  await expect.poll(() => model.chats().length).toBe(asked + 1);
  await proposals(page).getByRole('button', { name: 'Close' }).click();
  await proposals(page).waitFor({ state: 'detached' });
  await button(page).waitFor();
});

test('a service whose writer has no language model offers nothing', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  await writeReport(page, written);
  await field(page, 'Impression').press('Alt+i');
  expect(await button(page).count()).toBe(0);
  expect(await proposals(page).count()).toBe(0);
});
