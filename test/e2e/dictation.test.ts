/** Dictating from a microphone that really speaks: what is recorded, changed, taken back, and what an end in the middle costs. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ask,
  openExam,
  openSamples,
  pause,
  recorder,
  report,
  shownSeconds,
  speak,
  speakInRealTime,
  startApp,
  useBrowser,
} from '../support/app.ts';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { exploringTest } from '../support/exploring-test.ts';

const browser = useBrowser();
let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
afterAll(() => cli.close());

const button = (page: Page, name: string) => recorder(page).getByRole('button', { name, exact: true });
const face = (page: Page) => recorder(page).getByRole('heading', { level: 2 });
/** The wave as it is drawn. */
const wave = (page: Page) =>
  recorder(page)
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());

async function openRecorder(url: string): Promise<Page> {
  const page = await openSamples(browser(), url);
  await openExam(page);
  return page;
}

test('time and wave move while it records; paused, all of it is kept; made into a report by one press', async () => {
  const page = await openRecorder((await startApp()).url);
  const still = await wave(page);
  await speakInRealTime(page, 1);
  await expect.poll(() => face(page).innerText()).toBe('Recording');
  await recorder(page)
    .getByText(/^Saved on this computer \d+(\.\d)? s ago/)
    .waitFor();
  const moving = await wave(page);
  expect(moving).not.toBe(still);
  await expect.poll(() => wave(page)).not.toBe(moving);
  await pause(page);
  await recorder(page).getByText('All saved on this computer').waitFor();
  // The exam is its dictator's from the first word on.
  await page.getByRole('button', { name: /^Mine\s*1/ }).waitFor();

  await page.getByRole('button', { name: /Generate report/ }).click();
  await report(page).getByText('Draft, version 1').waitFor();
  await expect.poll(() => report(page).getByRole('textbox', { name: 'Text of Findings' }).inputValue()).not.toBe('');
  await expect.poll(() => face(page).innerText()).toBe('Report ready');
});

test('overwrite replaces audio, insert extends it, undo removes the last phrase and redo restores it, discard can be undone', async () => {
  const page = await openRecorder((await startApp()).url);
  await speak(page, 3);
  await pause(page);
  const whole = await shownSeconds(page);

  await button(page, 'Back 3 s').click();
  await recorder(page).getByText('Overwrite', { exact: true }).click();
  await button(page, 'Continue recording').click();
  await recorder(page).getByRole('heading', { name: 'Recording' }).waitFor();
  await recorder(page)
    .getByText(/^Saved on this computer \d/)
    .waitFor();
  await pause(page);
  await expect.poll(() => shownSeconds(page)).toBeLessThanOrEqual(whole + 1);

  await page.keyboard.press('Home');
  await recorder(page).getByText('Insert', { exact: true }).click();
  await speak(page, 2);
  await pause(page);
  const longer = await shownSeconds(page);
  expect(longer).toBeGreaterThanOrEqual(whole + 2);
  const sound = async (): Promise<number> => (await ask(page, 'dictation.list', {})).output?.items[0]?.seconds ?? 0;
  const all = await sound();
  await button(page, 'Undo the last phrase').click();
  await recorder(page)
    .getByText(/ s undone\./)
    .waitFor();
  const shorter = await sound();
  expect(shorter).toBeLessThan(all);
  await page.reload();
  await recorder(page)
    .getByText(/ s undone\./)
    .waitFor();
  await page.keyboard.press('Control+y');
  await expect.poll(sound).toBe(all);
  await page.keyboard.press('Control+z');
  await expect.poll(sound).toBe(shorter);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(sound).toBe(all);

  await page.getByRole('button', { name: 'Discard' }).click();
  await recorder(page).getByRole('button', { name: 'Restore' }).click();
  await recorder(page).getByRole('heading', { name: 'Paused' }).waitFor();
  await expect.poll(() => shownSeconds(page)).toBeGreaterThanOrEqual(whole - 1);
});

