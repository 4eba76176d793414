/** Programs that speak FHIR are notified of reports: R4, R4B and R5 by topic, with handshake, heartbeats, numbered events and retries. */
import { expect, onTestFinished, test } from 'vitest';
import { formEncode } from '../../../src/client/address.ts';
import { contract } from '../../../src/contract/index.ts';
import { reportTopic } from '../../../src/contract/fhir-subscription.ts';
import { dictated, examFields, startApi, succeeded } from '../../support/api.ts';
import { jitter, retryDelays } from '../../../src/domain/retry-schedule.ts';
import { eventually } from '../../support/eventually.ts';
import { fhirFaults } from '../../support/fhir-r4.ts';
import type { FhirResource } from '../../support/fhir-r4.ts';
import { createReceiver } from '../delivery/webhooks/receiver.ts';
import type { Receiver } from '../delivery/webhooks/receiver.ts';

const { fhir, records, audit, webhooks } = contract;
const backport = 'http://hl7.org/fhir/uv/subscriptions-backport/StructureDefinition';
const secret = 'a-secret-of-the-receiver';

interface Notification extends FhirResource {
  readonly entry: readonly {
    readonly fullUrl: string;
    readonly resource?: { readonly parameter?: readonly Readonly<Record<string, unknown>>[]; readonly id: string };
    readonly request: { readonly method: string };
  }[];
}

const parse = <T extends FhirResource>(text: string): T => {
  const resource = JSON.parse(text) as T;
  expect(fhirFaults(resource)).toEqual([]);
  return resource;
};
const valueOf = ({ entry }: Notification, name: string): unknown => {
  const found = entry[0]!.resource!.parameter!.find((each) => each['name'] === name);
  return found?.['valueCode'] ?? found?.['valueString'];
};

async function start() {
  const api = await startApi({}, onTestFinished);
  const own = { kind: 'server' as const, test_mode: true, space: 'test_tc_local', redirect_uris: [] };
  const { client_id, client_secret } = await api.createClient(own);
  const login = { grant_type: 'client_credentials', client_id, client_secret };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  /** Tokens end during days of retries. */
  const logIn = async () => {
    const answer = await api.send({ method: 'POST', url: '/api/oauth/token', headers, payload: formEncode(login) });
    return (answer.json as { access_token: string }).access_token;
  };
  const token = await logIn();
  const receiver = await createReceiver(200);
  const resource = (changes: object = {}, channel: object = {}) => ({
    resourceType: 'Subscription',
    status: 'requested',
    reason: 'Reports for the portal',
    criteria: reportTopic,
    channel: {
      type: 'rest-hook',
      endpoint: receiver.url,
      payload: 'application/fhir+json',
      _payload: { extension: [{ url: `${backport}/backport-payload-content`, valueCode: 'id-only' }] },
      header: [`Authorization: Bearer ${secret}`],
      ...channel,
    },
    ...changes,
  });
  const subscribe = async (changes?: object, channel?: object) => {
    const made = await api.call(fhir.endpoints.subscribe, { token, body: resource(changes, channel) });
    expect(made.status).toBe(201);
    expect(made.text).not.toContain(secret);
    const { id } = parse<FhirResource & { id: string }>(made.text);
    expect(made.headers['location']).toMatch(new RegExp(`/fhir/Subscription/${id}$`));
    return id;
  };
  const read = async (id: string) =>
    parse<FhirResource & { status: string; error?: string }>(
      (await api.call(fhir.endpoints.subscription, { token: await logIn(), params: { id } })).text,
    );
  let count = 0;
  const report = async () => {
    count += 1;
    const body = examFields({ accession_number: `S${count}`, study_uid: `1.2.3.${count}` });
    const { access_token: token } = await api.tokens();
    const { items } = await api.ingest(body, { token });
    const { id } = await api.generate(
      { text: dictated, language: 'en-US', worklist_item_id: items[0]!.id! },
      { token },
    );
    succeeded(await api.call(records.endpoints.update, { token, params: { id }, body: { status: 'final' } }));
    return id.replaceAll('_', '-');
  };
  const becomes = (id: string, status: string) =>
    eventually(async () => expect(await read(id)).toMatchObject({ status }));
  /** Lets the pauses between attempts pass, until the service gives up. */
  const failHandshakes = async (id: string) => {
    let last: string | undefined;
    for (const delay of retryDelays) {
      last = await eventually(async () => {
        const { error } = await read(id);
        expect(error).toContain('It is tried again at');
        expect(error).not.toBe(last);
        return error;
      });
      api.clock.advance(delay * (1 + jitter));
    }
    await becomes(id, 'error');
  };
  return { api, failHandshakes, client_id, token, logIn, receiver, resource, subscribe, read, report, becomes };
}

