/** The app as a physician has it: a real server with the built page on `/`, and a real browser with a microphone that speaks. */
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';
import { web } from '../../desktop/bridge/carriers.ts';
import { bytesPerSample } from '../../desktop/bridge/sound.ts';
import type { Bridge, BridgeError } from '../../desktop/bridge/bridge.ts';
import type { CallInput, CallName, CallOutput } from '../../desktop/bridge/calls.ts';
import { builtPage, mountWeb } from '../../desktop/web/index.ts';
import { builtInTestClient, createServer } from '../../server/index.ts';
import type { Mount, Server, ServerOptions } from '../../server/index.ts';
import { createClient } from '../../src/client/client.ts';
import type { Client } from '../../src/client/client.ts';
import { defaultSpace } from '../../src/contract/admin.ts';
import type { User } from '../../src/contract/admin.ts';
import type { Language } from '../../src/contract/shared.ts';
import { wavHeadBytes } from '../../src/domain/dictation/wav.ts';
import { cheapSecrets } from './cheap-secrets.ts';
import { machine, networkTo, outsider, setupCode } from './app-host.ts';
import type { Network } from './app-host.ts';
import { connectToChromium, startChromium } from './chromium.ts';
import { logInAt } from './person-token.ts';
import { hearMore, quickEar } from './quick-ear.ts';
import { sample } from './samples.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { webBrowser } from './web-browser.ts';
import type { WebBrowser } from './web-browser.ts';

/** The browser of all test files (shared-browser.ts), whose microphone plays the sample dictation again and again. */
export const useBrowser = (): (() => Browser) => provideBrowser(() => connectToChromium(inject('browser')));

/**
 * A browser that the tests of a file have for themselves: to trace it, to kill it, or for another `microphone`, the path of
 * the WAV file that it plays.
 */
export const useOwnBrowser = (microphone = sample('dictation.wav')): (() => Browser) =>
  provideBrowser(() => startChromium({ microphone }));

function provideBrowser(start: () => Promise<Browser>): () => Browser {
  let browser: Browser;
  beforeAll(async () => void (browser = await start()));
  afterAll(() => browser.close());
  return () => browser;
}

export interface RunningApp {
  readonly url: string;
  /** Between the app and the service; the page still reaches the app when it is cut. */
  readonly network: Network;
  /** What goes wrong on purpose. */
  readonly faults: Server['faults'];
  /** For the operator's calls. */
  readonly operator: Client;
  /** To the service, also while the app's network is cut. */
  readonly service: Server['transport'];
}

/** A server in memory that listens, with the app on `/`. The app reaches no service elsewhere. */
export async function startApp({
  fillsTestList = false,
  ...chosen
}: Pick<
  ServerOptions,
  'publicUrl' | 'recogniser' | 'writer' | 'viewers' | 'testReal' | 'letterheads' | 'dataDir' | 'models'
> & {
  /** Whether an empty list of test data fills itself. */
  readonly fillsTestList?: boolean;
} = {}): Promise<RunningApp> {
  const directory = await temporaryDirectory();
  const cord = Promise.withResolvers<Network>();
  const mount: Mount = async (host) => {
    const network = networkTo(host);
    cord.resolve(network);
    const options = {
      ...machine(),
      directory,
      page: builtPage,
      testClient: builtInTestClient,
      setupCode,
      fillsTestList,
    };
    return mountWeb(options)({ ...host, transport: network.transport });
  };
  const server = await createServer({
    version: '0.0.0-test',
    store: { use: 'memory' },
    rateLimit: 0,
    port: 0,
    secretCosts: cheapSecrets,
    lexicon: false,
    mount,
    ...chosen,
  });
  onTestFinished(() => server.close());
  const { clock, random, uuid } = machine();
  const operator = createClient({
    transport: server.transport,
    server: 'http://localhost',
    adminToken: async () => server.adminToken,
    clock,
    random,
    uuid,
  });
  return { url: server.url, faults: server.faults, network: await cord.promise, operator, service: server.transport };
}

/** A page of a browser of its own, as another person or another computer would have it. Fails the test on any error of the page. */
export async function openPage(browser: Browser, url: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await newPage(browser, options);
  await page.goto(url);
  return page;
}

