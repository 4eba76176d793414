/** A report where nobody turns speech into text, and one that is signed: nothing is invented, and nothing covers it. */
import { expect, test } from 'vitest';
import {
  addPerson,
  anna,
  ask,
  findings,
  importSamples,
  openAs,
  openExam,
  openItem,
  openSamples,
  pause,
  recorder,
  report,
  rows,
  signReport,
  speak,
  startApp,
  timer,
  useBrowser,
  writeReport,
} from '../support/app.ts';

const browser = useBrowser();
const clear = 'Findings: lungs are clear. Impression: normal examination.';

test('a missing recogniser is announced before the dictation; the audio is kept, and the report is written', async () => {
  const app = await startApp();
  await addPerson(app, anna);
  const page = await openAs(browser(), app.url, anna);
  await importSamples(page);
  await openExam(page);
  await page.getByText('No speech recognition').waitFor();
  expect(await timer(page).innerText()).toBe('0:00');
  await speak(page, 1);
  await pause(page);
  // The key by which the report is made where somebody hears.
  await page.keyboard.press('Control+Enter');
  await page.getByText('Your dictation is saved').waitFor();
  expect(await ask(page, 'dictation.list', {})).toMatchObject({ output: { items: [{ state: 'paused' }] } });

  const text = findings(page);
  await text.pressSequentially('Findings: lu');
  await report(page).getByText('Saved automatically').waitFor();
  await page.route(/typed\.keep$/, (route) => route.abort());
  await text.pressSequentially('n');
  await report(page).getByText('Saved in this browser').waitFor();
  await page.unroute(/typed\.keep$/);
  await text.pressSequentially('gs');
  await report(page).getByText('Saved automatically').waitFor();
  await page.reload();
  await expect.poll(() => text.inputValue()).toBe('Findings: lungs');
  await rows(page).first().getByText('yours').waitFor();
  await text.fill('Lungs are clear.');
  await report(page)
    .getByRole('button', { name: /Generate report/ })
    .click();
  await report(page).getByText('Draft, version 1').waitFor();
  await expect.poll(() => text.inputValue()).toBe('Lungs are clear.');
  // There is nothing more to write than what stands there.
  await page.getByText('No speech recognition').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Write the report' }).count()).toBe(0);
  await signReport(page);
});

test('no key, tab or call covers a signed report: the addendum stays the only way', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  await writeReport(page, clear);
  // Another tab saw the exam before it was signed, and has begun to dictate for it.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await recorder(other).waitFor();
  await speak(other, 1);
  await pause(other);
  await signReport(page);

  const item = openItem(page);
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
  const [kept] = output!.items;
  expect(kept?.seconds).toBeGreaterThanOrEqual(1);
  expect(await ask(page, 'dictation.send', { id: kept?.id ?? '', language: 'en-US', template_id: null })).toMatchObject(
    refused,
  );
  expect(await ask(page, 'record.for_item', { id: item })).toMatchObject({ output: { items: [{ status: 'final' }] } });

  await page.getByRole('button', { name: 'Add addendum' }).first().click();
  const addendum = report(page);
  await addendum.getByLabel('Text of the addendum').fill('Compared with last year.');
  await addendum.getByRole('button', { name: 'Add addendum' }).click();
  await report(page).getByRole('heading', { name: 'Addendum', exact: true }).waitFor();
  expect(await ask(page, 'worklist.list', { ids: [item] })).toMatchObject({
    output: { items: [{ status: 'completed' }] },
  });
});