const received = ({ requests }: Receiver): Notification[] =>
  requests.map(({ body, headers }) => {
    expect(headers['authorization']).toBe(`Bearer ${secret}`);
    expect(headers['content-type']).toBe('application/fhir+json');
    return parse<Notification>(body);
  });
const typesOf = (receiver: Receiver): unknown[] => received(receiver).map((each) => valueOf(each, 'type'));

test('a handshake, then each report by its id, and heartbeats while nothing happens', async () => {
  const { api, token, receiver, subscribe, report, becomes } = await start();
  const extension = [{ url: `${backport}/backport-heartbeat-period`, valueUnsignedInt: 60 }];
  const id = await subscribe({}, { extension });
  await becomes(id, 'active');
  const first = await report();
  await eventually(() => expect(typesOf(receiver)).toEqual(['handshake', 'event-notification']));
  const [, told] = received(receiver);
  expect(valueOf(told!, 'events-since-subscription-start')).toBe('1');
  expect(told!.entry[1]).toMatchObject({ fullUrl: expect.stringMatching(`/fhir/DiagnosticReport/${first}$`) });
  expect(told!.entry[1]).not.toHaveProperty('resource');
  expect(receiver.requests[1]!.body).not.toContain('PACIENTE');
  api.clock.advance(59_000);
  expect(receiver.requests).toHaveLength(2);
  api.clock.advance(1000);
  await receiver.arrived(3);
  expect(typesOf(receiver).at(-1)).toBe('heartbeat');

  const status = await api.call(fhir.endpoints.subscriptionStatus, { token, params: { id } });
  expect(valueOf(parse<Notification>(status.text), 'type')).toBe('query-status');
  const list = await api.call(fhir.endpoints.subscriptions, { token });
  expect(parse<FhirResource>(list.text)).toMatchObject({ total: 1, entry: [{ resource: { id } }] });
  await api.call(fhir.endpoints.unsubscribe, { token, params: { id } });
  await report();
  api.clock.advance(3600_000);
  expect((await api.call(fhir.endpoints.subscription, { token, params: { id } })).status).not.toBe(200);
  expect(receiver.requests).toHaveLength(3);
  expect(JSON.stringify(api.logged)).not.toContain(secret);
});

test('the whole report goes to whom it was granted, and that is in the audit trail', async () => {
  const { api, client_id, receiver, subscribe, report, becomes } = await start();
  const full = { extension: [{ url: `${backport}/backport-payload-content`, valueCode: 'full-resource' }] };
  await becomes(await subscribe({}, { _payload: full }), 'active');
  const id = await report();
  await receiver.arrived(2);
  const [, told] = received(receiver);
  expect(told!.entry[1]!.resource).toMatchObject({ resourceType: 'DiagnosticReport', id, status: 'final' });
  await eventually(async () => {
    const query = { id: id.replaceAll('-', '_') };
    const { items } = succeeded(await api.call(audit.endpoints.list, { query }));
    expect(items).toContainEqual(expect.objectContaining({ action: 'fhir.notify', kind: 'records', client_id }));
  });
});

test('what the receiver does not take is sent again; events of an outage are numbered, and found by their numbers', async () => {
  const { api, failHandshakes, client_id, logIn, receiver, resource, subscribe, read, report, becomes } = await start();
  receiver.reply = 500;
  const id = await subscribe();
  await failHandshakes(id);
  const token = await logIn();
  expect((await read(id)).error).toContain('answered the handshake with 500');
  expect((await read(id)).error).toContain('PUT');
  const missed = await report();
  receiver.reply = 200;
  const again = await api.call(fhir.endpoints.resubscribe, { token, params: { id }, body: resource() });
  expect(again.status).toBe(200);
  await becomes(id, 'active');
  const handshake = received(receiver).at(-1)!;
  expect([valueOf(handshake, 'type'), valueOf(handshake, 'events-since-subscription-start')]).toEqual([
    'handshake',
    '1',
  ]);
  const query = { eventsSinceNumber: 1, eventsUntilNumber: 1 };
  const events = parse<Notification>(
    (await api.call(fhir.endpoints.subscriptionEvents, { token, params: { id }, query })).text,
  );
  expect(events.entry.slice(1).map(({ fullUrl }) => fullUrl.split('/').at(-1))).toEqual([missed]);
  expect(valueOf(events, 'type')).toBe('query-event');

  receiver.reply = 503;
  const count = receiver.requests.length;
  await report();
  await receiver.arrived(count + 1);
  receiver.reply = 200;
  await eventually(async () => {
    api.clock.advance(10_000);
    expect(receiver.requests.length).toBeGreaterThan(count + 1);
  });
  const last = received(receiver).at(-1)!;
  expect([valueOf(last, 'type'), valueOf(last, 'events-since-subscription-start')]).toEqual([
    'event-notification',
    '2',
  ]);
  const deliveries = succeeded(
    await api.call(webhooks.endpoints.deliveries, { params: { client_id }, query: {} }),
  ).items;
  expect(deliveries.map(({ status }) => status)).toEqual(['delivered', 'failed']);
  receiver.reply = 410;
  await report();
  await becomes(id, 'off');
});

