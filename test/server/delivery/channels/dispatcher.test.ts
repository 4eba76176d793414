import * as fc from '../../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import type { SendResult, OutboundMessage, Sender } from '../../../../server/delivery/channels/channel.ts';
import { eventually } from '../../../support/eventually.ts';
import { createOutbox, settle } from '../../../support/outbox.ts';
import type { Step } from '../../../support/outgoing-document.ts';

const delivered: SendResult = { state: 'delivered' };
const again: SendResult = { state: 'again', error: { code: 'TIMEOUT', message: 'There was no answer in time.' } };
const refused: SendResult = { state: 'refused', error: { code: 'AE', message: 'The other side answered AE.' } };

/** A destination that answers as it is told, without any format. */
function destination(
  answer: (letter: OutboundMessage, signal: AbortSignal) => SendResult | Promise<SendResult>,
  atOnce = 4,
) {
  const got: { id: string; exam: string; version: number; attempt: number }[] = [];
  let now = 0;
  let most = 0;
  const sender: Sender = {
    formats: [],
    maxInFlight: atOnce,
    async send(letter, signal) {
      most = Math.max(most, (now += 1));
      const { record, item } = letter.report;
      const said = await answer(letter, signal);
      now -= 1;
      const exam = item?.accession_number ?? '';
      if (said.state === 'delivered') {
        got.push({ id: letter.id, exam, version: record.version, attempt: letter.attempt });
      }
      return said;
    },
    close: async () => {},
  };
  return { sender, got, most: () => most };
}

test('documents announced before the channel existed are not sent by it; those announced while it is off wait', async () => {
  const outbox = createOutbox();
  await outbox.document('A', 'F');
  const channel = await outbox.channel('folder-out');
  await outbox.store.transact(async (tx) => tx.put('channels', { ...channel, enabled: false }));
  await outbox.document('A', 'C');
  expect(await outbox.messages()).toMatchObject([{ record_version: 2, state: 'waiting', attempts: 0 }]);
  await outbox.store.transact(async (tx) => tx.put('channels', { ...channel, space: 'elsewhere' }));
  await outbox.document('B', 'F');
  await outbox.store.transact(async (tx) => tx.put('channels', { ...channel, kind: 'folder-in' }));
  await outbox.document('C', 'F');
  expect(await outbox.messages()).toHaveLength(1);
});