test('after a reload with an exam open, the next report is in the language of the settings, or in the one chosen for it', async () => {
  const page = await openRecorder((await startApp()).url);
  const language = page.getByLabel('Language', { exact: true });
  await page.getByRole('button', { name: /Account and settings/ }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('navigation').getByText('Reports', { exact: true }).click();
  await settings.getByLabel('Language of the reports').selectOption('pt-BR');
  await page.keyboard.press('Escape');
  await settings.waitFor({ state: 'hidden' });
  expect(await language.inputValue()).toBe('pt-BR');
  await page.reload();
  await recorder(page).waitFor();
  expect(await language.inputValue()).toBe('pt-BR');

  await speak(page, 1);
  await pause(page);
  const kept = page.waitForResponse(/dictation\.choose/);
  await language.selectOption('es-ES');
  await kept;
  await page.reload();
  await recorder(page).waitFor();
  await expect.poll(() => language.inputValue()).toBe('es-ES');
  await page.getByRole('button', { name: /Generate report/ }).click();
  await report(page).getByRole('heading', { name: 'Hallazgos' }).waitFor();
});

test('by keyboard alone: record, pause, back, make the report, read it', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await recorder(page).waitFor();
  await page.keyboard.press('Space');
  await expect.poll(() => shownSeconds(page)).toBeGreaterThanOrEqual(1);
  await page.keyboard.press('Space');
  await recorder(page).getByRole('heading', { name: 'Paused' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await report(page).getByText('Draft, version 1').waitFor();
  await page.keyboard.press('Control+Shift+Enter');
  await report(page)
    .getByText(/^Signed by /)
    .waitFor();
});

// In the gate: measures.test.ts kills the page and the app at once, again and again.
exploringTest(
  'the page is killed in the middle of a word: the dictation is offered again, but for the last moment',
  async () => {
    const app = await startApp();
    const page = await openRecorder(app.url);
    await speak(page, 2);
    const spoken = await shownSeconds(page);
    const next = await page.context().newPage();
    const crashed = page.waitForEvent('crash');
    page.goto('chrome://crash').catch(() => undefined);
    await crashed;

    await next.goto(app.url);
    await next.getByText('1 dictation was interrupted and is saved').waitFor();
    await next.getByRole('button', { name: 'Open', exact: true }).first().click();
    await recorder(next).getByRole('heading', { name: 'Recovered' }).waitFor();
    await expect.poll(() => shownSeconds(next)).toBeGreaterThanOrEqual(spoken - 1);
    await next.getByRole('button', { name: /Generate report/ }).click();
    await report(next).waitFor();
  },
);

// In the gate: outage.test.ts has a longer absence, and crash/dictation.test.ts the kill.
exploringTest(
  'the service is killed in the middle of a word: the page keeps the rest, and the restarted service has it all',
  async () => {
    const data = join(cli.directory, 'killed');
    const first = await cli.serve('--data-dir', data);
    const page = await openRecorder(first.ready.url);
    await speak(page, 1);
    await first.server.end('SIGKILL');
    await recorder(page).getByRole('alert').filter({ hasText: 'Your audio is not saved yet' }).waitFor();
    const spoken = await shownSeconds(page);

    await cli.serve('--data-dir', data, '--port', new URL(first.ready.url).port);
    await recorder(page).getByRole('alert').waitFor({ state: 'hidden' });
    await pause(page);
    await expect.poll(() => shownSeconds(page)).toBeGreaterThanOrEqual(spoken);
    await page.reload();
    await recorder(page).waitFor();
    await expect.poll(() => shownSeconds(page)).toBeGreaterThanOrEqual(spoken);
    await page.getByRole('button', { name: /Generate report/ }).click();
    await report(page).getByText('Draft, version 1').waitFor();
  },
);

test('a second window of the same person shows that the first one records, and may take over', async () => {
  const page = await openRecorder((await startApp()).url);
  await speak(page, 2);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await recorder(other).getByText('Another window records this dictation now.').waitFor();
  expect(await recorder(other).getByText('only in this browser').count()).toBe(0);
  await recorder(other)
    .getByRole('button', { name: /^(Record|Continue recording)$/ })
    .click();
  await other.getByText('This dictation is being recorded in another window.').waitFor();
  await expect.poll(() => face(page).innerText()).toBe('Recording');

  await other.getByRole('button', { name: 'Record here' }).click();
  await expect.poll(() => face(other).innerText()).toBe('Recording');
  await page.getByText('Recording goes on in another window.').waitFor();
  await recorder(page).getByText('Another window records this dictation now.').waitFor();
  await expect.poll(() => face(page).innerText()).not.toBe('Recording');
  const before = await shownSeconds(other);
  await expect.poll(() => shownSeconds(other)).toBeGreaterThanOrEqual(before + 2);
  // What the first window says of the other one goes with that.
  await other.close({ runBeforeUnload: false });
  await recorder(page).getByText('Another window records this dictation now.').waitFor({ state: 'detached' });
  await page.getByText('Recording goes on in another window.').waitFor({ state: 'detached' });
  expect(await shownSeconds(page)).toBeGreaterThanOrEqual(4);
});
