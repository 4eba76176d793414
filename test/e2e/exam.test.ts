/** The exam and its recorder: one next step at a time, controls that stand still, a microphone that is seen to be live. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  enterTestMode,
  importSamples,
  openExam,
  openPage,
  openSamples,
  pause,
  recorder,
  report,
  speak,
  startApp,
  useBrowser,
} from '../support/app.ts';

const browser = useBrowser();
const sizes = { large: [1440, 900], narrow: [390, 844], 'small at 200 %': [512, 350] } as const;

/** The filled buttons that can be seen. */
const filled = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.button-primary, .record-button-next, .record-button-live')]
      .filter((button) => button.checkVisibility())
      .map((button) => button.getAttribute('aria-label') ?? button.querySelector('.button-text')?.textContent ?? ''),
  );

/** Where everything stands that can be pressed in the exam's pane. */
const places = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.pane-exam :is(button, select, input)')]
      .filter((control) => control.checkVisibility())
      .map((control) => {
        const { x, y, width, height } = control.getBoundingClientRect();
        return [control.ariaLabel ?? control.textContent, x, y, width, height];
      }),
  );
const isWholeInSight = (element: Element): boolean => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
};

/** Stands in for the device: silence, until `window.voice(true)` lets a tone come and go as a voice does. */
const turnedDown = `
  navigator.mediaDevices.getUserMedia = async () => {
    const context = new AudioContext();
    const tone = new OscillatorNode(context), to = context.createMediaStreamDestination();
    const syllables = new OscillatorNode(context, { frequency: 3 }), depth = new GainNode(context, { gain: 0 });
    const level = new GainNode(context, { gain: 0 });
    syllables.connect(depth).connect(level.gain);
    tone.connect(level).connect(to); tone.start(); syllables.start();
    window.voice = (isOn) => (depth.gain.value = isOn ? 0.4 : 0);
    return to.stream;
  };`;

test('one step is the next one, in every state; a report that is in sight is not offered to be read', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  await expect.poll(() => filled(page)).toEqual(['Record']);
  await speak(page, 1);
  await expect.poll(() => filled(page)).toEqual(['Pause']);
  await pause(page);
  await expect.poll(() => filled(page)).toEqual(['Generate report']);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => filled(page)).toEqual(['Restore']);
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('button', { name: /Generate report/ }).click();
  await report(page).getByRole('textbox', { name: 'Text of Findings' }).waitFor();
  await recorder(page).getByRole('heading', { name: 'Report ready' }).waitFor();
  await expect.poll(() => filled(page)).toEqual(['Sign']);
  // The report has gone behind a tab.
  await page.setViewportSize({ width: 1024, height: 700 });
  await expect.poll(() => filled(page)).toEqual(['Read the report']);
});

test('the facts of an exam are shown in columns, and the rest is folded', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  const shown = page.locator('.exam-head > .exam-facts > div');
  const edges = await shown.evaluateAll((facts) => [
    ...new Set(facts.map((fact) => fact.getBoundingClientRect().left)),
  ]);
  expect(edges).toHaveLength(3);
  const count = await shown.count();
  expect(count).toBeGreaterThanOrEqual(4);
  expect(count).toBeLessThanOrEqual(6);
  const room = page.locator('.exam-more dt', { hasText: 'Room' });
  expect(await room.isVisible()).toBe(false);
  await page.getByText('More facts').click();
  await room.waitFor();
});

test('an alarm moves nothing that can be pressed, and the bar and the tab say at every size that the microphone is live', async () => {
  const page = await openPage(browser(), 'about:blank', { permissions: ['microphone'] });
  await page.addInitScript(turnedDown);
  await page.goto((await startApp()).url);
  await enterTestMode(page);
  await importSamples(page);
  await openExam(page);
  await recorder(page).getByRole('button', { name: 'Record' }).click();
  const alarm = recorder(page).getByRole('alert').filter({ hasText: 'picks up no sound' });
  // The recorder has asked for the microphone.
  await page.waitForFunction(() => 'voice' in globalThis);
  const voice = (isOn: boolean): Promise<void> =>
    page.evaluate((on) => (globalThis as unknown as { voice(on: boolean): void }).voice(on), isOn);
  const sign = page.getByRole('banner').getByRole('button', { name: /Go there$/ });
  for (const [name, [width, height]] of Object.entries(sizes)) {
    await page.setViewportSize({ width, height });
    await voice(true);
    await recorder(page).getByRole('heading', { name: 'Recording' }).waitFor();
    await alarm.waitFor({ state: 'detached' });
    await expect.poll(() => sign.innerText()).toBe('Recording');
    await expect.poll(() => page.title()).toBe('● Recording · Laudio');
    const calm = await places(page);
    await voice(false);
    await alarm.waitFor();
    await expect.poll(() => sign.innerText()).toBe('Check the microphone');
    expect(await places(page), name).toEqual(calm);
    expect(await sign.evaluate(isWholeInSight), name).toBe(true);
  }
  await expect.poll(() => page.locator('link[rel=icon]').getAttribute('href')).toMatch(/mark-recording/);
  await voice(true);
  await pause(page);
  await sign.waitFor({ state: 'detached' });
  await expect.poll(() => page.title()).toBe('Laudio');
  await expect.poll(() => page.locator('link[rel=icon]').getAttribute('href')).not.toMatch(/recording/);
});
