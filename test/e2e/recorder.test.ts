/** Dictating in a real browser, with a microphone that plays real speech, against the real app and server. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtPage } from '../../desktop/web/index.ts';
import { ask, openItem, shownSeconds, useOwnBrowser } from '../support/app.ts';
import { outsider, sendExam, startWebServer } from '../support/app-host.ts';
import type { WebServer } from '../support/app-host.ts';
import { startChromium } from '../support/chromium.ts';
import { longestTask } from '../support/main-thread.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { exploringTest } from '../support/exploring-test.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const browser = useOwnBrowser();

interface Visit {
  readonly page: Page;
  readonly errors: string[];
}

/** Somebody who tries Laudio with test patients and has opened an exam. */
async function openExam(options: { browser?: Browser; web?: WebServer; script?: string } = {}): Promise<Visit> {
  const server = options.web ?? (await startWebServer({ page: builtPage }));
  const context = await (options.browser ?? browser()).newContext({
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
  });
  context.setDefaultTimeout(60_000);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  if (options.script !== undefined) await page.addInitScript(options.script);
  await sendExam(await outsider(server.server), { exam_description: 'CT of the chest' });
  await page.goto(server.server.url);
  await page.getByRole('button', { name: /test/i }).click();
  await page.getByRole('option', { name: /CT of the chest/ }).click();
  await page.getByRole('heading', { name: 'CT of the chest' }).waitFor();
  return { page, errors };
}

const says = async (page: Page, words: string) => {
  await page.locator('.recorder-face h2', { hasText: words }).waitFor();
};
const seconds = async (page: Page, least: number) => {
  await page.waitForFunction((wanted) => {
    const [minutes = '0', rest = '0'] = (document.querySelector('.timer')?.textContent ?? '').split(':');
    return Number(minutes) * 60 + Number(rest) >= wanted;
  }, least);
};

