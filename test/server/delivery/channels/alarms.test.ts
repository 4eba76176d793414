/** The operator is called when a channel is silent or stuck: once when it begins, once when it ends, and nobody reads of a patient. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAlarms } from '../../../../server/delivery/channels/alarms/alarms.ts';
import type { AlarmsDeps } from '../../../../server/delivery/channels/alarms/alarms.ts';
import { createOperatorAlarm } from '../../../../server/delivery/channels/alarms/operator-alarm.ts';
import type { AlarmChoice } from '../../../../server/delivery/channels/alarms/alarm-choice.ts';
import type { AlarmEvent } from '../../../../server/delivery/channels/alarms/operator-alarm.ts';
import { recordMessageTime } from '../../../../server/delivery/channels/backlog.ts';
import { createMemoryStore } from '../../../../server/storage/memory/memory-documents.ts';
import { createTargets } from '../../../../server/delivery/webhooks/target.ts';
import { contract } from '../../../../src/contract/index.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { movableClock } from '../../../../src/domain/movable-clock.ts';
import { systemClock } from '../../../../src/node/clock.ts';
import { createWebhookSecret, verifyWebhook } from '../../../../src/node/http/webhook-signature.ts';
import { dictated, startApi, startOfTests, succeeded } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { startHttpServer } from '../../../support/http-server.ts';
import { connectMllp } from '../../../support/mllp.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const { records, channels, system } = contract;
const space = 'test_tc_local';
const start = Date.parse(startOfTests);
const minute = 60_000;

describe('a server', () => {
  test('calls when nothing comes, when reports do not arrive and when none is taken, and says when that is over', async () => {
    const secret = createWebhookSecret();
    const pager = await startHttpServer(() => ({}));
    const ris = { status: 503 };
    const archive = await startHttpServer(() => ris);
    onTestFinished(pager.close);
    onTestFinished(archive.close);
    const simulated = movableClock(systemClock, { now: start, runs: false });
    const alarm = { webhook: `${pager.url}/alarms`, secret };
    const api = await startApi({ simulated, alarm, accessTokenTtl: 24 * 60 * minute }, onTestFinished);
    const add = async (body: Record<string, unknown>) =>
      succeeded(await api.call(channels.endpoints.add, { body: { space, ...body } }), 201);
    const pass = (ms: number) => api.server.clock.advance(ms);
    const calls = (): string[] =>
      pager.asked.map(({ body }) => {
        const { type, data } = JSON.parse(body) as AlarmEvent;
        return [type, data['channel']].filter(Boolean).join(' ');
      });
    const shown = async (name: string) =>
      succeeded(await api.call(channels.endpoints.get, { params: { channel: name } }));

    const orders = { name: 'orders', kind: 'hl7-in', settings: { port: 0, alarm_silent_minutes: 5 } };
    const peer = await connectMllp((await add(orders)).state.address!);
    onTestFinished(() => peer.close());
    await pass(5 * minute - 1);
    expect(calls()).toEqual([]);
    await pass(1);
    expect(calls()).toEqual(['channel_silent orders']);
    await pass(20 * minute);
    const order =
      'MSH|^~\\&|RIS|HSL|L|H|20260302||ORM^O01|M1|P|2.5.1\rPID|||CANARIO||TESTE^PACIENTE\rORC|NW|P1\rOBR|1|P1||CT^TC';
    await peer.ask(`${order}${'|'.repeat(14)}ACC1${'|'.repeat(6)}CT\r`);
    expect(await shown('orders')).toMatchObject({ last_message_at: new Date(start + 25 * minute).toISOString() });
    await pass(minute);
    expect(calls().slice(1)).toEqual(['channel_silent_over orders']);
    // It goes off with the channel, and begins anew with it.
    succeeded(await api.call(channels.endpoints.change, { params: { channel: 'orders' }, body: { enabled: false } }));
    await pass(60 * minute);
    expect(calls()).toHaveLength(2);

    const settings = { url: `${archive.url}/in`, format: 'txt', alarm_stuck_minutes: 10, hospitals: ['Norte'] };
    await add({ name: 'ris', kind: 'http-out', settings });
    const sign = async (hospital_name: string): Promise<string> => {
      const item = await api.exam({ hospital_name, patient_id: 'CANARIO' });
      const { id } = await api.generate({ text: dictated, worklist_item_id: item });
      succeeded(await api.call(records.endpoints.update, { params: { id }, body: { status: 'final' } }));
      return id;
    };
    await sign('Norte');
    const written = new Date(simulated.now()).toISOString();
    await pass(10 * minute - 1);
    expect(calls()).toHaveLength(2);
    await pass(1);
    expect(calls().slice(2)).toEqual(['channel_stuck ris']);
    expect(await shown('ris')).toMatchObject({ oldest_open_at: written, last_message_at: null });
    expect(await metricsOf()).toContain('laudio_channel_oldest_open_seconds{channel="ris"} 600\n');
    ris.status = 201;
    const { items } = succeeded(await api.call(channels.endpoints.queue, { params: { channel: 'ris' } }));
    succeeded(await api.call(channels.endpoints.retry, { params: { id: items[0]!.id } }));
    await eventually(async () => expect((await shown('ris')).counts.waiting).toBe(0));
    await pass(minute);
    expect(calls().slice(3)).toEqual(['channel_stuck_over ris']);
    expect(await shown('ris')).toMatchObject({ oldest_open_at: null, last_message_at: expect.any(String) });
    expect(await metricsOf()).toMatch(/laudio_channel_last_message_seconds\{channel="ris"\} \d/);
    // What was refused does not move by itself: nobody waits for it.
    ris.status = 400;
    await sign('Norte');
    await eventually(async () => expect((await shown('ris')).counts.refused).toBe(1));
    await pass(minute);
    expect(calls().slice(4)).toEqual(['channel_stuck ris']);

    const untaken = [await sign('Sul')];
    await eventually(() => expect(calls()).toHaveLength(6));
    expect(JSON.parse(pager.asked.at(-1)!.body)).toMatchObject({
      type: 'report_taken_by_no_channel',
      data: { count: 1, record_ids: untaken },
    });
    for (const { headers, body } of pager.asked) {
      expect(verifyWebhook({ headers, body, now: Number(headers['webhook-timestamp']) * 1000 }, [secret]).ok).toBe(
        true,
      );
      expect(body).not.toMatch(/CANARIO|PACIENTE|ACC1|Norte|Sul/);
    }
    const logged = api.logged.map(({ event }) => event).filter((event) => event.startsWith('channel_s'));
    expect(logged).toEqual(['silent', 'silent_over', 'stuck', 'stuck_over', 'stuck'].map((what) => `channel_${what}`));

    async function metricsOf(): Promise<string> {
      return (await api.call(system.endpoints.metrics)).text;
    }
  });

  test('does not start where it could not call', async () => {
    const refused = (alarm: AlarmChoice) => expect(startApi({ alarm }, onTestFinished)).rejects;
    await refused({ webhook: 'ftp://pager.example' }).toMatchObject({ code: 'CONFIGURATION' });
    await refused({ webhook: 'http://127.0.0.1:1/', secret: 'guess' }).toMatchObject({ code: 'CONFIGURATION' });
  });
});

describe('the watch', () => {
  const channel = (settings: Record<string, unknown>) => ({
    id: 'chn_1',
    name: 'ris',
    kind: 'http-out',
    enabled: true,
    space,
    settings,
    secrets: {},
    mapping: null,
    created_at: startOfTests,
    updated_at: startOfTests,
    version: 1,
  });
  const message = (at: number, state: 'waiting' | 'delivered' = 'waiting', n = 1) => ({
    id: `msg_${n}`,
    space,
    channel_id: 'chn_1',
    direction: 'out' as const,
    state,
    at: new Date(at).toISOString(),
    updated_at: new Date(at).toISOString(),
    key: null,
    error: null,
    warnings: [],
  });

  /** A watch over a store of its own, which can be left and begun anew as by a restart. */
  async function watching(settings: Record<string, unknown>) {
    const clock = manualClock(start);
    const store = createMemoryStore();
    const told: string[] = [];
    const alarm: AlarmsDeps['alarm'] = {
      isSet: true,
      raise: async ({ type }) => void told.push(type),
      idle: async () => {},
      stop: async () => {},
    };
    const begin = async () => {
      const alarms = createAlarms({ store, clock, log: () => {}, alarm });
      alarms.start();
      await alarms.idle();
      return alarms;
    };
    const put = (each: ReturnType<typeof message>) => store.transact(async (tx) => tx.put('messages', each));
    await store.transact(async (tx) => tx.put('channels', channel(settings)));
    let alarms = await begin();
    return {
      clock,
      store,
      told,
      put,
      settle: () => alarms.idle(),
      async pass(minutes: number) {
        for (let n = 0; n < minutes; n++) {
          clock.advance(minute);
          await alarms.idle();
        }
      },
      async restart() {
        await alarms.stop();
        alarms = await begin();
      },
    };
  }
  const day = 24 * 60 * minute;

  test('a clock that is set forward or back calls nobody, and holds no call back', async () => {
    const { clock, put, told, pass, store } = await watching({ alarm_silent_minutes: 10, alarm_stuck_minutes: 10 });
    await pass(4);
    await put(message(clock.now()));
    clock.set(clock.now() + 30 * day);
    await pass(5);
    expect(told).toEqual([]);
    clock.set(clock.now() - 60 * day);
    await pass(1);
    expect(told).toEqual(['channel_silent']);
    // A minute more than it waits, since nobody knows when in a minute it was written whose clock was set.
    await pass(5);
    expect(told).toEqual(['channel_silent', 'channel_stuck']);
    await store.transact(async (tx) => recordMessageTime(tx, clock, 'chn_1'));
    await pass(9);
    expect(told).toEqual(['channel_silent', 'channel_stuck', 'channel_silent_over']);
  });

  test('a restart repeats no alarm, and reports those that ended meanwhile', async () => {
    const { put, told, pass, restart } = await watching({ alarm_stuck_minutes: 3 });
    await put(message(start));
    await pass(3);
    expect(told).toEqual(['channel_stuck']);
    await restart();
    await pass(3);
    expect(told).toEqual(['channel_stuck']);
    await put(message(start, 'delivered'));
    await restart();
    expect(told).toEqual(['channel_stuck', 'channel_stuck_over']);
    // A message of before the start is as old as it says.
    await put(message(start, 'waiting', 2));
    await restart();
    expect(told.slice(2)).toEqual(['channel_stuck']);
  });

  test('if the setting or the channel is removed, the alarm ends with a notice', async () => {
    const { put, told, pass, settle, store } = await watching({ alarm_silent_minutes: 1, alarm_stuck_minutes: 1 });
    await put(message(start));
    await pass(1);
    expect(told).toEqual(['channel_silent', 'channel_stuck']);
    await store.transact(async (tx) => tx.put('channels', channel({ alarm_stuck_minutes: 1 })));
    await settle();
    expect(told.slice(2)).toEqual(['channel_silent_over']);
    await store.transact(async (tx) => tx.remove('channels', 'chn_1'));
    await settle();
    expect(told.slice(3)).toEqual(['channel_stuck_over']);
    expect(await store.count('settings')).toBe(0);
  });
});

