/** Whose work held the event loop. */
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLoopWatch } from '../../../server/runtime/loop-watch.ts';
import type { HeldLoop } from '../../../server/runtime/loop-watch.ts';
import { contract } from '../../../src/contract/index.ts';
import { startApi } from '../../support/api.ts';

const { worklists, system } = contract;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** `work` takes the processor so long; `wait` leaves it to others. */
function createScene() {
  let at = 0;
  let used = 0;
  const told: HeldLoop[] = [];
  const watch = createLoopWatch({
    report: (held) => void told.push(held),
    underWay: () => ['GET /a', 'GET /b'],
    now: () => at,
    used: () => used,
  });
  watch.start();
  onTestFinished(watch.stop);
  return {
    ...watch,
    told,
    work: (ms: number) => {
      at += ms;
      used += ms;
    },
    wait: (ms: number) => void (at += ms),
    /** The turn of the loop ends, and its timers run. */
    endTurn: () => void vi.advanceTimersByTime(50),
  };
}

test('names the call that began or went on before the loop was held, and none after it', () => {
  const { begin, goOn, work, endTurn, told } = createScene();
  begin({ call: 'POST /slow', request_id: 'r1' });
  work(150);
  begin({ call: 'GET /after' });
  work(20);
  endTurn();
  expect(told).toEqual([{ call: 'POST /slow', request_id: 'r1', ms: 150 }]);
  // Its answer is written in another turn.
  goOn({ call: 'GET /large' });
  work(300);
  endTurn();
  // It read its body before it could say so.
  work(120);
  goOn({ call: 'POST /large' });
  endTurn();
  expect(told.slice(1).map(({ call, ms }) => [call, ms])).toEqual([
    ['GET /large', 300],
    ['POST /large', 120],
  ]);
});

test('says that it does not know where only bystanders were there', () => {
  const { begin, work, endTurn, told } = createScene();
  work(200);
  begin({ call: 'GET /bystander' });
  endTurn();
  work(200);
  endTurn();
  const unknown = { call: 'other', ms: 200, under_way: ['GET /a', 'GET /b'] };
  expect(told).toEqual([unknown, unknown]);
});

test('a machine that sleeps or is busy with others is held by nobody; nor is what is short', () => {
  const { begin, work, wait, endTurn, told } = createScene();
  begin({ call: 'GET /a' });
  wait(60_000);
  endTurn();
  for (let turn = 0; turn < 10; turn++) {
    begin({ call: 'GET /a' });
    work(90);
    endTurn();
  }
  expect(told).toEqual([]);
});

test('a server that listens logs and counts the call by its route, without what was asked', async () => {
  vi.useRealTimers();
  const api = await startApi(
    {
      listen: true,
      store: (real) => ({
        ...real,
        async find(collection, query) {
          const until = process.cpuUsage().user + 250_000;
          if (query.text === 'teste') while (process.cpuUsage().user < until);
          return real.find(collection, query);
        },
      }),
    },
    onTestFinished,
  );
  // The first search also loads code, in turns of the loop that are nobody's.
  await api.call(worklists.endpoints.list, { query: { q: 'first' } });
  // Between the beginning of a call and its search, and behind it, the loop may turn; then it is nobody's.
  const held = () =>
    api.logged.find(({ event, call }) => event === 'loop_held' && call === 'GET /api/v1/worklists/items');
  const search = async () => {
    await api.call(worklists.endpoints.list, { query: { q: 'teste' } });
    return held();
  };
  await expect.poll(search).toMatchObject({
    level: 'warn',
    request_id: expect.stringMatching(/^req_/),
    ms: expect.any(Number),
  });
  expect(JSON.stringify(held())).not.toContain('teste');
  const { text } = await api.call(system.endpoints.metrics);
  expect(text).toMatch(/^laudio_event_loop_held_total\{call="GET \/api\/v1\/worklists\/items"\} [1-9]/m);
});
