/** The sound beside the text: from a word, with the words that are being said, and honest about words that nobody said. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  makeReport,
  openExam,
  openReport,
  openSamples,
  pause,
  report,
  signReport,
  speak,
  startApp,
  useBrowser,
} from '../support/app.ts';

const browser = useBrowser();

const field = (page: Page, title: string): Locator => report(page).getByRole('textbox', { name: `Text of ${title}` });
const sound = (page: Page): Locator => report(page).getByRole('group', { name: 'Audio of the dictation' });
const control = (page: Page, name: RegExp): Locator => sound(page).getByRole('button', { name });
const isPlaying = (page: Page): Promise<void> => control(page, /^Pause/).waitFor();
const isStill = (page: Page): Promise<void> => control(page, /^Listen/).waitFor();
const note = (page: Page, text: string): Promise<void> => sound(page).getByRole('status').getByText(text).waitFor();

/** Where words stand on the screen, in the text of a section, or of the transcript (''). */
const placeOf = (page: Page, section: string, words: string): Promise<{ x: number; y: number }> =>
  page.evaluate(
    ([key, wanted]) => {
      const text = document.querySelector(`[data-said-in="${key}"]`)!;
      const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.nodeValue!.indexOf(wanted);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + wanted.length);
        range.startContainer.parentElement!.scrollIntoView({ block: 'center' });
        const { x, y, width, height } = range.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
      }
      throw new Error(`no ${wanted} in ${key}`);
    },
    [section, words] as const,
  );

async function press(page: Page, section: string, words: string, modifier?: 'Alt' | 'Control'): Promise<void> {
  const { x, y } = await placeOf(page, section, words);
  if (modifier) await page.keyboard.down(modifier);
  await page.mouse.click(x, y);
  if (modifier) await page.keyboard.up(modifier);
}

/** From now on the page notes what is marked while it is said. */
const watchMarks = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const look = (): void => {
      const text = [...(CSS.highlights.get('said-now') ?? [])].map(String).join('|');
      if (text !== seen.at(-1)) seen.push(text);
      requestAnimationFrame(look);
    };
    look();
  });
const seenMarks = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(window, 'seen') as string[]);

/** The first two words of a section, of which there is sound. */
const someWords = async (page: Page, title: string): Promise<[string, string]> => {
  const words = (await field(page, title).inputValue()).match(/\p{L}{4,}/gu)!;
  return [words[0]!, words.at(-1)!];
};

test('a word plays from where it was said, and each word is marked as it is heard', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  // The simulation says a word each 0.4 s, and begins the findings after 8 s; a busy page draws some of those that follow.
  await makeReport(page, 10);
  await note(page, 'Alt + click a word to hear it.');
  const height = await report(page)
    .locator('.document-page')
    .evaluate((element) => element.scrollHeight);
  const [first, last] = await someWords(page, 'Findings');
  const text = await field(page, 'Findings').inputValue();
  await watchMarks(page);
  await sound(page).getByLabel('Speed').selectOption('0.75');
  await press(page, 'findings', first, 'Alt');
  await isPlaying(page);
  await isStill(page);
  // The mark goes with the next frame.
  await expect.poll(async () => (await seenMarks(page)).at(-1)).toBe('');
  const seen = await seenMarks(page);
  // In the report, and in the transcript, in whose order they come. A busy page may miss one.
  const marks = seen.filter((text) => text !== '').map((text) => text.split('|'));
  expect(marks.some(([marked]) => text.includes(marked!))).toBe(true);
  const said = (await report(page).locator('[data-said-in=""]').textContent())!.match(/[^\s.,:;?!]+/g)!;
  const places: number[] = [];
  for (const mark of marks) places.push(said.indexOf(mark.at(-1)!, (places.at(-1) ?? -1) + 1));
  expect(places.length).toBeGreaterThan(1);
  expect(places).not.toContain(-1);
  expect(seen.at(-1)).toBe('');
  expect(
    await report(page)
      .locator('.document-page')
      .evaluate((element) => element.scrollHeight),
  ).toBe(height);

  // A plain click is for typing, and what somebody typed has no sound.
  await press(page, 'findings', last);
  await isStill(page);
  await field(page, 'Findings').press('End');
  await field(page, 'Findings').pressSequentially(' Stable');
  // As soon as the page knows where the new word comes from.
  await expect
    .poll(async () => (await field(page, 'Findings').press('Alt+Enter'), sound(page).getByRole('status').innerText()))
    .toBe('Not dictated: it was typed afterwards.');
  await isStill(page);
  expect(await field(page, 'Findings').inputValue()).toMatch(/Stable$/);

  await press(page, 'findings', first);
  await page.keyboard.press('Alt+Enter');
  await isPlaying(page);
  await page.keyboard.press('Alt+Enter');
  await isStill(page);
});

test('signed, and in the transcript, a click plays; a recording ends it, and keeps it from beginning', async () => {
  const page = await openReport(browser(), (await startApp()).url);
  const [first] = await someWords(page, 'Findings');
  await signReport(page);
  await note(page, 'Click a word to hear it.');
  await press(page, 'findings', first);
  await isPlaying(page);
  await isStill(page);
  await report(page).getByText('What was dictated').click();
  await press(page, '', first);
  await isPlaying(page);
  await control(page, /^Pause/).click();

  await openExam(page, 1);
  await speak(page, 1);
  await page.goBack();
  await report(page)
    .getByText(/^Signed, version/)
    .waitFor();
  await control(page, /^Listen/).click();
  await note(page, 'Pause the recording first. Then you can listen.');
  await page.goForward();
  await pause(page);
});
