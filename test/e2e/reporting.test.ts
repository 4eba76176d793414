/** A report where nobody turns speech into text, and one that is signed: nothing is invented, and nothing covers it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { web } from '../../desktop/bridge.ts';
import type { CallInput, CallName } from '../../desktop/bridge.ts';
import {
  addPerson,
  anna,
  enterTestMode,
  importSamples,
  logIn,
  openExam,
  openPage,
  pause,
  recorder,
  report,
  rows,
  speak,
  startApp,
  timer,
  useBrowser,
  writeReport,
} from '../support/app.ts';

const browser = useBrowser();
const clear = 'Findings: lungs are clear. Impression: normal examination.';

/** What the page's own script could ask for; gives the output or the error. */
const ask = <N extends CallName>(page: Page, name: N, input: CallInput<N>) =>
  page.evaluate(
    async ([address, header, body]) => {
      const headers = { 'content-type': 'application/json', [header]: '1' };
      const answer = await fetch(address, { method: 'POST', headers, body });
      return (await answer.json()) as Record<string, unknown>;
    },
    [`${web.calls}${name}`, web.ownHeader, JSON.stringify(input)] as const,
  );

async function sign(page: Page): Promise<void> {
  await report(page).getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).click();
  await report(page)
    .getByText(/^Signed/)
    .waitFor();
}

test('where nobody hears it is said before anybody speaks; what is spoken is kept, and the report is written', async () => {
  const app = await startApp();
  await addPerson(app, anna);
  const page = await openPage(browser(), app.url);
  await logIn(page, anna);
  await importSamples(page);
  await openExam(page);
  await page.getByText('Speech is not turned into text here').waitFor();
  expect(await timer(page).innerText()).toBe('0:00');
  await speak(page, 1);
  await pause(page);
  // The key by which the report is made where somebody hears.
  await page.keyboard.press('Control+Enter');
  await page.getByText('Your dictation is kept').waitFor();
  expect(await ask(page, 'dictation.list', {})).toMatchObject({ output: { items: [{ state: 'paused' }] } });

  const text = report(page).getByRole('textbox', { name: 'Text of the report' });
  await text.pressSequentially('Findings: lungs');
  await report(page).getByText('Kept as you write').waitFor();
  await page.reload();
  await expect.poll(() => text.inputValue()).toBe('Findings: lungs');
  await rows(page).first().getByText('yours').waitFor();
  await text.fill(clear);
  await report(page)
    .getByRole('button', { name: /Make the report/ })
    .click();
  await report(page).getByText('Draft, version 1').waitFor();
  await expect
    .poll(() => report(page).getByRole('textbox', { name: 'Text of Impression' }).inputValue())
    .toBe('Normal examination.');
  await sign(page);
});

test('no key, tab or call covers a signed report: the addendum stays the only way', async () => {
  const app = await startApp();
  const page = await openPage(browser(), app.url);
  await enterTestMode(page);
  await importSamples(page);
  await openExam(page);
  // Another tab saw the exam before it was signed, and has begun to dictate for it.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await recorder(other).waitFor();
  await speak(other, 1);
  await pause(other);
  await writeReport(page, clear);
  await sign(page);

  const [, item = ''] = /exam\/([\w-]+)/.exec(page.url()) ?? [];
  for (const tab of [page, other]) {
    await tab.getByText('The report of this exam is signed').first().waitFor();
    await tab.bringToFront();
    await tab.locator('body').click({ position: { x: 2, y: 400 } });
    for (const key of ['Space', 'Control+Enter', 'Control+z', 'r', 'Enter']) await tab.keyboard.press(key);
    expect(await recorder(tab).getByRole('heading', { name: 'Recording' }).count()).toBe(0);
  }
  const beginning = { item_id: item, sample_rate: 16_000, language: 'en-US', template_id: null } as const;
  const refused = { error: { code: 'INVALID_TRANSITION', details: { reason: 'reported' } } };
  expect(await ask(page, 'dictation.start', beginning)).toMatchObject(refused);
  const { output } = await ask(page, 'dictation.list', {});
  const [kept] = (output as { items: { id: string; seconds: number }[] }).items;
  expect(kept?.seconds).toBeGreaterThanOrEqual(1);
  expect(await ask(page, 'dictation.send', { id: kept?.id ?? '', language: 'en-US', template_id: null })).toMatchObject(
    refused,
  );
  expect(await ask(page, 'record.for_item', { id: item })).toMatchObject({ output: { items: [{ status: 'final' }] } });

  await page.getByRole('button', { name: 'Add an addendum' }).first().click();
  const addendum = page.getByRole('dialog', { name: 'Add an addendum' });
  await addendum.getByLabel('What to add').fill('Compared with last year.');
  await addendum.getByRole('button', { name: 'Add an addendum' }).click();
  await report(page).getByRole('heading', { name: 'Addendum', exact: true }).waitFor();
  expect(await ask(page, 'worklist.list', { ids: [item] })).toMatchObject({
    output: { items: [{ status: 'completed' }] },
  });
});
