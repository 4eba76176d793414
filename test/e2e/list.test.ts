/** The list in a day's work: the sample day, several values per filter, lists under a name, starred exams, exams handed over. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  addPerson,
  anna,
  ask,
  bruno,
  importSamples,
  openAs,
  openExam,
  openInTestMode,
  rows,
  startApp,
  useBrowser,
} from '../support/app.ts';
import { sampled } from '../support/explored.ts';

const browser = useBrowser();
const samples = 12;
const count = (page: Page, expected: number) =>
  expect.poll(async () => Number(await rows(page).first().getAttribute('aria-setsize'))).toBe(expected);
const choose = (page: Page, group: string, value: string) =>
  page.getByRole('group', { name: group }).getByRole('button', { name: value, exact: true }).click();
const fromMenu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'More about this exam' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

test('a new user finds a day of exams, urgent first, with their clocks', async () => {
  const { url } = await startApp({ fillsTestList: true });
  const page = await openInTestMode(browser(), url);
  await count(page, samples);
  await expect.poll(() => rows(page).first().innerText()).toMatch(/STAT \d+ min[\s\S]*Emergency, due in \d+ min/);
  await expect.poll(() => page.getByRole('heading', { name: 'No exams yet' }).count()).toBe(0);
});

test('an empty list brings the day when asked; a list is filtered by several values, kept, opened first; exams are starred', async () => {
  const { url } = await startApp();
  const page = await openInTestMode(browser(), url);
  await page.getByRole('heading', { name: 'No exams yet' }).waitFor();
  await expect.poll(() => page.getByText('Nothing left to report').count()).toBe(0);
  await page.getByRole('button', { name: 'Load sample exams' }).click();
  await count(page, samples);

  await page.getByRole('button', { name: 'Filters and order' }).click();
  await choose(page, 'Modality', 'CT');
  await count(page, 3);
  await choose(page, 'Modality', 'MR');
  await count(page, 6);
  await choose(page, 'Subspecialty', 'Neuro');
  await count(page, 3);
  await page.getByLabel('Name for this list').fill('Neuro CT and MR');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Open by default' }).click();
  const lists = page.getByRole('group', { name: 'Your lists' });
  await expect.poll(() => lists.getByRole('button').getAttribute('aria-pressed')).toBe('true');
  // The page shows a choice before it is kept.
  await expect.poll(async () => (await ask(page, 'settings.get', {})).output?.list.first ?? null).not.toBeNull();
  await page.reload();
  await count(page, 3);
  await lists.getByRole('button', { name: 'Neuro CT and MR' }).click();
  await count(page, samples);

  await openExam(page);
  await fromMenu(page, 'Star this exam');
  await page.getByRole('button', { name: 'Filters and order' }).click();
  await page.getByRole('button', { name: 'Starred only' }).click();
  await count(page, 1);
  await expect.poll(() => rows(page).first().innerText()).toContain('starred');
});

test('report deadlines are set by hospital: an invalid time is refused, the clocks follow at once', async () => {
  const { url } = await startApp({ fillsTestList: true });
  const page = await openInTestMode(browser(), url);
  await count(page, samples);
  const stat = rows(page).first();
  await expect.poll(() => stat.innerText()).toMatch(/due 60 min after the exam/);
  await page.getByRole('button', { name: /Account and settings/ }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const sheet = page.getByRole('dialog', { name: 'Settings' });
  await sheet.getByRole('button', { name: 'Report times' }).click();
  const field = sheet.getByLabel('Emergency (STAT)');
  await expect.poll(() => field.getAttribute('placeholder')).toBe('1 h');
  await field.fill('soon');
  await sheet.getByText('Type a time from 1 min to 60 d').waitFor();
  expect((await ask(page, 'settings.get', {})).output?.list.targets).toEqual([]);
  await field.fill('1h30');
  await expect.poll(() => sheet.getByText('Type a time').count()).toBe(0);
  await expect.poll(() => stat.innerText()).toMatch(/due 90 min after the exam/);
  // Another hospital has times of its own.
  const hospital = sheet.getByLabel('Hospital');
  const name = (await hospital.locator('option').allInnerTexts())[1]!;
  await hospital.selectOption({ label: name });
  await expect.poll(() => field.getAttribute('placeholder')).toBe('1 h 30 min');
  await field.fill('2 d');
  await expect
    .poll(async () => (await ask(page, 'settings.get', {})).output?.list.targets)
    .toEqual([
      { hospital: null, priority: 'STAT', minutes: 90 },
      { hospital: name, priority: 'STAT', minutes: 2880 },
    ]);
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run('dialog[open]');
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
  expect(found).toEqual([]);
  await sheet.getByRole('button', { name: 'Restore default times' }).click();
  expect(await field.inputValue()).toBe('');
  await expect
    .poll(async () => (await ask(page, 'settings.get', {})).output?.list.targets)
    .toEqual([{ hospital: null, priority: 'STAT', minutes: 90 }]);
});

test('an exam is assigned to a colleague, who is notified; and taken back', async () => {
  const app = await startApp();
  await Promise.all([addPerson(app, anna), addPerson(app, bruno)]);
  const [a, b] = await Promise.all([openAs(browser(), app.url, anna), openAs(browser(), app.url, bruno)]);
  await importSamples(a);
  await rows(b).first().waitFor();
  await openExam(a);
  await fromMenu(a, 'Hand over to a colleague…');
  const dialog = a.getByRole('dialog', { name: 'Hand this exam over to a colleague' });
  await dialog.getByLabel('Colleague').selectOption({ label: bruno.display_name });
  await dialog.getByRole('button', { name: 'Hand over', exact: true }).click();
  await rows(a).first().getByText(`with ${bruno.display_name}`).waitFor();
  await rows(b).first().getByText(`yours, from ${anna.display_name}`).waitFor();
  await fromMenu(a, 'Take over');
  await rows(b).first().getByText(`with ${anna.display_name}`).waitFor();
});

test.each(sampled(['pt-BR', 'es-ES'] as const, 1))(
  'in %s nothing of the bar above the list is clipped, at either size',
  async (locale) => {
    const { url } = await startApp({ fillsTestList: true });
    const page = await openInTestMode(browser(), url);
    await count(page, samples);
    const { output } = await ask(page, 'settings.get', {});
    await ask(page, 'settings.set', { ...output!, locale });
    await page.reload();
    const tabs = page.locator('.tabs');
    await tabs.getByText(/^Todos/).waitFor();
    await page.getByRole('button', { name: /^Filtr/ }).click();
    await page.locator('.filters').waitFor();
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      const cut = await page.locator('.list-head').evaluate((head) => {
        const { left, right } = head.getBoundingClientRect();
        const isCut = (each: Element): boolean => {
          const words = document.createRange();
          words.selectNodeContents(each);
          const [own, text] = [each.getBoundingClientRect(), words.getBoundingClientRect()];
          return text.left < left || text.right > right || text.right > own.right + 0.5;
        };
        return [...head.querySelectorAll('.tabs button, .filter-chip, legend, label, .filters .button')]
          .filter((each) => each.checkVisibility() && isCut(each))
          .map(({ textContent }) => textContent);
      });
      expect(cut).toEqual([]);
      // Nothing has to be scrolled sideways to be seen.
      expect(await tabs.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    }
  },
);
