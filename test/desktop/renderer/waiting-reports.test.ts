/** A report that is asked for while the app is away: done when it is back, once, by one page, and over nothing newer. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Bridge, BridgeError } from '../../../desktop/bridge/bridge.ts';
import type { CallInput } from '../../../desktop/bridge/calls.ts';
import type { Dictation } from '../../../desktop/bridge/dictation.ts';
import {
  askedFor,
  findDictation,
  dictations,
  putDictation,
  removeDictation,
} from '../../../desktop/renderer/state/recorder/dictations.ts';
import { createWaitingReports } from '../../../desktop/renderer/state/recorder/waiting-reports.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { memoryBrowser } from '../../support/memory-backlog.ts';
import { dictation as anyDictation } from './stories/scripted-bridge.ts';

const away: BridgeError = { code: 'NETWORK', message: 'away' };

let revision = 0;

/** The app behind all pages: seals a dictation once, and refuses another length as the real one does. */
function fakeApp() {
  const app = {
    isAway: false,
    losesAnswers: false,
    loggedIn: 'ana',
    dictation: anyDictation({ state: 'paused', seconds: 3, revision: ++revision }),
    sealed: [] as CallInput<'dictation.send'>[],
  };
  const send = (input: CallInput<'dictation.send'>, desk: string | undefined): Dictation => {
    if (app.isAway) throw away;
    const no = (details: NonNullable<BridgeError['details']>): BridgeError => ({
      code: 'INVALID_TRANSITION',
      message: 'no',
      details,
    });
    if (desk !== app.loggedIn) throw { ...no({ reason: 'other_person' }), code: 'FORBIDDEN' };
    if (app.dictation.state !== 'paused') throw no({ state: app.dictation.state });
    if (input.of !== undefined && input.of !== app.dictation.seconds) throw no({ reason: 'changed_elsewhere' });
    app.sealed.push(input);
    app.dictation = { ...app.dictation, state: 'queued', revision: ++revision };
    if (app.losesAnswers) throw away;
    return app.dictation;
  };
  const bridge: Bridge = {
    call: async (_name, input, _bytes, _signal, desk) => send(input as never, desk) as never,
    on: () => () => undefined,
    onGap: () => () => undefined,
    address: (file) => file,
  };
  return { app, bridge };
}

let clock: ReturnType<typeof manualClock>;
let browser: ReturnType<typeof memoryBrowser>;
let service: ReturnType<typeof fakeApp>;
beforeEach(() => {
  clock = manualClock(1_000_000);
  browser = memoryBrowser();
  service = fakeApp();
  putDictation(service.app.dictation);
});
afterEach(() => {
  askedFor.value = new Set();
  for (const { id, revision } of dictations.value) removeDictation(id, revision);
});

const settle = () => new Promise((resolve) => void setImmediate(resolve));
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed <= ms; passed += 500) {
    await settle();
    clock.advance(500);
    await settle();
  }
}

function openPage(desk: string | null = 'ana') {
  const backlog = browser.backlog();
  const refused: BridgeError[] = [];
  const reports = createWaitingReports({
    bridge: {
      ...service.bridge,
      call: (name, input) => service.bridge.call(name, input, undefined, undefined, desk ?? undefined),
    },
    clock,
    backlog,
    refused: (error) => void refused.push(error),
  });
  reports.follow(desk);
  const close = () => {
    reports.follow(null);
    backlog.close();
  };
  return { reports, refused, close, kept: () => backlog.reports() };
}

const report = { id: 'dct_1', language: 'en-US', template_id: null, desk: 'ana', of: 3 } as const;
const ask = ({ reports }: ReturnType<typeof openPage>, change = {}) => {
  const asked = reports.ask({ ...report, id: service.app.dictation.id, ...change });
  return {
    over: asked.then(
      () => 'done',
      (error: BridgeError) => error.details?.['reason'] ?? error.code,
    ),
  };
};
const shown = () => findDictation(service.app.dictation.item_id)?.state;