test('others, people, and Subscriptions that cannot be are refused', async () => {
  const { api, token, resource, subscribe } = await start();
  const id = await subscribe();
  expect((await api.call(fhir.endpoints.subscribe, { body: resource() })).status).toBe(403);
  const faulty = [
    resource({ criteria: 'DiagnosticReport?status=final' }),
    resource({}, { endpoint: 'http://10.0.0.1/' }),
    resource({}, { type: 'email' }),
    resource({}, { header: ['Host: other'] }),
    resource({}, { header: ['Authorization: a\r\nX: b'] }),
    resource({ end: '2020-01-01T00:00:00Z' }),
    { resourceType: 'Patient' },
  ];
  for (const body of faulty) {
    const answer = await api.call(fhir.endpoints.subscribe, { token, body });
    expect([answer.status, answer.text.includes(secret)]).toEqual([400, false]);
  }
  expect((await api.call(fhir.endpoints.subscribe, { token, body: '{' })).error).toBeDefined();
  const { status } = await api.call(fhir.endpoints.resubscribe, {
    token,
    params: { id: 'sub-none' },
    body: resource(),
  });
  expect(status).toBe(404);
  // Another client of the space does not see it.
  expect((await api.call(fhir.endpoints.subscription, { params: { id } })).status).toBe(404);
  const capabilities = await api.call(fhir.endpoints.capabilities);
  expect(fhirFaults(JSON.parse(capabilities.text))).toEqual([]);
  expect(capabilities.text).toContain(reportTopic);
});

test('a receiver that is away at the handshake gets it again, and then the events of that time', async () => {
  const { api, token, receiver, subscribe, read, report, becomes } = await start();
  receiver.reply = 503;
  const id = await subscribe();
  const shown = await eventually(async () => {
    const present = await read(id);
    expect(present).toMatchObject({ status: 'requested', error: expect.stringContaining('with 503') });
    return present;
  });
  expect(shown.error).toContain('It is tried again at 2026-03-02T11:30:0');
  const status = await api.call(fhir.endpoints.subscriptionStatus, { token, params: { id } });
  expect(parse<Notification>(status.text).entry[0]!.resource!.parameter).toContainEqual({
    name: 'error',
    valueCodeableConcept: { text: shown.error },
  });
  await report();
  expect(receiver.requests).toHaveLength(1);
  receiver.reply = 200;
  api.clock.advance(10_000);
  await becomes(id, 'active');
  expect(await read(id)).not.toHaveProperty('error');
  await eventually(() => expect(typesOf(receiver)).toEqual(['handshake', 'handshake', 'event-notification']));

  receiver.reply = 410;
  await becomes(await subscribe(), 'off');
});

/** A notification of R4B or R5: the status is a resource. */
interface StatusNotification extends FhirResource {
  readonly type: string;
  readonly entry: readonly { readonly resource?: Readonly<Record<string, unknown>> }[];
}

const r5 = 'application/fhir+json; fhirVersion=5.0';
const r4b = 'application/fhir+json; fhirVersion=4.3';

