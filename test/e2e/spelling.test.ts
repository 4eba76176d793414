/** Words that no dictionary knows: marked at their place, corrected by keys, learned; in a language without a dictionary none. */
import type { Page } from 'playwright-core';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { ask, openExam, openSamples, report, startApp, useBrowser, writeReport } from '../support/app.ts';

const browser = useBrowser();

const field = (page: Page) => report(page).getByRole('textbox', { name: 'Text of Findings' });
const marks = (page: Page) => report(page).locator('.mark-misspelt').allInnerTexts();
const card = (page: Page) => report(page).getByRole('group', { name: 'What to check here' });

test('a misspelt word gets its mark, is corrected by keys alone, and a name that somebody learns is right from then on', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  const dictionaries: string[] = [];
  page.on('request', (request) => request.url().includes('trie') && dictionaries.push(request.url()));
  await openExam(page);
  expect(dictionaries).toEqual([]);
  await writeReport(page, 'Findings: clear lungs. Impression: normal examination.');
  await field(page).fill('Small pleural efusion, seen by Klatzkin. No pneumothorax of [sidde: left|right].');
  await expect.poll(() => marks(page)).toEqual(['efusion', 'Klatzkin']);
  expect(await field(page).getAttribute('spellcheck')).toBe('false');

  await page.keyboard.press('F7');
  await card(page).getByText('“efusion” is not in the dictionary.').waitFor();
  await card(page).getByRole('button', { name: 'effusion', exact: true }).waitFor();
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () =>
    (await (globalThis as unknown as { axe: typeof axe }).axe.run(document)).violations.map(({ id }) => id),
  );
  expect(found).toEqual([]);
  await page.keyboard.press('ControlOrMeta+.');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  for (let n = 0; (await focused()) !== 'effusion' && n < 5; n++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect.poll(() => field(page).inputValue()).toContain('Small pleural effusion, seen');
  await page.keyboard.type('X');
  await expect.poll(() => field(page).inputValue()).toContain('effusionX, seen');
  await page.keyboard.press('Backspace');
  await expect.poll(() => marks(page)).toEqual(['Klatzkin']);

  await page.keyboard.press('F7');
  await card(page).getByRole('button', { name: 'Add to my words' }).click();
  await expect.poll(() => marks(page)).toEqual([]);
  const words = async () => ((await ask(page, 'vocabulary.list', {})).output?.items ?? []).map(({ write }) => write);
  await expect.poll(words).toEqual(['Klatzkin']);
  await page.reload();
  await field(page).waitFor();
  await field(page).press('Control+End');
  await page.keyboard.type(' A nodul.');
  await expect.poll(() => marks(page)).toEqual(['nodul']);
  expect(new Set(dictionaries).size).toBe(1);

  const { output } = await ask(page, 'settings.get', {});
  await ask(page, 'settings.set', { ...output!, spell_check: false });
  await page.reload();
  await field(page).waitFor();
  await expect.poll(() => field(page).getAttribute('spellcheck')).toBe('true');
  expect(await marks(page)).toEqual([]);
});

test('in Portuguese, without a dictionary, no word is called wrong: the browser looks at the spelling', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  const { output } = await ask(page, 'settings.get', {});
  await ask(page, 'settings.set', { ...output!, document_language: 'pt-BR' });
  await page.reload();
  await openExam(page);
  const text = report(page).getByRole('textbox', { name: 'Text of Achados' });
  await text.fill('Pulmões sem alterações.');
  await report(page)
    .getByRole('button', { name: /Generate report/ })
    .click();
  await report(page).getByText('Draft, version 1').waitFor();
  await text.fill('Derame pleural pequno.');
  await report(page).getByText('Draft, version 2').waitFor();
  expect(await text.getAttribute('spellcheck')).toBe('true');
  expect(await text.evaluate((element) => element.closest('[lang]')?.getAttribute('lang'))).toBe('pt-BR');
  expect(await marks(page)).toEqual([]);
});
