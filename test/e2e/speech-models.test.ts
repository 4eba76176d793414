/** Where nothing hears, the app offers a speech model: fetched when somebody asks, broken off and gone on with, and heard with at once. */
import { expect, onTestFinished, test } from 'vitest';
import { setupCode } from '../support/app-host.ts';
import {
  addPerson,
  anna,
  importSamples,
  openAs,
  openExam,
  pause,
  recorder,
  report,
  speakInRealTime,
  startApp,
  useOwnBrowser,
} from '../support/app.ts';
import { startArchiveServer, well } from '../support/archive-server.ts';
import { packToneModel } from '../support/model-archive.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { toneMicrophone } from '../support/tone-microphone.ts';

const { microphone } = await toneMicrophone();
const browser = useOwnBrowser(microphone);

test('a model is downloaded with progress, cancelled, resumed, and transcribes waiting and later dictations', async () => {
  const tone = await packToneModel({ id: 'tone-live', live: true });
  const mirror = await startArchiveServer(tone.bytes);
  onTestFinished(() => mirror.close());
  const kept: (string | undefined)[] = [];
  const app = await startApp({
    dataDir: await temporaryDirectory(),
    models: {
      offers: tone.offer(),
      from: mirror.url,
      keep: async (recogniser) => void kept.push(recogniser),
    },
  });
  await addPerson(app, anna);
  const page = await openAs(browser(), app.url, anna);
  await importSamples(page);
  await openExam(page);
  // What is dictated before anything hears waits at the service.
  await speakInRealTime(page, 3);
  await pause(page);
  await page.getByRole('button', { name: 'Send it, and wait' }).click();

  await page.getByText('No speech recognition').waitFor();
  expect(mirror.asked).toEqual([]);
  await page.getByRole('button', { name: /Speech models/ }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const model = settings.getByRole('listitem', { name: 'tone-live' });
  await model.getByText(/Português \(Brasil\), English, Español.*to download.*of memory.*license MIT/).waitFor();
  await model.getByRole('button', { name: 'Download and use' }).click();
  await settings.getByText('setup code shown in their terminal').first().waitFor();
  expect(mirror.asked).toEqual([]);
  await settings.getByLabel('Setup code').fill(setupCode);

  const half = Math.floor(tone.bytes.length / 2);
  mirror.next.push(well(mirror.etag, half));
  await model.getByRole('button', { name: 'Download and use' }).click();
  await model.getByRole('progressbar', { name: 'Downloading' }).waitFor();
  await model.getByText(/Downloading: \d+ kB of \d+ kB/).waitFor();
  await model.getByRole('button', { name: 'Cancel' }).click();
  await model.getByRole('button', { name: /Continue download/ }).click();
  await model.getByText('In use').waitFor();
  expect(mirror.asked.at(-1)?.headers.range).toBe(`bytes=${half}-`);
  // The usual recogniser needs no setting.
  expect(kept).toEqual([undefined]);
  await settings.getByText('transcribed by tone-live').waitFor();
  await settings.getByRole('button', { name: 'Close' }).last().click();

  await report(page).getByText('Draft, version 1').waitFor();
  expect(await page.getByText('No speech recognition').count()).toBe(0);
  const written = await report(page)
    .getByRole('textbox')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLTextAreaElement).value).join(' '));
  expect(written.toLowerCase()).toContain('pulmão');

  await openExam(page, 1);
  await speakInRealTime(page, 1);
  await report(page)
    .locator('.live-text')
    .getByText(/pulmão/)
    .waitFor();
  await pause(page);
  await recorder(page).waitFor();
});