/** The same, which has gone nowhere yet. */
async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  await context.addInitScript(quickEar);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error.stack)));
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) errors.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(errors).toEqual([]);
  });
  return page;
}

/** Logs in with test data. */
export async function enterTestMode(page: Page): Promise<void> {
  await page.getByRole('button', { name: /test data/ }).click();
  await page.getByRole('heading', { name: 'Exams', exact: true }).waitFor();
}

export interface Person {
  readonly username: string;
  readonly display_name: string;
  readonly password: string;
}

export const anna: Person = { username: 'anna', display_name: 'Dr. Anna Lima', password: 'right-here-1' };
export const bruno: Person = { username: 'bruno', display_name: 'Dr. Bruno Reis', password: 'right-here-2' };

export const addPerson = (
  { operator }: RunningApp,
  person: Person & Partial<Pick<User, 'role' | 'licence'>>,
): Promise<unknown> => operator.users.create({ body: { ...person, space: defaultSpace } });

/** From the first page through the server's login page, back to the list. */
export async function logIn(page: Page, { username, password }: Person): Promise<void> {
  await page.getByRole('button', { name: /On this computer/ }).click();
  await fillLogin(page, { username, password });
  await page.getByRole('heading', { name: 'Exams', exact: true }).waitFor();
}

/** The server's own page: who it is. */
export async function fillLogin(
  page: Page,
  { username, password }: Pick<Person, 'username' | 'password'>,
): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** What a RIS exported: exams of test patients. */
export const worklistFile = (): Promise<string> => readFile(sample('worklist.json'), 'utf8');

/** Drops a file on the page, as it comes from a folder. */
export async function drop(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(bytes)], fileName));
      return transfer;
    },
    [name, [...Buffer.from(content)]] as const,
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer });
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

/** Fills the empty list with the sample exams. */
export async function importSamples(page: Page): Promise<void> {
  await sendSamples(await appOf(page));
  await rows(page).first().waitFor();
}

/** Fills it as a person does, with a file that is dropped on the page. */
export async function dropSamples(page: Page): Promise<void> {
  await drop(page, 'worklist.json', await worklistFile());
  const dialog = page.getByRole('dialog', { name: 'Worklist file imported' });
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  // Until it is gone the keyboard is the dialog's.
  await dialog.waitFor({ state: 'hidden' });
  await rows(page).first().waitFor();
}

/** How somebody comes to the list, by calls. How one comes there by the page itself is what first-run.test.ts is about. */
interface Arrival {
  readonly browser: Browser;
  readonly url: string;
  readonly options?: BrowserContextOptions | undefined;
  readonly logIn: (visitor: WebBrowser) => Promise<unknown>;
  /** What is there before the page is. */
  readonly prepare?: (app: Bridge) => Promise<unknown>;
}

async function arrive({ browser, url, options, logIn: enter, prepare }: Arrival): Promise<Page> {
  const page = await newPage(browser, options);
  const visitor = webBrowser(url);
  await enter(visitor);
  await settleIn(visitor.bridge, options);
  await prepare?.(visitor.bridge);
  const cookies = Array.from(visitor.cookies, ([name, value]) => ({ name, value, url, httpOnly: true }));
  await page.context().addCookies(cookies);
  await page.goto(url);
  await page.getByRole('heading', { name: 'Exams', exact: true }).waitFor();
  return page;
}

const tryWithTestData = ({ bridge }: WebBrowser): Promise<unknown> => bridge.call('session.start', { place: 'test' });

/** The first page of a new person tells the app the language: some time after it is there, over what a test sets meanwhile. */
async function settleIn(app: Bridge, { locale = 'en-US' }: BrowserContextOptions = {}): Promise<void> {
  const settings = await app.call('settings.get', {});
  if (settings.locale !== null) return;
  const language = locale as Language;
  await app.call('settings.set', { ...settings, locale: language, document_language: language });
}

const sendSamples = async (app: Bridge): Promise<unknown> =>
  app.call('worklist.import', {}, Uint8Array.from(await readFile(sample('worklist.json'))).buffer);

/** A page in test mode, with whatever exams there are. */
export const openInTestMode = (browser: Browser, url: string, options?: BrowserContextOptions): Promise<Page> =>
  arrive({ browser, url, options, logIn: tryWithTestData });

