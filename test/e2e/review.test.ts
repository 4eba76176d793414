/** What to look at before signing: in place, with a way to the words; decided about, and asked about once more. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import {
  graceOf,
  openExam,
  openItem,
  openSamples,
  report,
  signReport,
  startApp,
  useBrowser,
  dictateReport,
} from '../support/app.ts';
import { outsider } from '../support/app-host.ts';
import { startTranscriptionServer } from '../support/fake-transcription-server.ts';
import { recordedAs, replyWith, soundFor } from '../support/recorded-answers.ts';

const browser = useBrowser();

const said = 'Findings: nodule of six millimeters in the right lobe. Impression: nodule in the right lobe.';
const field = (page: Page, title: string) => report(page).getByRole('textbox', { name: `Text of ${title}` });
/** What is told at the word under the caret or the mouse. */
const card = (page: Page) => report(page).getByRole('group', { name: 'What to check here' });
const counted = (page: Page, text: string) => report(page).getByText(text, { exact: true });
/** In the middle of the first mark. */
async function pointAtMark(page: Page): Promise<void> {
  const { x, y, width, height } = (await report(page).locator('.mark-warned').first().boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
}
const press = (page: Page, name: string) => report(page).getByRole('button', { name, exact: true }).click();
const version = (page: Page, n: number) => report(page).getByText(`Draft, version ${n}`).waitFor();

async function open(): Promise<Page> {
  const app = await startApp();
  const page = await openSamples(browser(), app.url);
  await openExam(page);
  await dictateReport(page, app, said);
  return page;
}

/** The words that are selected in a section. */
const selected = (page: Page, title: string): Promise<string> =>
  field(page, title).evaluate((element) => {
    const { value, selectionStart, selectionEnd } = element as HTMLTextAreaElement;
    return document.activeElement === element ? value.slice(selectionStart, selectionEnd) : '';
  });

test('a side that contradicts the findings is marked during typing, explained at its word, and kept as is with a name', async () => {
  const page = await open();
  // Before it is saved, and whether or not it can be.
  await page.route(/record\.save$/, (route) => route.abort());
  await field(page, 'Impression').fill('Nodule in the left lobe.');
  await counted(page, 'One warning in this section.').waitFor();
  // Nothing opens over what somebody types.
  expect(await card(page).count()).toBe(0);
  await page.unroute(/record\.save$/);
  await expect.poll(() => report(page).locator('.mark-warned').allInnerTexts()).toEqual(['left']);
  // The field in which somebody types covers none of its marks.
  const background = (element: Element) => getComputedStyle(element).backgroundColor;
  await expect.poll(() => field(page, 'Impression').evaluate(background)).toBe('rgba(0, 0, 0, 0)');
  await press(page, 'Show the first');
  await expect.poll(() => selected(page, 'Impression')).toBe('left');
  await card(page).getByText('“left” here and “right” in another section.').waitFor();

  await card(page).getByRole('button', { name: 'Keep as is' }).click();
  await report(page).locator('.document-dismissed', { hasText: 'Kept as is by' }).waitFor();
  expect(await card(page).count()).toBe(0);
  expect(await report(page).locator('.mark-warned').count()).toBe(0);
  await page.reload();
  await report(page).locator('.document-dismissed', { hasText: 'Kept as is by' }).waitFor();
  await report(page).getByRole('button', { name: 'Undo', exact: true }).click();
  await counted(page, 'One warning in this section.').waitFor();
  await pointAtMark(page);
  await card(page).getByText('“left” here').waitFor();
  await field(page, 'Impression').fill('Nodule in the right lobe.');
  await card(page).waitFor({ state: 'detached' });
  await counted(page, 'One warning in this section.').waitFor({ state: 'detached' });
});

test('by keyboard alone: one key goes from warning to warning, another to their actions, and Escape back', async () => {
  const page = await open();
  await field(page, 'Impression').fill('Nodule in the left lobe, [__ mm].');
  await expect.poll(() => report(page).locator('.mark-warned, .mark-field').count()).toBeGreaterThan(1);
  await version(page, 2);
  await page.keyboard.press('F7');
  await expect.poll(() => selected(page, 'Impression')).toBe('left');
  const described = (): Promise<string> =>
    field(page, 'Impression').evaluate((element) =>
      (element.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' '),
    );
  await expect.poll(described).toContain('“left” here and “right” in another section.');
  await page.keyboard.press('F7');
  await expect.poll(() => selected(page, 'Impression')).toBe('[__ mm]');
  await expect.poll(described).toContain('[__ mm]');
  expect(await card(page).getByRole('button', { name: 'Keep as is' }).count()).toBe(0);
  // Around once more to the first.
  while ((await selected(page, 'Impression')) !== 'left') await page.keyboard.press('F7');
  await page.keyboard.press('ControlOrMeta+.');
  const focused = () => card(page).evaluate((element) => element.contains(document.activeElement));
  await expect.poll(focused).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => selected(page, 'Impression')).toBe('left');
  expect(await card(page).count()).toBe(0);
  await page.keyboard.press('ControlOrMeta+.');
  await expect.poll(focused).toBe(true);
  await card(page).getByRole('button', { name: 'Keep as is' }).focus();
  await page.keyboard.press('Enter');
  await report(page).locator('.document-dismissed', { hasText: 'Kept as is by' }).waitFor();
  await expect
    .poll(() => field(page, 'Impression').evaluate((element) => element === document.activeElement))
    .toBe(true);
});

