import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/contract/errors.ts';
import { createTargets } from '../../../../server/delivery/webhooks/target.ts';
import type { Store } from '../../../../server/storage/store.ts';
import type { Targets } from '../../../../server/delivery/webhooks/target.ts';
import { createReceiver } from './receiver.ts';
import type { Receiver, Reply } from './receiver.ts';
import { createService, startedService } from './service.ts';

const second = 1000;
const hour = 3600 * second;

describe('many endpoints', () => {
  test('one that never answers holds up neither the others nor what is announced later', async () => {
    const dead = await createReceiver(() => {});
    const live = await createReceiver();
    const service = await startedService({ total: 3 });
    await service.client('dead', { url: dead.url });
    await service.client('live', { url: live.url });
    for (let count = 0; count < 20; count++) {
      await service.store.transact((tx) =>
        service.announcer.announce(tx, { space: 'main', type: 'webhook.test', data: { count } }),
      );
    }
    await live.arrived(20);
    expect(dead.requests.length).toBeLessThanOrEqual(2);
    expect(live.requests.map(({ body }) => JSON.parse(body).data.count).toSorted((a, b) => a - b)).toEqual([
      ...Array(20).keys(),
    ]);
    await service.store.transact((tx) =>
      service.announcer.announce(tx, { space: 'main', type: 'webhook.test', data: {} }),
    );
    await live.arrived(21);
    expect(dead.requests.length).toBeLessThanOrEqual(2);
  });

  test('of one that answers some requests and hangs at others, those that hang hold up none of the rest', async () => {
    const receiver: Receiver = await createReceiver((response) => {
      if (receiver.requests.length > 2) response.writeHead(204).end();
    });
    const service = await startedService();
    await service.client('ris', { url: receiver.url });
    await service.store.transact(async (tx) => {
      for (let count = 0; count < 150; count++) {
        await service.announcer.announce(tx, { space: 'main', type: 'webhook.test', data: { count } });
      }
    });
    await receiver.arrived(2);
    service.clock.advance(second);
    await receiver.arrived(150);
  });

  test('one that never answers gets ever fewer: no more than a few at a time', async () => {
    const dead = await createReceiver(() => {});
    const service = await startedService({ perEndpoint: 2, slowPerEndpoint: 3 });
    await service.client('dead', { url: dead.url });
    await service.store.transact(async (tx) => {
      for (let count = 0; count < 20; count++) {
        await service.announcer.announce(tx, { space: 'main', type: 'webhook.test', data: { count } });
      }
    });
    await dead.arrived(2);
    service.clock.advance(second);
    await dead.arrived(4);
    service.clock.advance(second);
    await dead.arrived(5);
    service.clock.advance(10 * second);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(dead.requests).toHaveLength(5);
  });

  test('one whose answer trickles in is taken by its status, and holds up nothing', async () => {
    const receiver = await createReceiver((response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 5);
      response.on('close', () => clearInterval(drip));
    });
    const service = await startedService({ restMs: 20, perEndpoint: 1 });
    await service.client('ris', { url: receiver.url });
    for (let count = 0; count < 3; count++) await service.announce();
    expect((await service.deliveries()).map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  test('pending events are read once, however many there are', async () => {
    const receiver = await createReceiver(500);
    const plain = createService();
    let read = 0;
    const store: Store = {
      ...plain.store,
      async find(collection, query) {
        const found = await plain.store.find(collection, query);
        if (collection === 'deliveries') read += found.length;
        return found;
      },
      get(collection, id) {
        if (collection === 'deliveries') read++;
        return plain.store.get(collection, id);
      },
    };
    await plain.client('ris', { url: receiver.url });
    await plain.store.transact(async (tx) => {
      for (let count = 0; count < 300; count++) {
        await plain.announcer.announce(tx, { space: 'main', type: 'webhook.test', data: { count } });
      }
    });
    const service = await startedService({}, { ...plain, store });
    await receiver.arrived(300);
    await service.announcer.idle();
    const before = read;
    await service.announce();
    expect(receiver.requests).toHaveLength(301);
    // As new, for sending, and as sent.
    expect(read - before).toBeLessThanOrEqual(3);
    receiver.reply = 204;
    await service.advance(7 * second);
    expect((await service.deliveries()).every(({ status }) => status === 'delivered')).toBe(true);
  });

  test('no more requests at a time than the bounds say, and every one is sent once', async () => {
    let open = 0;
    let most = 0;
    const targets = createTargets();
    // Asked for each request before it is sent.
    const counting: Targets = {
      ...targets,
      parse(url) {
        most = Math.max(most, ++open);
        return targets.parse(url);
      },
    };
    const release: (() => void)[] = [];
    const hold: Reply = (response) => {
      release.push(() => {
        open--;
        response.writeHead(204).end();
      });
    };
    const receivers = [await createReceiver(hold), await createReceiver(hold), await createReceiver(hold)];
    const service = await startedService({ targets: counting, perEndpoint: 2, total: 4 });
    for (const [index, { url }] of receivers.entries()) await service.client(`client${index}`, { url });
    await service.store.transact(async (tx) => {
      for (let count = 0; count < 4; count++)
        await service.announcer.announce(tx, { space: 'main', type: 'webhook.test', data: {} });
    });
    const total = () => receivers.reduce((sum, { requests }) => sum + requests.length, 0);
    let sent = 0;
    while (sent < 12) {
      // Each is let go only when as many as may be are under way.
      const expected = Math.min(12, sent + 4);
      while (total() < expected)
        await Promise.race(receivers.map(({ requests, arrived }) => arrived(requests.length + 1)));
      for (const go of release.splice(0)) {
        go();
        sent++;
      }
    }
    await service.announcer.idle();
    expect(most).toBe(4);
    expect(total()).toBe(12);
    expect((await service.deliveries()).every(({ status }) => status === 'delivered')).toBe(true);
  });
});

describe('changes during an attempt', () => {
  test('an event that is announced while it looks for others is not overlooked', async () => {
    const receiver = await createReceiver();
    const plain = createService();
    let meanwhile: (() => Promise<void>) | undefined;
    const store = {
      ...plain.store,
      find: (async (...query: Parameters<typeof plain.store.find>) => {
        const found = await plain.store.find(...query);
        const act = meanwhile;
        meanwhile = undefined;
        await act?.();
        return found;
      }) as typeof plain.store.find,
    };
    await plain.client('ris', { url: receiver.url });
    meanwhile = async () => {
      await plain.store.transact((tx) =>
        plain.announcer.announce(tx, { space: 'main', type: 'webhook.test', data: {} }),
      );
    };
    const service = await startedService({}, { ...plain, store });
    await service.announcer.idle();
    expect(receiver.requests).toHaveLength(1);
  });

  test('a delivery that was ended while it waited for its turn is not sent', async () => {
    let answer = () => {};
    const receiver = await createReceiver((response) => (answer = () => response.writeHead(204).end()));
    const service = await startedService({ perEndpoint: 1 });
    await service.client('ris', { url: receiver.url });
    await service.store.transact(async (tx) => {
      for (const count of [1, 2]) {
        await service.announcer.announce(tx, { space: 'main', type: 'webhook.test', data: { count } });
      }
    });
    await receiver.arrived(1);
    const second = (await service.deliveries())[1]!;
    await service.store.transact(async (tx) =>
      tx.put('deliveries', { ...second, status: 'failed', next_attempt_at: null }),
    );
    answer();
    await service.announcer.idle();
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('starting and stopping', () => {
  test('nothing is sent before the start; then what a former run left is taken up', async () => {
    const receiver = await createReceiver(500);
    const former = await startedService();
    await former.client('ris', { url: receiver.url });
    await former.announce();
    await former.announcer.stop();
    await former.announce();
    await former.advance(hour);
    expect(receiver.requests).toHaveLength(1);
    receiver.reply = 204;
    const latter = await startedService({}, former);
    await latter.announcer.idle();
    expect(receiver.requests).toHaveLength(3);
    expect((await latter.deliveries()).map(({ status, attempts }) => [status, attempts.length])).toEqual([
      ['delivered', 2],
      ['delivered', 1],
    ]);
  });

  test('a retry that is not due yet at the start is sent at its time', async () => {
    const receiver = await createReceiver(500);
    const former = await startedService();
    await former.client('ris', { url: receiver.url });
    await former.announce();
    await former.announcer.stop();
    const latter = await startedService({}, former);
    await latter.advance(5 * second - 1);
    expect(receiver.requests).toHaveLength(1);
    await latter.advance(1);
    expect(receiver.requests).toHaveLength(2);
  });

  test('stopping breaks off what is being sent and leaves it pending, without an attempt', async () => {
    const receiver = await createReceiver(() => {});
    const service = await startedService();
    await service.client('ris', { url: receiver.url });
    const announced = service.announce();
    await receiver.arrived(1);
    await service.announcer.stop();
    await announced;
    expect((await service.deliveries())[0]).toMatchObject({ status: 'pending', attempts: [] });
    receiver.reply = 204;
    const again = await startedService({}, service);
    await again.announcer.idle();
    expect((await again.deliveries())[0]).toMatchObject({ status: 'delivered' });
  });

  test('pending events of a webhook that is off wait until it is on again', async () => {
    const receiver = await createReceiver(500);
    const service = await startedService();
    const webhook = await service.client('ris', { url: receiver.url });
    await service.announce();
    await service.store.transact(async (tx) => tx.put('webhooks', { ...webhook, enabled: false }));
    await service.advance(hour);
    expect(receiver.requests).toHaveLength(1);
    await service.store.transact(async (tx) => tx.put('webhooks', webhook));
    receiver.reply = 204;
    await service.announcer.idle();
    expect((await service.deliveries())[0]).toMatchObject({ status: 'delivered' });
  });

  test('events left for a deleted client end as failed', async () => {
    const receiver = await createReceiver(500);
    const service = await startedService();
    await service.client('ris', { url: receiver.url });
    await service.announce();
    await service.store.transact(async (tx) => tx.remove('clients', 'ris'));
    await service.advance(hour);
    expect(receiver.requests).toHaveLength(1);
    expect((await service.deliveries())[0]).toMatchObject({ status: 'failed', next_attempt_at: null });
  });

  test('an event that was sent but not recorded is recorded later, and not sent again', async () => {
    const receiver = await createReceiver();
    const plain = createService();
    let refusals = 3;
    const transact: typeof plain.store.transact = (work) =>
      receiver.requests.length > 0 && refusals-- > 0
        ? Promise.reject(new AppError('STORAGE_UNAVAILABLE'))
        : plain.store.transact(work);
    const service = await startedService({}, { ...plain, store: { ...plain.store, transact } });
    await service.client('ris', { url: receiver.url });
    await service.announce();
    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await service.deliveries())[0]).toMatchObject({ status: 'pending', attempts: [] });
      await service.advance(5 * second);
    }
    expect(refusals).toBeLessThan(1);
    expect(receiver.requests).toHaveLength(1);
    expect((await service.deliveries())[0]).toMatchObject({ status: 'delivered', attempts: [{ http_status: 204 }] });
  });

  test('an untried event is sent at the start, though the clock was set back by a day', async () => {
    const receiver = await createReceiver();
    const before = createService();
    await before.client('ris', { url: receiver.url });
    before.clock.advance(24 * hour);
    await before.store.transact((tx) =>
      before.announcer.announce(tx, { space: 'main', type: 'webhook.test', data: {} }),
    );
    await startedService({}, { ...before, clock: createService().clock });
    await receiver.arrived(1);
  });

  test('while storage fails it tries again every five seconds, and says so', async () => {
    const receiver = await createReceiver();
    const plain = createService();
    let broken = false;
    const store = {
      ...plain.store,
      get: ((...what: Parameters<typeof plain.store.get>) =>
        broken
          ? Promise.reject(new AppError('STORAGE_UNAVAILABLE'))
          : plain.store.get(...what)) as typeof plain.store.get,
    };
    const service = await startedService({}, { ...plain, store });
    await service.client('ris', { url: receiver.url });
    await service.announcer.idle();
    broken = true;
    await plain.store.transact((tx) => plain.announcer.announce(tx, { space: 'main', type: 'webhook.test', data: {} }));
    await service.announcer.idle();
    await service.advance(5 * second);
    expect(receiver.requests).toEqual([]);
    expect(service.log).toMatchObject([
      { level: 'error', event: 'webhook_sweep_failed', name: 'AppError' },
      { level: 'error', event: 'webhook_sweep_failed', name: 'AppError' },
    ]);
    broken = false;
    await service.advance(5 * second);
    expect(receiver.requests).toHaveLength(1);
  });
});
