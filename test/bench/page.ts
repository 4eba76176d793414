/** What a long dictation costs the page that shows its words, in a real browser: while words come, and while they are played. */
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { web } from '../../desktop/bridge/carriers.ts';
import type { CallInput, CallName, CallOutput } from '../../desktop/bridge/calls.ts';
import { contract } from '../../src/contract/index.ts';
import { liveSampleRate } from '../../src/contract/transcription.ts';
import { startChromium } from '../support/chromium.ts';
import { longestTask } from '../support/main-thread.ts';
import { person, personToken } from '../support/person-token.ts';
import { organs, pcmOf, tones } from '../support/sound.ts';
import { installToneModel } from '../support/tone-model.ts';
import type { Bench, Row } from './bench.ts';
import { callerOf } from './caller.ts';
import { exam } from './ingest.ts';
import { longestSince } from './stalls.ts';

/** Words of a dictation of which nobody can say that it is short. */
const manyWords = 3000;
/** Four words, and as much silence as parts two sentences. */
const sentence = pcmOf(tones([...organs, null, null, null]));
const wordsOfSentence = 4;
/** Sentences that come at the end, as fast as they are spoken. */
const spokenSentences = 3;
const blockMs = 60;
/** Most ms of a task, so that nobody sees the page stutter. */
const unseen = 50;

export async function pageRows({ serveWatched, fresh }: Bench): Promise<Row[]> {
  const models = fresh();
  await installToneModel(models, { id: 'tone', live: true });
  const turns = fresh();
  await using serving = await serveWatched(turns, undefined, ['--recogniser', `local:tone models=${models}`]);
  const call = callerOf(serving.ready.url, await personToken(serving.ready));
  await call(contract.worklists.endpoints.ingest, { body: JSON.stringify(exam('SL-1')) });
  const browser = await startChromium();
  try {
    const page = await openExam(browser, serving.ready.url);
    const speak = await dictationOn(page);
    const text = page.locator('.live-text');
    const words = async (): Promise<number> => (await text.innerText()).split(/\s+/).length;
    for (let said = 0; said < manyWords; said += wordsOfSentence) await speak(sentence);
    const until = async (wanted: number): Promise<void> => {
      for (let ms = 0; (await words()) < wanted; ms += 100) {
        if (ms > 300_000) throw new Error(`Only ${await words()} of ${wanted} words came.`);
        await setTimeout(100);
      }
    };
    await text.waitFor();
    await until(manyWords);
    const since = Date.now();
    const streaming = await longestTask(browser, page, async () => {
      for (let each = 0; each < spokenSentences; each += 1) await inBlocks(sentence, speak);
      await until(manyWords + spokenSentences * wordsOfSentence);
    });
    const turn = await longestSince(turns, since);
    await ask(page, 'dictation.pause', { id: speak.id });
    await page.getByRole('button', { name: /Generate report/ }).click();
    const report = page.getByRole('article', { name: 'Report' });
    await report.getByText('Draft, version 1').waitFor({ timeout: 120_000 });
    const sound = report.getByRole('group', { name: 'Audio of the dictation' });
    const playing = await longestTask(browser, page, async () => {
      await sound.getByRole('button', { name: /^Listen/ }).click();
      await setTimeout(5000);
    });
    const marked = await page.evaluate(() => CSS.highlights.has('said-now'));
    if (!marked) throw new Error('No word was marked while the sound played.');
    const about = `${manyWords.toLocaleString('en')} words`;
    const against = `${unseen} ms, which nobody sees`;
    const common = { against, base: unseen, unit: 'ms', target: { atMost: 1 } } as const;
    return [
      { what: `longest task of the page, words coming after ${about}`, value: streaming, ...common },
      { what: `longest turn of the server, words coming after ${about}`, value: turn, ...common },
      { what: `longest task of the page, playing ${about}`, value: playing, ...common },
    ];
  } finally {
    await browser.close();
  }
}

/** Logs in, and opens the only exam. */
async function openExam(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  await page.getByRole('button', { name: /On this computer/ }).click();
  await page.getByLabel('Username').fill(person.username);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('listbox', { name: 'Exams' }).getByRole('option').first().click();
  await page.getByRole('region', { name: 'Dictation' }).waitFor();
  return page;
}

/** Asks the app as the page's own script would; `bytes`: in base64. */
const ask = <N extends CallName>(
  page: Page,
  name: N,
  input: CallInput<N>,
  bytes?: Uint8Array,
): Promise<CallOutput<N>> =>
  page.evaluate(
    async ([address, names, text, given]) => {
      const headers: Record<string, string> = { [names.ownHeader]: '1' };
      if (given === undefined) headers['content-type'] = 'application/json';
      else {
        headers['content-type'] = 'application/octet-stream';
        headers[names.inputHeader] = encodeURIComponent(text);
      }
      const body = given === undefined ? text : Uint8Array.from(atob(given), (letter) => letter.charCodeAt(0));
      const answer = (await (await fetch(address, { method: 'POST', headers, body })).json()) as {
        output?: CallOutput<N>;
        error?: unknown;
      };
      if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
      return answer.output!;
    },
    [
      `${web.calls}${name}`,
      { ownHeader: web.ownHeader, inputHeader: web.inputHeader },
      JSON.stringify(input),
      bytes && Buffer.from(bytes).toString('base64'),
    ] as const,
  );

/** Begins a dictation of the open exam; what it returns adds sound. */
async function dictationOn(page: Page) {
  const item_id = /exam\/([\w-]+)/.exec(page.url())![1]!;
  const { id } = await ask(page, 'dictation.start', {
    item_id,
    sample_rate: liveSampleRate,
    language: 'pt-BR',
    template_id: null,
  });
  await ask(page, 'dictation.take', { id, take: 'one', mode: 'append', at: null });
  let from = 0;
  const speak = async (sound: Uint8Array): Promise<void> => {
    await ask(page, 'dictation.block', { id, take: 'one', from }, sound);
    from += sound.length / 2;
  };
  return Object.assign(speak, { id });
}

/** As a microphone gives the sound: in blocks, and as fast as it is spoken. */
async function inBlocks(sound: Uint8Array, speak: (block: Uint8Array) => Promise<void>): Promise<void> {
  const bytes = (liveSampleRate * 2 * blockMs) / 1000;
  for (let at = 0; at < sound.length; at += bytes) {
    await Promise.all([speak(sound.subarray(at, at + bytes)), setTimeout(blockMs)]);
  }
}
