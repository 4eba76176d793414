/** Faults of the server reach the app: an answer is lost, a token expires, the service is busy; what was written is sent once. */
import { expect, test } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { openReport, report, signReport, startApp, useBrowser } from '../support/app.ts';

const browser = useBrowser();
const { update } = contract.records.endpoints;

test('edits under a lost answer, an expired token and a busy service are there once', async () => {
  const { url, faults } = await startApp();
  const page = await openReport(browser(), url);
  const change = { method: update.method, path: update.path } as const;
  faults.add({ name: 'lost', ...change, nth: 1, cut: 'after' });
  faults.add({ name: 'expired', ...change, nth: 2, token: 'expired' });
  faults.add({ name: 'busy', ...change, nth: 3, status: 503 });
  const findings = report(page).getByRole('textbox', { name: 'Text of Findings' });
  await findings.fill('Written while answers are lost.');
  // Whatever else the app asks with the expired token is struck, and is no change.
  const struckChanges = (): string[] =>
    faults
      .log()
      .filter(({ method, path }) => method === update.method && path === update.path)
      .map(({ fault }) => fault);
  await expect.poll(struckChanges, { timeout: 20_000 }).toEqual(['lost', 'expired', 'busy']);
  await signReport(page);
  await page.getByRole('button', { name: 'Versions' }).click();
  const versions = page.getByRole('dialog', { name: 'Versions' }).getByRole('listitem');
  await versions.first().waitFor();
  // Generated, and edited and signed, in one change or in two.
  expect([2, 3]).toContain(await versions.count());
  await page.keyboard.press('Escape');
  await expect.poll(() => report(page).getByText('Written while answers are lost.').count()).toBe(1);
});