test('a Subscription of R5 gets notifications of R5, and is shown in another version where that is wanted', async () => {
  const { api, token, receiver, report } = await start();
  const resource = (changes: object = {}) => ({
    resourceType: 'Subscription',
    status: 'requested',
    topic: reportTopic,
    channelType: { system: 'http://terminology.hl7.org/CodeSystem/subscription-channel-type', code: 'rest-hook' },
    endpoint: receiver.url,
    parameter: [{ name: 'Authorization', value: `Bearer ${secret}` }],
    heartbeatPeriod: 60,
    timeout: 20,
    contentType: 'application/fhir+json',
    content: 'full-resource',
    maxCount: 10,
    ...changes,
  });
  const made = await api.call(fhir.endpoints.subscribe, { token, body: resource() });
  expect([made.status, made.headers['content-type']]).toEqual([201, expect.stringContaining('fhirVersion=5.0')]);
  expect(made.text).not.toContain(secret);
  const { id, ...shown } = JSON.parse(made.text) as { id: string; channelType: object };
  const { parameter: _parameter, timeout: _timeout, ...kept } = resource({ maxCount: 1 });
  expect(shown).toMatchObject(kept);
  expect(shown).not.toHaveProperty('channel');
  const asR4 = await api.call(fhir.endpoints.subscription, {
    token,
    params: { id },
    headers: { accept: 'application/fhir+json; fhirVersion=4.0' },
  });
  expect(parse<FhirResource>(asR4.text)).toMatchObject({ criteria: reportTopic, channel: { type: 'rest-hook' } });

  await receiver.arrived(1);
  await eventually(async () =>
    expect((await api.call(fhir.endpoints.subscription, { token, params: { id } })).text).toContain('"active"'),
  );
  const reported = await report();
  await receiver.arrived(2);
  const [handshake, event] = receiver.requests.map(({ body }) => JSON.parse(body) as StatusNotification);
  const subscription = { reference: expect.stringMatching(`/fhir/Subscription/${id}$`) };
  const status = { resourceType: 'SubscriptionStatus', subscription, topic: reportTopic };
  expect(handshake).toMatchObject({
    type: 'subscription-notification',
    entry: [{ resource: { ...status, type: 'handshake', eventsSinceSubscriptionStart: '0' } }],
  });
  const focus = { reference: expect.stringMatching(`/fhir/DiagnosticReport/${reported}$`) };
  expect(event).toMatchObject({
    type: 'subscription-notification',
    entry: [
      { resource: { ...status, type: 'event-notification', notificationEvent: [{ eventNumber: '1', focus }] } },
      { resource: { resourceType: 'DiagnosticReport', id: reported, study: [{ type: 'ImagingStudy' }] } },
    ],
  });
  const read = await api.call(fhir.endpoints.report, { token, params: { id: reported }, headers: { accept: r5 } });
  expect(JSON.parse(read.text)).toEqual(event!.entry[1]!.resource);

  const refused = async (changes: object) => {
    const { error } = await api.call(fhir.endpoints.subscribe, { token, body: resource(changes) });
    return error.details.errors.map(({ field }) => field);
  };
  expect(await refused({ filterBy: [{ filterParameter: 'patient', value: 'Patient/1' }] })).toEqual(['filterBy']);
  expect(await refused({ channelType: { code: 'email' }, heartbeatPeriod: -1 })).toEqual([
    'channelType',
    'heartbeatPeriod',
  ]);
  expect(await refused({ parameter: [{ name: 'Host', value: 'other' }] })).toEqual(['parameter']);
  const headers = { 'content-type': 'application/fhir+json; fhirVersion=3.0' };
  expect((await api.call(fhir.endpoints.subscribe, { token, body: resource(), headers })).error).toMatchObject({
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: expect.stringContaining('4.0, 4.3, 5.0'),
  });
});

test('R4B differs by its status, and the versions, their statements and the topic can be read', async () => {
  const { api, token, receiver, resource } = await start();
  const headers = { 'content-type': r4b };
  const made = await api.call(fhir.endpoints.subscribe, { token, headers, body: resource() });
  expect([made.status, made.headers['content-type']]).toEqual([201, expect.stringContaining('fhirVersion=4.3')]);
  await receiver.arrived(1);
  expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject({
    type: 'history',
    entry: [{ resource: { resourceType: 'SubscriptionStatus', type: 'handshake' } }],
  });
  expect(parse<FhirResource>((await api.call(fhir.endpoints.versions)).text)).toHaveProperty('parameter.length', 4);
  for (const [accept, fhirVersion] of [
    [r4b, '4.3.0'],
    [r5, '5.0.0'],
  ] as const) {
    const statement = await api.call(fhir.endpoints.capabilities, { headers: { accept } });
    expect(JSON.parse(statement.text)).toMatchObject({ fhirVersion });
    expect(statement.text).toContain('SubscriptionTopic');
  }
  const topics = await api.call(fhir.endpoints.topics, { token, query: { url: reportTopic } });
  expect(JSON.parse(topics.text)).toMatchObject({ total: 1, entry: [{ resource: { url: reportTopic } }] });
  const read = await api.call(fhir.endpoints.topic, { token, params: { id: 'report' }, headers: { accept: r4b } });
  expect(read.headers['content-type']).toContain('fhirVersion=4.3');
  expect((await api.call(fhir.endpoints.topic, { token, params: { id: 'other' } })).status).toBe(404);
});
