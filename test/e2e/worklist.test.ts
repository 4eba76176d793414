/** The list of exams as physicians work with it: groups, tabs, search, filters, keys, files dropped on it. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  drop,
  dropSamples,
  importSamples,
  openInTestMode,
  report,
  rows,
  startApp,
  useBrowser,
  worklistFile,
} from '../support/app.ts';

const browser = useBrowser();

async function openList(): Promise<Page> {
  const page = await openInTestMode(browser(), (await startApp()).url);
  return page;
}

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search exams' });
const count = (page: Page, expected: number) =>
  expect.poll(async () => Number(await rows(page).first().getAttribute('aria-setsize'))).toBe(expected);

test('a dropped file fills it: urgent first, then by hospital, and a second drop changes nothing', async () => {
  const page = await openList();
  await dropSamples(page);
  await count(page, 23);
  await expect.poll(() => rows(page).first().innerText()).toMatch(/STAT[\s\S]*Emergency[\s\S]*CT/);
  await expect
    .poll(() => page.locator('.row-heading').allInnerTexts())
    .toEqual([expect.stringMatching(/^Urgent\s+9$/i), expect.stringMatching(/^Clínica Boa Vista\s+9$/i)]);

  await drop(page, 'again.json', await worklistFile());
  const dialog = page.getByRole('dialog', { name: 'Worklist file imported' });
  await dialog.waitFor();
  await expect.poll(() => dialog.getByRole('definition').allInnerTexts()).toEqual(['0', '0', '23', '0']);
});

test('a table in Latin-1 is read correctly, and an unusable row is reported with its line', async () => {
  const page = await openList();
  const table = await readFile(new URL('../../samples/worklists/agenda.csv', import.meta.url));
  await drop(page, 'agenda.csv', Buffer.concat([table, Buffer.from('AG-1;só isto\r\n', 'latin1')]));
  const dialog = page.getByRole('dialog', { name: 'Worklist file imported' });
  await dialog.getByText('Read as CSV, windows-1252').waitFor();
  expect(await dialog.getByRole('definition').allInnerTexts()).toEqual(['4', '0', '0', '1']);
  await dialog.getByText(/^Line 6\b/).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await count(page, 4);
  await page.getByText('Radiografia de tórax').first().waitFor();
});

test('a file that is none says what is wrong with it', async () => {
  const page = await openList();
  await drop(page, 'list.json', '{"items": [');
  await page.getByRole('dialog', { name: 'The file was not imported' }).getByRole('alert').waitFor();
});

test('search knows no accents, filters count themselves, tabs count what they hold', async () => {
  const page = await openList();
  await importSamples(page);
  await search(page).fill('cranio');
  await count(page, 2);
  await expect
    .poll(() => rows(page).allInnerTexts())
    .toEqual([expect.stringContaining('crânio'), expect.stringContaining('crânio')]);
  await search(page).fill('no such exam');
  await page.getByRole('heading', { name: 'No exams found' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await count(page, 23);

  await page.getByRole('button', { name: 'Filters and order' }).click();
  await page.getByRole('group', { name: 'Modality' }).getByRole('button', { name: 'US', exact: true }).click();
  await count(page, 5);
  await expect.poll(() => page.getByRole('button', { name: 'Filters and order, 1 set' }).isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await count(page, 23);

  await page.getByRole('button', { name: /^Mine/ }).click();
  await page.getByRole('heading', { name: 'No exams with you' }).waitFor();
  const tabs = page.getByRole('group', { name: 'Which exams' }).getByRole('button');
  expect((await tabs.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
    'To report 23',
    'Mine 0',
    'Reported 0',
    'All 23',
  ]);
});

test('by keyboard alone: down, up, open, search, another exam, the list of keys', async () => {
  const page = await openList();
  await importSamples(page);
  const chosen = () => page.getByRole('listbox').getByRole('option', { selected: true }).innerText();
  const exam = page.getByRole('region', { name: 'Exam', exact: true }).getByRole('heading', { level: 1 });
  for (const key of ['j', 'j', 'k']) await page.keyboard.press(key);
  await page.keyboard.press('Enter');
  const first = await exam.innerText();
  await expect.poll(() => chosen()).toContain(first);

  await page.keyboard.press('/');
  await page.keyboard.type('tireoide');
  await page.keyboard.press('Enter');
  await expect.poll(() => exam.innerText()).toBe('US de tireoide com Doppler');
  await page.goBack();
  await expect.poll(() => exam.innerText()).toBe(first);

  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: /Keyboard shortcuts/ });
  await keys.waitFor();
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'hidden' });
  // What was closed is not opened again by the way back.
  await page.goBack();
  await expect.poll(() => keys.isVisible()).toBe(false);
});

test('the keys answer from the moment in which the list is there', async () => {
  const page = await openList();
  await importSamples(page);
  await page.addInitScript(() => {
    const press = (key: string) =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    new MutationObserver((_changes, observer) => {
      if (document.querySelector('[role=option]') === null) return;
      observer.disconnect();
      for (const key of ['j', 'j', 'Enter']) press(key);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await expect.poll(() => rows(page).nth(1).getAttribute('aria-selected')).toBe('true');
  await page.getByRole('region', { name: 'Dictation' }).waitFor();
});

test('the keys answer from the moment in which a dialog is gone, and a field has them when it is there', async () => {
  const page = await openList();
  await drop(page, 'worklist.json', await worklistFile());
  const close = page
    .getByRole('dialog', { name: 'Worklist file imported' })
    .getByRole('button', { name: 'Close' })
    .last();
  await close.waitFor();
  // As fast as anybody could see it: before the browser paints.
  await page.evaluate(() => {
    const press = (key: string) =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    new MutationObserver((_changes, observer) => {
      if (document.querySelector('dialog h2') !== null) return;
      observer.disconnect();
      for (const key of ['j', 'j', 'Enter']) press(key);
    }).observe(document, { childList: true, subtree: true });
  });
  await close.click();
  await expect.poll(() => rows(page).nth(1).getAttribute('aria-selected')).toBe('true');

  const field = report(page).locator('textarea').first();
  await field.waitFor();
  await page.keyboard.press('F2');
  await expect.poll(() => report(page).evaluate((each) => each.contains(document.activeElement))).toBe(true);
});

test('the first click on a list that was scrolled opens the exam under the pointer', async () => {
  const page = await openList();
  await importSamples(page);
  const list = page.getByRole('listbox', { name: 'Exams' });
  await list.hover();
  await page.mouse.wheel(0, 5000);
  await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBeGreaterThan(100);
  const row = rows(page).last();
  const box = (await row.boundingBox())!;
  await page.mouse.move(box.x + 40, box.y + 20);
  await page.mouse.down();
  await page.mouse.up();
  await page.getByRole('heading', { name: await row.locator('.row-exam').innerText(), level: 1 }).waitFor();
  expect(await row.getAttribute('aria-selected')).toBe('true');
});