describe('a call', () => {
  function calling(choice: AlarmChoice) {
    const clock = manualClock(start);
    const logged: string[] = [];
    let count = 0;
    const alarm = createOperatorAlarm(
      {
        clock,
        targets: createTargets(),
        ids: (prefix) => `${prefix}_${++count}`,
        log: ({ event, problem = '' }) => void logged.push(`${event} ${String(problem)}`.trim()),
      },
      choice,
    );
    onTestFinished(() => alarm.stop());
    return { clock, logged, alarm };
  }
  const told: AlarmEvent = { type: 'channel_silent', data: { channel: 'ris; echo $HOME' } };

  test('runs the command with the alarm on its standard input, and nothing of it in its words', async () => {
    const file = join(await temporaryDirectory(), 'told');
    const { alarm, logged } = calling({ command: `cat > ${file}; env >> ${file}` });
    process.env['LAUDIO_PASSPHRASE'] = 'canary-of-the-key';
    onTestFinished(() => void delete process.env['LAUDIO_PASSPHRASE']);
    await alarm.raise(told);
    const [line, ...env] = (await readFile(file, 'utf8')).split('\n');
    expect(JSON.parse(line!)).toEqual({ id: 'alm_1', ...told, timestamp: startOfTests });
    expect(env.join('\n')).not.toContain('canary-of-the-key');
    expect(logged).toEqual([]);
  });

  test('that fails is tried again each minute, for an hour; the one after it waits for its turn', async () => {
    const answer = { status: 500 };
    const pager = await startHttpServer(() => answer);
    onTestFinished(pager.close);
    const { alarm, logged, clock } = calling({ command: 'exit 3', webhook: pager.url });
    await alarm.raise(told);
    expect(logged.toSorted()).toEqual(['alarm_failed It answered with 500.', 'alarm_failed The command ended with 3.']);
    answer.status = 204;
    for (let n = 1; n < 60; n++) {
      clock.advance(minute);
      await alarm.idle();
    }
    expect(pager.asked).toHaveLength(2);
    expect(logged.filter((each) => each.startsWith('alarm_failed'))).toHaveLength(61);
    expect(logged.at(-1)).toBe('alarm_given_up');
  });

  test('that does not end is ended with all that it started, after half a minute or with the server', async () => {
    const file = join(await temporaryDirectory(), 'lives');
    const { alarm, logged, clock } = calling({ command: `echo > ${file}; sleep 1000 & sleep 1000` });
    const first = alarm.raise(told);
    await eventually(() => readFile(file));
    clock.advance(30_000);
    await first;
    expect(logged).toEqual(['alarm_failed The command did not end in time.']);
    const second = alarm.raise(told);
    await alarm.stop();
    await second;
    expect(logged).toHaveLength(1);
  });
});