/** A page in test mode with the sample exams. */
export async function openSamples(browser: Browser, url: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await arrive({ browser, url, options, logIn: tryWithTestData, prepare: sendSamples });
  await rows(page).first().waitFor();
  return page;
}

/** The cookies with which any browser comes to the list of sample exams in test mode. */
export async function openingSamples(url: string): Promise<{ readonly name: string; readonly value: string }[]> {
  const visitor = webBrowser(url);
  await tryWithTestData(visitor);
  await settleIn(visitor.bridge);
  await sendSamples(visitor.bridge);
  return Array.from(visitor.cookies, ([name, value]) => ({ name, value }));
}

/** A page of somebody who has logged in, with the list. */
export const openAs = (
  browser: Browser,
  url: string,
  person: Pick<Person, 'username' | 'password'>,
  options?: BrowserContextOptions,
): Promise<Page> =>
  arrive({
    browser,
    url,
    options,
    logIn: async (visitor) => {
      const { go_to } = await visitor.bridge.call('session.start', { place: 'this-computer' });
      await logInAt(visitor, go_to!, person);
    },
  });

/** The app of this page, asked from outside of it. */
async function appOf(page: Page): Promise<Bridge> {
  const visitor = webBrowser(new URL(page.url()).origin);
  for (const { name, value } of await page.context().cookies(page.url())) visitor.cookies.set(name, value);
  return visitor.bridge;
}

/** A page in test mode with the first sample exam and its report, which was dictated. */
export async function openReport(browser: Browser, url: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await openSamples(browser, url, options);
  await openExam(page);
  await makeReport(page);
  return page;
}

/** Dictates the open exam for so many seconds as the page does, but as fast as the app takes it. */
async function dictate(page: Page, seconds = 1): Promise<void> {
  const app = await appOf(page);
  const format = { language: 'en-US', template_id: null } as const;
  const { id } = await app.call('dictation.start', { item_id: openItem(page), sample_rate: sampleRate, ...format });
  await app.call('dictation.take', { id, take: 'test', mode: 'append', at: null });
  const sound = Uint8Array.from(await readFile(sample('dictation.wav'))).subarray(wavHeadBytes);
  const blockBytes = (sampleRate / 10) * bytesPerSample;
  for (let from = 0; from < seconds * sampleRate * bytesPerSample; from += blockBytes) {
    const block = sound.slice(from, from + blockBytes).buffer;
    await app.call('dictation.block', { id, take: 'test', from: from / bytesPerSample }, block);
  }
  await app.call('dictation.pause', { id });
  await app.call('dictation.send', { id, ...format });
}

/** Of the sample dictation. */
const sampleRate = 16_000;

/** Asks the app as the page's own script could. */
export const ask = <N extends CallName>(
  page: Page,
  name: N,
  input: CallInput<N>,
): Promise<{ output?: CallOutput<N>; error?: BridgeError }> =>
  page.evaluate(
    async ([address, header, body]) => {
      const headers = { 'content-type': 'application/json', [header]: '1' };
      const answer = await fetch(address, { method: 'POST', headers, body });
      return (await answer.json()) as { output?: CallOutput<N> };
    },
    [`${web.calls}${name}`, web.ownHeader, JSON.stringify(input)] as const,
  );

/** Id of the open exam, from the page's address. */
export const openItem = (page: Page): string => /exam\/([\w-]+)/.exec(page.url())?.[1] ?? '';

export const rows = (page: Page): Locator => page.getByRole('listbox', { name: 'Exams' }).getByRole('option');
export const recorder = (page: Page): Locator => page.getByRole('region', { name: 'Dictation' });
export const report = (page: Page): Locator => page.getByRole('article', { name: 'Report' });
export const timer = (page: Page): Locator => recorder(page).getByRole('timer');

/**
 * Listens for `text` in a place from now on. What it gives waits until the text has stood there, even if only for a
 * moment, which may begin and end between two looks of `waitFor`.
 */
export async function listenFor(place: Locator, text: string): Promise<() => Promise<void>> {
  const heard = await place.evaluateHandle((node, text) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (node.textContent.includes(text)) resolve();
    };
    new MutationObserver(look).observe(node, { childList: true, characterData: true, subtree: true });
    look();
    return { promise };
  }, text);
  return () => heard.evaluate(({ promise }) => promise);
}

