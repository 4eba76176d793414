/** A person's own statistics: nothing at first, then what was signed, by day, week and modality; and cleared. */
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { ask, openReport, signReport, startApp, useBrowser } from '../support/app.ts';

const browser = useBrowser();

test('one’s signed reports in figures and a table with its chart, until they are cleared', async () => {
  const page = await openReport(browser(), (await startApp()).url, { reducedMotion: 'reduce' });
  const open = async (): Promise<void> => {
    await page.getByRole('button', { name: /Account and settings/ }).click();
    await page.getByRole('menuitem', { name: 'Your statistics' }).click();
  };
  const sheet = page.getByRole('dialog', { name: 'Your statistics' });
  await open();
  await sheet.getByText('No signed report yet').waitFor();
  await page.keyboard.press('Escape');
  await signReport(page);
  await expect.poll(async () => (await ask(page, 'statistics.read', {})).output?.reports.length).toBe(1);

  await open();
  const table = sheet.getByRole('table');
  await table.waitFor();
  for (const by of ['By day', 'By week', 'By modality']) {
    await sheet.getByText(by, { exact: true }).click();
    await expect.poll(() => table.getByRole('row').count()).toBe(2);
  }
  expect(await table.getByRole('rowheader').innerText()).toMatch(/^[A-Z]{2}$/);
  expect(await table.getByRole('cell').first().innerText()).toBe('1');
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run('dialog[open]');
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
  expect(found).toEqual([]);
  for (const [width, height] of [
    [390, 844],
    [512, 350],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
  await sheet.getByRole('button', { name: 'Clear…' }).click();
  await sheet.getByRole('button', { name: 'Clear' }).click();
  await sheet.getByText('No signed report yet').waitFor();
});
