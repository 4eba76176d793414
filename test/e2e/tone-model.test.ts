/**
 * Words while somebody speaks, heard by a model on this computer and without any network: from the microphone, which plays
 * the tones that the model hears, to the report.
 */
import { expect, test } from 'vitest';
import {
  addPerson,
  anna,
  ask,
  importSamples,
  openAs,
  openExam,
  openItem,
  pause,
  report,
  speakInRealTime,
  startApp,
  useOwnBrowser,
} from '../support/app.ts';
import { toneMicrophone } from '../support/tone-microphone.ts';

const { models, microphone } = await toneMicrophone();
const browser = useOwnBrowser(microphone);
const words = 'coração pulmão fígado rim';

test('words appear where the report will be, provisional at first, and become the report: also if files are sent compressed', async () => {
  const app = await startApp({ recogniser: { use: 'local:tone-live', options: { models } } });
  await addPerson(app, anna);
  const page = await openAs(browser(), app.url, anna);
  await importSamples(page);
  const { output: settings } = await ask(page, 'settings.get', {});
  await ask(page, 'settings.set', { ...settings!, upload_format: 'opus' });
  await openExam(page);
  await speakInRealTime(page, 1);
  await report(page).locator('.live-partial').getByText('pulmão').waitFor();
  await report(page).locator('.live-text').getByText(words).waitFor();
  await pause(page);
  await expect.poll(() => report(page).locator('.live-partial').count()).toBe(0);
  const said = await report(page).locator('.live-text .live-words').allInnerTexts();
  expect(said.join(' ').toLowerCase()).toContain(words);
  await page.getByRole('button', { name: /Generate report/ }).click();
  await report(page).getByText('Draft, version 1').waitFor();
  const written = await report(page)
    .getByRole('textbox')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLTextAreaElement).value));
  for (const text of said) expect(written).toContain(text);
  // Nothing was sent again.
  expect(await ask(page, 'record.for_item', { id: openItem(page) })).toMatchObject({
    output: { items: [{ source: { kind: 'audio', content_type: 'audio/wav' } }] },
  });
});