describe('a destination', () => {
  test('gets each version once, and each exam in order, few at a time', async () => {
    const outbox = createOutbox();
    const channel = await outbox.channel('folder-out');
    const { sender, got, most } = destination(async () => (await settle(), delivered), 2);
    await outbox.attach(channel, sender);
    for (const step of ['P', 'F', 'C'] as const) {
      for (const exam of ['A', 'B', 'C', 'D']) await outbox.document(exam, step);
    }
    await eventually(() => expect(got).toHaveLength(12));
    for (const exam of ['A', 'B', 'C', 'D']) {
      expect(got.filter((each) => each.exam === exam).map(({ version }) => version)).toEqual([1, 2, 3]);
    }
    expect(most()).toBe(2);
    await eventually(async () =>
      expect((await outbox.messages()).every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(
        true,
      ),
    );
  });

  test('that does not answer is tried by one message after another, ever more rarely, and then gets all', async () => {
    const outbox = createOutbox();
    const channel = await outbox.channel('folder-out');
    let isDown = true;
    let tries = 0;
    const { sender, got } = destination(() => ((tries += 1), isDown ? again : delivered));
    await outbox.attach(channel, sender);
    for (let exam = 0; exam < 50; exam++) await outbox.document(`E${String(exam).padStart(2, '0')}`, 'F');
    for (let minute = 0; minute < 30; minute++) {
      outbox.clock.advance(60_000);
      for (let turn = 0; turn < 20; turn++) await settle();
    }
    expect(tries).toBeGreaterThan(10);
    expect(tries).toBeLessThan(60);
    isDown = false;
    await eventually(() => {
      outbox.clock.advance(60_000);
      expect(got).toHaveLength(50);
    });
  });

  test('that cannot take one message gets the others meanwhile', async () => {
    const outbox = createOutbox();
    const channel = await outbox.channel('folder-out');
    const { sender, got } = destination(({ report }) => (report.item?.accession_number === 'A' ? again : delivered));
    await outbox.attach(channel, sender);
    for (const exam of ['A', 'B', 'C', 'D']) await outbox.document(exam, 'F');
    await eventually(() => {
      outbox.clock.advance(1000);
      expect(got.map(({ exam }) => exam).toSorted()).toEqual(['B', 'C', 'D']);
    });
    expect((await outbox.messages())[0]).toMatchObject({ state: 'waiting', error: { code: 'TIMEOUT' } });
  });

  test('that refuses a message gets the next version in its place; what was refused is sent again when somebody asks', async () => {
    const outbox = createOutbox();
    const channel = await outbox.channel('folder-out');
    let refuses = true;
    const { sender, got } = destination(({ report }) =>
      refuses && report.item?.accession_number === 'A' ? refused : delivered,
    );
    await outbox.attach(channel, sender);
    for (const exam of ['A', 'B']) for (const step of ['P', 'F', 'C'] as const) await outbox.document(exam, step);
    await eventually(async () =>
      expect((await outbox.messages()).map(({ state, error }) => [state, error?.code])).toEqual([
        ['dropped', 'SUPERSEDED'],
        ['dropped', 'SUPERSEDED'],
        ['refused', 'AE'],
        ...Array.from({ length: 3 }, () => ['delivered', undefined]),
      ]),
    );
    const [first, , last] = await outbox.messages();
    expect(outbox.log).toContainEqual(expect.objectContaining({ event: 'message_refused', message_id: first!.id }));
    // Somebody retries it in vain, and again once the other side is mended.
    const now = new Date(outbox.clock.now()).toISOString();
    await outbox.change(last!.id, { state: 'waiting', next_attempt_at: now });
    await eventually(async () => expect((await outbox.messages())[2]).toMatchObject({ state: 'refused', attempts: 2 }));
    refuses = false;
    await outbox.change(last!.id, { state: 'waiting', next_attempt_at: now });
    await eventually(() =>
      expect(got.filter(({ exam }) => exam === 'A').map(({ version, attempt }) => [version, attempt])).toEqual([
        [3, 3],
      ]),
    );
  });

  test('a message that is dropped while it is under way holds up nothing; one that waits is sent at once when somebody asks', async () => {
    const outbox = createOutbox();
    const channel = await outbox.channel('folder-out');
    let mode: 'hangs' | 'down' | 'up' = 'hangs';
    const { sender, got } = destination((_letter, signal) => {
      if (mode !== 'hangs') return mode === 'up' ? delivered : again;
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(again)));
    });
    await outbox.attach(channel, sender);
    await outbox.document('A', 'P');
    await outbox.document('A', 'F');
    const [first, second] = await outbox.messages();
    await settle();
    mode = 'down';
    await outbox.change(first!.id, { state: 'dropped', next_attempt_at: null });
    await eventually(async () => expect((await outbox.messages())[1]).toMatchObject({ state: 'waiting', attempts: 1 }));
    expect((await outbox.messages())[0]).toMatchObject({ state: 'dropped', attempts: 0 });
    mode = 'up';
    await outbox.change(second!.id, { next_attempt_at: new Date(outbox.clock.now()).toISOString() });
    await eventually(() => expect(got).toHaveLength(1));
  });

  test('nothing is sent of a document that was deleted; somebody sees it', async () => {
    const outbox = createOutbox();
    const channel = await outbox.channel('folder-out');
    await outbox.document('A', 'F');
    await outbox.store.transact(async (tx) => tx.remove('versions', 'rec_A.000001'));
    await outbox.attach(channel, destination(() => delivered).sender);
    await eventually(async () =>
      expect((await outbox.messages())[0]).toMatchObject({ state: 'refused', error: { code: 'NOT_FOUND' } }),
    );
  });

  test('an outcome that the store refuses is recorded later, and the message not sent again', async () => {
    const outbox = createOutbox();
    const channel = await outbox.channel('folder-out');
    const { transact } = outbox.store;
    let isFull = false;
    outbox.store.transact = (work, actor) =>
      isFull ? Promise.reject(new Error('full')) : (transact.call(outbox.store, work, actor) as never);
    const { sender, got } = destination(() => delivered);
    await outbox.document('A', 'F');
    isFull = true;
    await outbox.attach(channel, sender);
    await eventually(() => expect(outbox.log.map(({ event }) => event)).toContain('outbox_outcome_not_recorded'));
    isFull = false;
    await eventually(async () => {
      outbox.clock.advance(5000);
      expect((await outbox.messages())[0]?.state).toBe('delivered');
    });
    expect(got).toHaveLength(1);
  });
});

const action = fc.oneof(
  fc.record({ exam: fc.constantFrom('A', 'B', 'C') }),
  fc.constantFrom('up', 'down', 'slow', 'restart', 'wait'),
);

test('every exam arrives in order, at least once and under one id, whatever fails meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      const outbox = createOutbox();
      const channel = await outbox.channel('folder-out');
      let mode = 'up';
      const answer = async (): Promise<SendResult> => {
        if (mode === 'slow') for (let turn = 0; turn < 5; turn++) await settle();
        return mode === 'down' ? again : delivered;
      };
      const { sender, got } = destination(answer);
      await outbox.attach(channel, sender);
      const written = new Map<string, Step[]>();
      for (const each of actions) {
        if (typeof each !== 'string') {
          const steps = written.get(each.exam) ?? [];
          const step = (['P', 'F'] as const)[steps.length] ?? 'C';
          written.set(each.exam, [...steps, step]);
          await outbox.document(each.exam, step);
        } else if (each === 'restart') {
          await outbox.restart();
          await outbox.attach(channel, sender);
        } else if (each === 'wait') outbox.clock.advance(60_000);
        else mode = each;
        await settle();
      }
      mode = 'up';
      const total = [...written.values()].flat().length;
      for (let turn = 0; turn < 2000; turn++) {
        const left = (await outbox.messages()).filter(({ state }) => state !== 'delivered');
        if (left.length === 0) break;
        outbox.clock.advance(10_000);
        await settle();
      }
      const messages = await outbox.messages();
      expect(messages.filter(({ state }) => state === 'delivered')).toHaveLength(total);
      for (const [exam, steps] of written) {
        const versions = got.filter((each) => each.exam === exam).map(({ version }) => version);
        // A restart may repeat a version, and never goes back behind one.
        expect([...new Set(versions)]).toEqual(steps.map((_step, at) => at + 1));
        expect(versions).toEqual(versions.toSorted((a, b) => a - b));
      }
      expect(new Set(got.map(({ id }) => id)).size).toBe(total);
      await outbox.restart();
    }),
    { numRuns: 20 },
  );
});