test('it waits, is shown as waiting, and is done by the page once the app is back', async () => {
  const page = openPage();
  service.app.isAway = true;
  const { over } = ask(page);
  await pass(5000);
  expect([service.app.sealed.length, shown()]).toEqual([0, 'queued']);
  service.app.isAway = false;
  await pass(2000);
  expect([await over, service.app.sealed.length, shown(), await page.kept()]).toEqual(['done', 1, 'queued', []]);
  page.close();
});

test.each([1, 3])('the page is closed meanwhile: of %i that come after it one does it, once', async (count) => {
  const first = openPage();
  service.app.isAway = true;
  void ask(first);
  await pass(1000);
  first.close();
  const pages = Array.from({ length: count }, () => openPage());
  await pass(3000);
  expect(service.app.sealed).toEqual([]);
  service.app.isAway = false;
  await pass(5000);
  expect(service.app.sealed).toMatchObject([{ of: 3 }]);
  expect(pages.flatMap(({ refused }) => refused)).toEqual([]);
  for (const page of pages) page.close();
});

test('an answer that is lost makes no second report, and no complaint', async () => {
  const page = openPage();
  service.app.losesAnswers = true;
  const { over } = ask(page);
  await pass(3000);
  expect([await over, service.app.sealed.length, await page.kept()]).toEqual(['done', 1, []]);
  page.close();
});

test('audio recorded elsewhere after the request is not sealed unasked: the person is notified', async () => {
  const first = openPage();
  service.app.isAway = true;
  void ask(first);
  await pass(1000);
  first.close();
  const next = openPage();
  service.app.dictation = { ...service.app.dictation, seconds: 8 };
  service.app.isAway = false;
  await pass(2000);
  expect(service.app.sealed).toEqual([]);
  expect(next.refused).toMatchObject([{ details: { reason: 'changed_elsewhere' } }]);
  expect([await next.kept(), shown()]).toEqual([[], 'paused']);
  next.close();
});

test('undone in time it never happens, in any page', async () => {
  const [page, other] = [openPage(), openPage()];
  service.app.isAway = true;
  const { over } = ask(page);
  await pass(1000);
  expect(page.reports.withdraw(service.app.dictation.id)).toBe(true);
  service.app.isAway = false;
  await pass(5000);
  expect([await over, service.app.sealed, await other.kept(), shown()]).toEqual(['done', [], [], 'paused']);
  expect(page.reports.withdraw(service.app.dictation.id)).toBe(false);
  page.close();
  other.close();
});

test('under another login it waits for its owner', async () => {
  const first = openPage();
  service.app.isAway = true;
  void ask(first);
  await pass(1000);
  first.close();
  service.app.isAway = false;
  service.app.loggedIn = 'bruno';
  const others = openPage('bruno');
  await pass(3000);
  expect([service.app.sealed.length, shown(), (await others.kept()).length]).toEqual([0, 'paused', 1]);
  others.close();
  service.app.loggedIn = 'ana';
  const own = openPage();
  await pass(2000);
  expect(service.app.sealed).toHaveLength(1);
  own.close();
});

test('locked and opened again while the app is away, the page goes on with it', async () => {
  const page = openPage();
  service.app.isAway = true;
  void ask(page);
  await pass(1000);
  page.reports.follow(null);
  page.reports.follow('ana');
  await pass(1000);
  service.app.isAway = false;
  await pass(2000);
  expect(service.app.sealed).toHaveLength(1);
  page.close();
});

test('a browser that keeps nothing: the page does it as long as it is open', async () => {
  browser.keepsNothing = true;
  const page = openPage();
  service.app.isAway = true;
  const { over } = ask(page);
  await pass(2000);
  service.app.isAway = false;
  await pass(2000);
  expect([await over, service.app.sealed.length]).toEqual(['done', 1]);
  page.close();
});

test('an immediate refusal is reported to the caller, and the request is dropped', async () => {
  const page = openPage();
  service.app.dictation = { ...service.app.dictation, state: 'recording' };
  const { over } = ask(page);
  await pass(1000);
  expect([await over, await page.kept(), page.refused]).toEqual(['INVALID_TRANSITION', [], []]);
  page.close();
});
