/** Somebody sets the clock while something waits, or before it begins to: it comes when it would have come, neither later nor earlier. */
import { describe, expect, test } from 'vitest';
import type { SendResult, Sender } from '../../../../server/delivery/channels/channel.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import type { ManualClock } from '../../../../src/domain/clock.ts';
import { createOutbox, settle } from '../../../support/outbox.ts';
import { createRecordService, dictated } from '../../../support/record-service.ts';
import { createReceiver } from '../../delivery/webhooks/receiver.ts';
import { startedService } from '../../delivery/webhooks/service.ts';

const day = 24 * 3600 * 1000;

/** Something that waits for so many ms. */
interface Waiting {
  readonly clock: ManualClock;
  /** The wait begins. */
  begin(): Promise<void>;
  /** ms. */
  readonly wait: number;
  /** Resolves once what is due has been done. */
  settle(): Promise<void>;
  isDone(): Promise<boolean>;
}

const calm = async (): Promise<void> => {
  for (let turns = 0; turns < 200; turns++) await settle();
};

const waits: Readonly<Record<string, () => Promise<Waiting>>> = {
  async 'a signature that can be taken back'() {
    const service = await createRecordService();
    const { id } = await service.generate({ text: dictated });
    const body = { status: 'final', grace_seconds: 60 } as const;
    return {
      clock: service.clock,
      begin: async () => void (await service.routes.records.update({ params: { id }, body }, service.call())),
      wait: 60_000,
      settle: async () => void (await service.pass(0)),
      isDone: async () => (await service.get(id)).status === 'final',
    };
  },
  async 'a job whose engine was away'() {
    const service = await createRecordService();
    let id = '';
    return {
      clock: service.clock,
      async begin() {
        service.engine.failNext(new AppError('ENGINE_UNAVAILABLE'));
        ({ id } = await service.enqueue());
        await service.jobs.idle();
        await calm();
      },
      // The first backoff, with no jitter.
      wait: 1000,
      settle: calm,
      isDone: async () => (await service.job(id)).status === 'completed',
    };
  },
  async 'a report that a channel could not send'() {
    const outbox = createOutbox();
    const channel = await outbox.channel('folder-out');
    const answers: SendResult[] = [{ state: 'again', error: { code: 'TIMEOUT', message: 'No answer.' } }];
    let sent = 0;
    const sender: Sender = {
      formats: [],
      send: async () => {
        sent += 1;
        return answers.shift() ?? { state: 'delivered' };
      },
      close: async () => {},
    };
    await outbox.attach(channel, sender);
    return {
      clock: outbox.clock,
      async begin() {
        await outbox.document('A', 'F');
        await calm();
        expect(sent).toBe(1);
      },
      wait: 1500,
      settle: calm,
      isDone: async () => (await outbox.messages()).every(({ state }) => state === 'delivered'),
    };
  },
  async 'a webhook whose receiver failed'() {
    const receiver = await createReceiver((response) => {
      response.writeHead(receiver.requests.length > 1 ? 204 : 500).end();
    });
    const service = await startedService();
    await service.client('ris', { url: receiver.url });
    return {
      clock: service.clock,
      async begin() {
        await service.store.transact((tx) =>
          service.announcer.announce(tx, { space: 'main', type: 'webhook.test', data: {} }),
        );
        await expect
          .poll(async () => (await service.store.find('deliveries', {})).map(({ attempts }) => attempts.length))
          .toEqual([1]);
        await calm();
      },
      wait: 5000,
      settle: calm,
      isDone: async () => {
        for (let turns = 0; turns < 20 && receiver.requests.length < 2; turns++) await calm();
        return receiver.requests.length === 2;
      },
    };
  },
};

describe.each(Object.entries(waits))('%s', (_name, make) => {
  test.each([
    ['a day ahead before it begins, and put right after', [day, -day]],
    ['a day ahead while it waits', [0, day]],
    ['a day back while it waits', [0, -day]],
  ] as const)('of a clock set %s', async (_what, [before, after]) => {
    const { clock, begin, wait, settle: settled, isDone } = await make();
    clock.set(clock.now() + before);
    await begin();
    clock.set(clock.now() + after);
    clock.advance(wait / 4);
    await settled();
    expect(await isDone()).toBe(false);
    clock.advance(wait);
    await settled();
    await expect.poll(isDone, { timeout: 5000 }).toBe(true);
  });
});