/** Opens the exam at this place of the list, from 0. */
export async function openExam(page: Page, at = 0): Promise<void> {
  await rows(page).nth(at).click();
  await recorder(page).waitFor();
}

/** Seconds that the recorder shows: `0:07`, `1:02:03`. */
export async function shownSeconds(page: Page): Promise<number> {
  return countSeconds(await timer(page).innerText());
}

const countSeconds = (shown: string): number =>
  shown
    .split(':')
    .map(Number)
    .reduce((sum, part) => sum * 60 + part, 0);

/** Speaks for so many seconds of recorded sound, as fast as the page listens. */
export async function speak(page: Page, seconds: number): Promise<void> {
  const before = await record(page);
  await hearMore(page, seconds);
  await expect.poll(() => shownSeconds(page)).toBeGreaterThanOrEqual(before + seconds);
}

/** The same, as long as it takes: where time is what is tested. */
export async function speakInRealTime(page: Page, seconds: number): Promise<void> {
  const before = await record(page);
  await expect.poll(() => shownSeconds(page)).toBeGreaterThanOrEqual(before + seconds);
}

/** Presses the button, and gives the seconds that were shown before. */
async function record(page: Page): Promise<number> {
  const button = recorder(page).getByRole('button', { name: /^(Record|Continue recording)$/ });
  await button.waitFor();
  // Next to a report, which may just be coming, it is small and shows no time.
  const [shown] = await timer(page).filter({ visible: true }).allInnerTexts();
  await button.click();
  await recorder(page).getByRole('heading', { name: 'Recording' }).waitFor();
  return shown === undefined ? 0 : countSeconds(shown);
}

export async function pause(page: Page): Promise<void> {
  await recorder(page).getByRole('button', { name: 'Pause', exact: true }).click();
  await recorder(page).getByRole('heading', { name: 'Paused' }).waitFor();
}

/** Dictates the open exam for so many seconds, and waits for its report. */
export async function makeReport(page: Page, seconds?: number): Promise<void> {
  await dictate(page, seconds);
  await report(page).getByText('Draft, version 1').waitFor();
}

/** The findings of a report that is there, or that somebody begins. */
export const findings = (page: Page): Locator => report(page).getByRole('textbox', { name: 'Text of Findings' });

/** Writes the report of the open exam, `Findings: … Impression: …` into its sections, and has it made of that. */
export async function writeReport(page: Page, text: string): Promise<void> {
  for (const [, title, words] of text.matchAll(/(\w+): (.*?)(?= \w+: |$)/gs))
    await report(page)
      .getByRole('textbox', { name: `Text of ${title}` })
      .fill(words!);
  await report(page)
    .getByRole('button', { name: /Generate report/ })
    .click();
  await report(page).getByText('Draft, version 1').waitFor();
}

/** Has the report of the open exam made of what somebody dictated, in test mode. */
export async function dictateReport(page: Page, { network }: RunningApp, text: string): Promise<void> {
  const client = await outsider(network);
  const body = { text: `Test Patient. ${text}`, language: 'en-US', worklist_item_id: openItem(page) } as const;
  await client.records.generate({ body });
  await report(page).getByText('Draft, version 1').waitFor();
}

/** Has what is signed here be final after so many seconds; 0: at once. */
export async function graceOf(page: Page, grace_seconds: number): Promise<void> {
  const { output } = await ask(page, 'settings.get', {});
  await ask(page, 'settings.set', { ...output!, grace_seconds });
}

/** Signs the open report, for good. */
export async function signReport(page: Page): Promise<void> {
  await graceOf(page, 0);
  await report(page).getByRole('button', { name: 'Sign', exact: true }).click();
  await answerSign(page, report(page).getByText(/^Signed, version/));
}

/** Signs over the warning where one is open, until `signed` is there; where nothing is open, nobody is asked. */
export async function answerSign(page: Page, signed: Locator): Promise<void> {
  const over = page.getByRole('dialog').getByRole('button', { name: /^(Sign|Co-sign)/ });
  await over.or(signed).first().waitFor();
  if (await over.isVisible()) await over.click();
  await signed.waitFor();
}
