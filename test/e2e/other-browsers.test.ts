/** Days in Firefox and in WebKitGTK, the engine of Safari: recording, writing and signing, over a crash and at each width. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openingSamples, startApp } from '../support/app.ts';
import { playRestOfDay, playShortDay } from '../support/browser-day.ts';
import { untilSeen } from '../support/driven-browser.ts';
import { explored } from '../support/explored.ts';
import { startFirefox, startSoundOutput } from '../support/firefox.ts';
import { hasFirefox, hasWebKit } from '../support/other-browsers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { startScreen, startWebKit } from '../support/webkit.ts';

describe.skipIf(!hasFirefox())('in Firefox', () => {
  test(explored.isOn ? 'a long day' : 'a short day', async () => {
    const app = await startApp();
    const [sound, profile] = [await startSoundOutput(), join(await temporaryDirectory(), 'profile')];
    const browser = await playShortDay(() => startFirefox(sound, profile), app);
    if (explored.isOn) await playRestOfDay(browser, app);
  });

  // Its waits take as long as the whole day.
  const withoutOutput = async (): Promise<void> => {
    const { url } = await startApp();
    const browser = await startFirefox(undefined, join(await temporaryDirectory(), 'profile'));
    await browser.open(url, await openingSamples(url));
    await untilSeen(browser, '.rows', /./);
    await browser.evaluate(`(() => {
      window.said = new Set();
      const note = () => said.add(document.title + ' ' + document.querySelector('.recorder h2')?.textContent);
      new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
    })()`);
    await browser.click('.row');
    await untilSeen(browser, '.recorder', /Ready/);
    await browser.press(' ');
    await untilSeen(browser, '.recorder', /The browser passes on no audio/);
    const said = await browser.evaluate<string>(`[...said].join(' | ')`);
    expect(said).toMatch(/One moment/);
    expect(said).not.toMatch(/Recording/);
    await untilSeen(browser, '.recorder', /0:00/);
  };
  if (explored.isOn) test('without a sound output says so, and never that it records', withoutOutput);
});

// The gate has no time for it.
if (explored.isOn)
  describe.skipIf(!hasWebKit())('in WebKit', () => {
    test('a long day', async () => {
      const app = await startApp();
      const display = await startScreen();
      const browser = await playShortDay(() => startWebKit(display), app);
      await playRestOfDay(browser, app);
    });
  });