test.each([
  ['large', 1280, 800],
  ['small', 390, 844],
])('on a %s screen the card covers none of its words, and stays on the screen', async (_, width, height) => {
  const page = await open();
  await page.setViewportSize({ width, height });
  await page.keyboard.press('F4');
  await field(page, 'Impression').fill(`${'Nodule in the right lobe. '.repeat(30)}Nodule in the left lobe.`);
  await counted(page, 'One warning in this section.').waitFor();
  await press(page, 'Show the first');
  await card(page).waitFor();
  const [mark, box] = [await report(page).locator('.mark-warned').last().boundingBox(), await card(page).boundingBox()];
  expect(box!.x).toBeGreaterThanOrEqual(0);
  expect(box!.x + box!.width).toBeLessThanOrEqual(width);
  expect(box!.y >= mark!.y + mark!.height || box!.y + box!.height <= mark!.y).toBe(true);
  expect(box!.y + box!.height).toBeLessThanOrEqual(height);
});

test('a warning is never signed over unawares, and who does so is kept with the version', async () => {
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
  expect(await report(page).locator('.mark-warned').count()).toBe(0);
  await page.getByRole('button', { name: 'Versions', exact: true }).click();
  await page.getByRole('dialog', { name: 'Versions' }).getByText('over one warning').waitFor();
});

test('undictated words are marked until the signature; the origin of each word is shown on request', async () => {
  const page = await open();
  const marks = (origin: string) => report(page).locator(`.document-marks .mark-${origin}`);
  await expect.poll(() => marks('exam').count()).toBe(1);
  expect(await marks('converted').count()).toBe(0);
  await press(page, 'More for this report');
  await page.getByRole('menuitem', { name: 'Show where the text comes from' }).click();
  await expect.poll(() => marks('converted').allInnerTexts()).toEqual(['6', 'mm']);
  await field(page, 'Findings').press('End');
  await field(page, 'Findings').pressSequentially(' Stable.');
  await expect.poll(() => marks('edited').allInnerTexts()).toEqual(['Stable']);
  await signReport(page);
  expect(await report(page).locator('mark').count()).toBe(0);
});

test('words that were recognized in two ways: the caret shows both, and one digit takes the other', async () => {
  const { answers, language } = recordedAs('denial');
  const engine = await startTranscriptionServer();
  onTestFinished(() => engine.close());
  engine.dialect = (_, count) => replyWith(answers[count - 1] ?? []);
  const recogniser = { use: 'openai:whisper-1', options: { url: `${engine.url}/v1` } } as const;
  const app = await startApp({ recogniser, testReal: true });
  const page = await openSamples(browser(), app.url);
  await openExam(page);
  const client = await outsider(app.network);
  await client.records.generate({
    body: { audio: soundFor({ answers }), language, worklist_item_id: openItem(page) },
  });
  await version(page, 1);
  const [written, other] = ['abilhá-se em cálculos', 'biliar sem cálculos'];
  const text = field(page, 'Achados');
  await text.evaluate((element, words) => {
    const area = element as HTMLTextAreaElement;
    area.focus();
    area.setSelectionRange(area.value.indexOf(words) + 3, area.value.indexOf(words) + 3);
  }, written);
  await card(page).getByText(`“${written}” ou “${other}”?`).waitFor();
  // Both keys in one frame, as of somebody who knows them: the digit must not get into the text.
  expect(
    await text.evaluate(() => {
      const press = (key: string, ctrlKey: boolean) =>
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }),
        );
      return [press('.', true), press('2', false)];
    }),
  ).toEqual([false, false]);
  await expect.poll(() => text.inputValue()).toContain(other);
  await card(page).waitFor({ state: 'detached' });
  await version(page, 2);
  expect(await text.inputValue()).not.toContain(written);
});
