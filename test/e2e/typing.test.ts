/** What is typed is never lost: not by a tab that is closed or dies, not during a conflict, not by a dialog or a lock. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { outsider } from '../support/app-host.ts';
import { openItem, openReport, report, signReport, startApp, useBrowser } from '../support/app.ts';
import { exploringTest } from '../support/exploring-test.ts';

const browser = useBrowser();

const findings = (page: Page) => report(page).getByRole('textbox', { name: 'Text of Findings' });
/** What was typed is saved. Slow keys make more versions than one, so no number of a version says that. */
const saved = (page: Page) => report(page).getByText('Saved', { exact: true }).waitFor();

/** Another tab with the same exam. */
async function openAgain(page: Page): Promise<Page> {
  const next = await page.context().newPage();
  next.setDefaultTimeout(30_000);
  await next.goto(page.url());
  await report(next).waitFor();
  return next;
}

async function typeAtEnd(page: Page, text: string): Promise<void> {
  await findings(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

test('a tab that is closed at once, and one that dies: the words are in the report', async () => {
  const page = await openReport(browser(), (await startApp()).url);
  await typeAtEnd(page, ' Typed and closed.');
  const url = page.url();
  const context = page.context();
  await page.close();
  const second = await context.newPage();
  await second.goto(url);
  await expect.poll(() => findings(second).inputValue()).toMatch(/Typed and closed\.$/);
  await saved(second);

  const kept = second.waitForResponse((answer) => answer.request().postData()?.includes('killed.') === true);
  await typeAtEnd(second, ' Typed and killed.');
  await kept;
  const crashed = second.waitForEvent('crash');
  second.goto('chrome://crash').catch(() => undefined);
  await crashed;
  const third = await context.newPage();
  await third.goto(url);
  await expect.poll(() => findings(third).inputValue()).toMatch(/Typed and closed\. Typed and killed\.$/);
  await saved(third);
});

// In the gate: conflicts.test.ts, and sessions/page.test.ts, whose days close tabs at any moment.
exploringTest(
  'a tab that is closed during a conflict: the next one shows both versions, and mine can stay',
  async () => {
    const page = await openReport(browser(), (await startApp()).url);
    const other = await openAgain(page);
    const late = Promise.withResolvers<void>();
    await page.route(/record\.save/, async (route) => {
      await late.promise;
      await route.continue();
    });
    await typeAtEnd(page, ' Mine.');
    await report(page).getByText('Saving', { exact: true }).waitFor();
    await typeAtEnd(other, ' Theirs.');
    await saved(other);
    late.resolve();
    await report(page).getByRole('heading', { name: 'You (in another window) changed this report' }).waitFor();
    await typeAtEnd(page, ' And more.');
    await page.close();

    const next = await openAgain(other);
    await report(next).getByRole('heading', { name: 'You (in another window) changed this report' }).waitFor();
    await expect.poll(() => findings(next).inputValue()).toMatch(/Mine\. And more\.$/);
    await report(next).getByRole('button', { name: 'Keep mine' }).click();
    await saved(next);
    await expect.poll(() => findings(other).inputValue()).toMatch(/Mine\. And more\.$/);
  },
);

test('an instruction that cannot be carried out now, and an addendum that is being written, are there after F5', async () => {
  const { url, network } = await startApp();
  const page = await openReport(browser(), url);
  network.isUp = false;
  await report(page).getByRole('button', { name: 'Correct by voice' }).click();
  const correction = page.getByRole('dialog', { name: 'What should be changed?' });
  await correction.getByLabel('Instruction').fill('delete the last sentence');
  await correction.getByRole('button', { name: 'Apply' }).click();
  await correction.getByRole('alert').waitFor();
  expect(await correction.getByLabel('Instruction').inputValue()).toBe('delete the last sentence');
  network.isUp = true;
  await page.reload();
  await report(page).getByRole('button', { name: 'Correct by voice' }).click();
  await expect.poll(() => correction.getByLabel('Instruction').inputValue()).toBe('delete the last sentence');
  await page.keyboard.press('Escape');
  await correction.waitFor({ state: 'hidden' });

  await signReport(page);
  await report(page).getByRole('button', { name: 'Add addendum' }).click();
  const addendum = report(page);
  await addendum.getByLabel('Text of the addendum').fill('Compared with the ex');
  await page.reload();
  await report(page).getByRole('button', { name: 'Continue the addendum' }).click();
  await addendum.getByLabel('Text of the addendum').fill('Compared with the examination of last year.');
  await addendum.getByRole('button', { name: 'Add addendum' }).click();
  await report(page).getByRole('paragraph').filter({ hasText: 'examination of last year' }).waitFor();
  await report(page).getByRole('button', { name: 'Add addendum' }).waitFor();
});

/** What has the keyboard. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.closest('[data-section]')?.tagName ?? null);

test('keys in a report: undo over a change of somebody else, the title, a dialog, and the focus after signing', async () => {
  const app = await startApp();
  const page = await openReport(browser(), app.url);
  await typeAtEnd(page, ' Mine.');
  const service = await outsider({ transport: app.service });
  const { data: listed } = await service.records.list({ query: { worklist_item_id: openItem(page) } });
  const { id } = listed.items[0]!;
  const stored = async () => (await service.records.get({ params: { id } })).data.sections;
  await expect.poll(async () => (await stored()).find(({ key }) => key === 'findings')?.text).toMatch(/ Mine\.$/);
  await saved(page);

  // What a program of the house puts there is nothing that this person takes back, and nothing is doubled.
  const sections = await stored();
  const theirs = sections.map((each) => (each.key === 'findings' ? { ...each, text: 'Theirs.' } : each));
  await service.records.update({ params: { id }, body: { sections: theirs } });
  await expect.poll(() => findings(page).inputValue()).toBe('Theirs.');
  for (const key of ['Control+z', 'Control+Shift+z', 'Control+z']) await page.keyboard.press(key);
  expect(await findings(page).inputValue()).toBe('Theirs.');
  await typeAtEnd(page, ' More.');
  const texts: string[] = [];
  for (const key of ['Control+z', 'Control+Shift+z']) {
    await page.keyboard.press(key);
    texts.push(await findings(page).inputValue());
  }
  expect(texts).toEqual(['Theirs.', 'Theirs. More.']);

  // A dialog gives the keyboard back, however it is closed.
  await page.keyboard.press('Escape');
  for (const close of ['Escape', 'Enter']) {
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.waitFor();
    if (close === 'Enter') await dialog.getByRole('button', { name: 'Close' }).first().focus();
    await page.keyboard.press(close);
    await expect.poll(() => focused(page)).toBe('SECTION');
  }

  const title = report(page).getByRole('textbox', { name: 'Title of the report' });
  await title.focus();
  await page.keyboard.press('Escape');
  expect(await title.evaluate((field) => field === document.activeElement)).toBe(false);
  await findings(page).focus();
  await page.keyboard.press('Control+Shift+Enter');
  await page.getByRole('dialog').or(report(page).getByText('Signed, can be undone')).first().waitFor();
  if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Enter');
  await report(page).getByText('Signed, can be undone').waitFor();
  await expect.poll(() => focused(page)).toBe('SECTION');
});
