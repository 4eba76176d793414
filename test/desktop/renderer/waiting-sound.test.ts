/** Sound that waits in the browser for the login of whoever spoke it. */
import { expect, test } from 'vitest';
import type { SpokenTake } from '../../../desktop/renderer/backlog/backlog.ts';
import { followWaitingSound, waitingSound } from '../../../desktop/renderer/state/recorder/waiting-sound.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { memoryBrowser } from '../../support/memory-backlog.ts';
import { dictation, scriptedBridge } from './stories/scripted-bridge.ts';

const settle = async (): Promise<void> => {
  for (let n = 0; n < 60; n++) await Promise.resolve();
};
const take: SpokenTake = {
  take: 'take_1',
  desk: 'ana',
  dictation: 'dic_1',
  mode: 'insert',
  at: null,
  beginning: { item_id: 'wli_1', sample_rate: 100, language: 'pt-BR', template_id: null },
};

test.each(['refused', 'never answered', 'answered too late'] as const)(
  'a person logs out while their audio is being sent, and that is %s: it waits for their next login',
  async (how) => {
    const clock = manualClock(0);
    const browser = memoryBrowser();
    const backlog = browser.backlog();
    const samples = new ArrayBuffer(1000);
    await backlog.keep(take, { from: 0, samples });
    await backlog.end(take.take);
    const pass = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 500) {
        clock.advance(500);
        await settle();
      }
    };
    let stored = 0;
    let isAnswering = false;
    const underWay = Promise.withResolvers<never>();
    const bridge = scriptedBridge({
      'dictation.block': ({ from }) => {
        if (!isAnswering) return underWay.promise;
        stored = Math.min(500, from + 200);
        return { stored, is_current: false, saved_at: '2026-03-02T12:00:00.000Z' };
      },
      'dictation.pause': () => dictation(),
    });
    const follow = (desk: string | null) => followWaitingSound({ bridge, clock, backlog, page: 'one', desk });

    const logOut = follow('ana');
    await pass(500);
    expect(bridge.asked.map(({ name }) => name)).toEqual(['dictation.block']);
    logOut();
    const leave = follow(null);
    if (how === 'refused') underWay.reject({ code: 'UNAUTHORIZED', message: 'You are not logged in.' });
    if (how === 'answered too late')
      underWay.resolve({ stored: 0, is_current: false, saved_at: '2026-03-02T12:00:00.000Z' } as never);
    await pass(30_000);
    expect([browser.waiting(), waitingSound.value.map(({ desk }) => desk)]).toEqual([1000, ['ana']]);
    expect(bridge.asked).toHaveLength(1);
    leave();

    isAnswering = true;
    const end = follow('ana');
    await pass(5000);
    expect([browser.waiting(), stored, waitingSound.value]).toEqual([0, 500, []]);
    end();
    backlog.close();
  },
);