async function expectAccessible(page: Page, within: string): Promise<void> {
  // The page's policy keeps scripts from elsewhere out; a test's own is run by the browser itself.
  await page.evaluate(axe);
  const found = await page.evaluate(async (selector) => {
    const { violations } = await (
      globalThis as unknown as {
        axe: { run(at: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      }
    ).axe.run(selector);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, within);
  expect(found).toEqual([]);
}

describe('a dictation', () => {
  // In the gate: dictation.test.ts overwrites and takes back, listening.test.ts listens, measures.test.ts measures.
  exploringTest('recorded, paused, played, overwritten, undone, sent, and made into a report', async () => {
    const { page, errors } = await openExam();
    await says(page, 'Ready');
    await page.keyboard.press('Space');
    await says(page, 'Recording');
    const longest = await longestTask(browser(), page, () => seconds(page, 5));
    await expect.poll(() => page.locator('.recorder-kept').textContent()).toMatch(/ \d(\.\d)? s ago/);
    await page.keyboard.press('Space');
    await says(page, 'Paused');
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThan(50);

    await page.keyboard.press('ArrowLeft');
    await page.getByText('Overwrite').click();
    await page.getByRole('button', { name: 'Continue recording' }).click();
    await says(page, 'Recording');
    await page.getByRole('button', { name: 'Pause' }).click();
    await says(page, 'Paused');
    await page.getByRole('button', { name: 'Undo the last phrase' }).click();
    await page.getByRole('button', { name: 'Listen' }).click();
    await says(page, 'Playing');
    await page.getByRole('button', { name: 'Stop listening' }).click();
    await says(page, 'Paused');
    // How long the take was that was cut is up to the machine.
    await page.getByText(/ s undone\./).waitFor();

    await page.locator('.recorder').click({ position: { x: 4, y: 4 } });
    await page.keyboard.press('Control+Enter');
    await says(page, 'Report ready');
    await page.getByRole('heading', { name: 'Report', exact: true }).waitFor();
    expect(errors).toEqual([]);
  });

  test('has its keys also after a click on the wave, a mode or a button; by keyboard these have their own', async () => {
    const { page } = await openExam();
    await page.keyboard.press('Space');
    await says(page, 'Recording');
    await seconds(page, 4);
    await page.keyboard.press('Space');
    await says(page, 'Paused');
    // A busy machine records more before it pauses.
    const recorded = await shownSeconds(page);
    const mode = page.getByRole('radio', { name: 'Overwrite' });
    await page.getByText('Overwrite').click();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.locator('.timer-place').textContent()).toMatch(new RegExp(`^0:0?${recorded - 3} of`));
    expect(await mode.isChecked()).toBe(true);
    for (const clicked of [page.getByRole('slider'), page.getByText('At the end'), page.getByText('Insert')]) {
      await clicked.click();
      await page.keyboard.press('Space');
      await says(page, 'Recording');
      await page.keyboard.press('Space');
      await says(page, 'Paused');
    }
    await page.getByRole('button', { name: 'Back 3 s' }).click();
    await page.keyboard.press('Space');
    await says(page, 'Recording');
    await page.keyboard.press('Space');
    await says(page, 'Paused');

    await page.getByRole('slider').focus();
    await page.keyboard.press('Tab');
    await page.getByRole('radio', { name: 'Insert' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => mode.isChecked()).toBe(true);
  });

  test('is sent as Opus where that was chosen, and no words appear while one speaks', async () => {
    const { page } = await openExam();
    const { output: settings } = await ask(page, 'settings.get', {});
    await ask(page, 'settings.set', { ...settings!, upload_format: 'opus', live_words: false });
    await page.reload();
    await says(page, 'Ready');
    await page.keyboard.press('Space');
    await seconds(page, 2);
    await page.keyboard.press('Control+Enter');
    await says(page, 'Report ready');
    expect(await ask(page, 'record.for_item', { id: openItem(page) })).toMatchObject({
      output: { items: [{ source: { kind: 'audio', content_type: 'audio/webm' } }] },
    });
  });

  test('is offered again after the browser and the server were gone, complete but for the last block', async () => {
    const directory = await temporaryDirectory();
    const dataDir = await temporaryDirectory();
    const first = await startWebServer({ page: builtPage, directory, dataDir });
    const { page } = await openExam({ web: first });
    const port = Number(new URL(first.server.url).port);
    const begun = performance.now();
    await page.keyboard.press('Space');
    await says(page, 'Recording');
    // On a busy machine the disk is behind what the page shows.
    await expect
      .poll(async () => (await ask(page, 'dictation.list', {})).output?.items[0]?.seconds)
      .toBeGreaterThanOrEqual(3);
    const context = page.context();
    await page.close({ runBeforeUnload: false });
    const spoken = (performance.now() - begun) / 1000;
    await first.close();
    const second = await startWebServer({ page: builtPage, directory, dataDir, port });
    const again = await context.newPage();
    await again.goto(second.server.url);
    await again.getByText('1 dictation was interrupted and is saved').waitFor();
    await again.getByRole('option', { name: /CT of the chest/ }).click();
    await says(again, 'Recovered');
    await seconds(again, 3);
    expect(await shownSeconds(again)).toBeLessThanOrEqual(spoken);
    await again.getByRole('button', { name: 'Discard' }).click();
    await says(again, 'Discarded');
    await again.getByRole('button', { name: 'Restore' }).click();
    await seconds(again, 3);
  });

  // In the gate: outage.test.ts.
  exploringTest('goes on in the page while the server is away, and is saved when it is back', async () => {
    const directory = await temporaryDirectory();
    const dataDir = await temporaryDirectory();
    const first = await startWebServer({ page: builtPage, directory, dataDir });
    const { page } = await openExam({ web: first });
    const port = Number(new URL(first.server.url).port);
    await page.keyboard.press('Space');
    await says(page, 'Recording');
    await seconds(page, 1);
    await first.close();
    await page.getByText('Your audio is not saved yet').waitFor();
    await startWebServer({ page: builtPage, directory, dataDir, port });
    await page.getByText('Your audio is not saved yet').waitFor({ state: 'detached' });
    await page.keyboard.press('Space');
    await says(page, 'Paused');
    // Sound of the time in between is there as well.
    await seconds(page, 4);
    await page.getByText('All saved on this computer').waitFor();
  });
});

/** Stands in for the device: `window.sound` is its track, and nothing is heard until `window.gain` is raised. */
const silentMicrophone = `
  navigator.mediaDevices.getUserMedia = async () => {
    const context = new AudioContext();
    const tone = new OscillatorNode(context), to = context.createMediaStreamDestination();
    window.gain = new GainNode(context, { gain: 0 });
    tone.connect(window.gain).connect(to); tone.start();
    window.sound = to.stream.getAudioTracks()[0];
    return to.stream;
  };`;

describe('microphone faults', () => {
  test('silence is reported within 2 s, a removed device at once, and nothing is lost', async () => {
    const { page } = await openExam({ script: silentMicrophone });
    // What the timer shows in the moment in which the page says it.
    const told = page.evaluate(
      () =>
        new Promise((resolve) => {
          new MutationObserver((_changes, observer) => {
            if (!document.body.textContent.includes('picks up no sound')) return;
            observer.disconnect();
            resolve(document.querySelector('[role=timer]')?.textContent);
          }).observe(document, { childList: true, subtree: true, characterData: true });
        }),
    );
    await page.keyboard.press('Space');
    await page.getByText('picks up no sound').waitFor();
    expect(['0:01', '0:02']).toContain(await told);
    await expectAccessible(page, '.exam');
    await page.evaluate(() => ((globalThis as unknown as { gain: GainNode }).gain.gain.value = 0.5));
    await page.getByText('picks up no sound').waitFor({ state: 'detached' });
    await page.evaluate(() =>
      (globalThis as unknown as { sound: MediaStreamTrack }).sound.dispatchEvent(new Event('ended')),
    );
    await page.getByText('The microphone was disconnected').waitFor();
    await says(page, 'Paused');
    await seconds(page, 2);
  });

  test('how to allow it, when it was denied', async () => {
    const refusing = await startChromium({ refuses: true });
    onTestFinished(() => refusing.close());
    const { page } = await openExam({ browser: refusing });
    await page.keyboard.press('Space');
    await page.getByText('No access to the microphone').waitFor();
    await says(page, 'No microphone');
    await expectAccessible(page, '.exam');
  });
});
