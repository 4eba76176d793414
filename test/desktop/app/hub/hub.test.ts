/** The desk at a hub, between the pages of a person and a viewer. */
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { WebSocket } from 'ws';
import { createHub } from '../../../../desktop/app/hub/hub.ts';
import type { CallInput } from '../../../../desktop/bridge/calls.ts';
import type { CastNews, HubState } from '../../../../desktop/bridge/hub.ts';
import type { OutgoingRequest } from '../../../../src/client/transport.ts';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { createBell } from '../../../../src/domain/bell.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { createListeners } from '../../../../src/domain/listeners.ts';
import { dialNetwork } from '../../../../src/node/http/web-socket.ts';
import { buildExamContext } from '../../../../src/protocols/fhircast/exam-context.ts';
import { buildFailure } from '../../../../src/protocols/fhircast/sync-error.ts';
import { startApi } from '../../../support/api.ts';
import { storedItem } from '../../../support/stored-item.ts';
import * as fc from '../../../support/properties.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';
import { castAt } from '../../../support/viewer.ts';
import type { Viewer } from '../../../support/viewer.ts';

const exams = new Map(
  ['a', 'b', 'c'].map((name) => {
    const item = storedItem(name, { accession_number: `ACC-${name}`, patient_id: `P-${name}` });
    return [name, item as unknown as WorklistItem];
  }),
);
const contextOf = (name: string) => buildExamContext(exams.get(name)!);
const studyOf = (name: string) => contextOf(name).filter(({ key }) => key !== 'report');
const measuring = (name: string, value = 7) => [
  { key: 'report', reference: { reference: `DiagnosticReport/${name}` } },
  {
    key: 'updates',
    resource: {
      resourceType: 'Bundle',
      entry: [
        {
          request: { method: 'PUT' },
          resource: { resourceType: 'Observation', id: 'o1', valueQuantity: { value, unit: 'mm' } },
        },
      ],
    },
  },
];

/** The link of a page on the list, and a viewer. */
async function start() {
  const api = await startApi({ listen: true }, onTestFinished);
  const tokens = await api.tokens({ scopes: ['fhircast/*.*'] });
  const person = { token: tokens.access_token, topic: tokens['hub.topic'] ?? '' };
  const clock = manualClock(api.clock.now());
  const bell = createBell();
  const news: CastNews[] = [];
  /** The answer of the service. */
  let place = {
    address: '',
    topic: person.topic,
    access_token: null as string | null,
    expires_at: '',
    fault: null as string | null,
  };
  const settings = { follow_viewer: true };
  const changes = createListeners();
  /** What happens to a call instead of reaching the hub. */
  const network = { intercept: async (_body: string, _request: OutgoingRequest): Promise<void> => {} };
  let state: HubState | undefined;
  let revision = 0;
  let socket: WebSocket | undefined;
  const carrier = {
    async transport(request: OutgoingRequest) {
      await network.intercept(String(request.body), request);
      return api.server.transport(request);
    },
    async dial(address: string) {
      socket = await dialNetwork(address);
      return socket;
    },
  };
  const hub = await createHub({
    directory: await temporaryDirectory(),
    clock,
    random: () => 0,
    uuid: randomUUID,
    revision: () => (revision += 1),
    log: () => undefined,
    onOnline: () => () => undefined,
    connect: () => ({ client: { viewers: { hub: async () => ({ data: place }) } } }) as never,
    emit(name, data) {
      if (name === 'hub') state = data as HubState;
      if (name === 'cast') news.push(data as CastNews);
      bell.ring();
    },
    token: async () => person.token,
    ...carrier,
    network: carrier,
    server: () => (place.access_token === null ? api.server.url : 'http://127.0.0.1:9'),
    examOf: (id) => exams.get(id),
    settings: { current: () => settings, onChange: changes.add },
  });
  onTestFinished(() => hub.close());
  const { 'hub.join': join, 'hub.show': show, 'hub.answer': answer, 'hub.settle': settle } = hub.handlers;
  const until = async (condition: (now: HubState) => boolean): Promise<void> => {
    while (!state || !condition(state)) await bell.rung();
  };
  const cast = castAt(api, person);
  const viewer = await cast.join('DiagnosticReport-open,DiagnosticReport-close,SyncError');
  return {
    cast,
    viewer,
    clock,
    network,
    until,
    state: () => state,
    /** The service names another hub; `null`: its own. */
    found(next: Partial<typeof place>) {
      place = { ...place, ...next };
    },
    person,
    server: api.server,
    join: (itemId: string | null) => join({ item_id: itemId }),
    show: (itemId: string | null) => show({ item_id: itemId }),
    showAgain: (itemId: string | null) => show({ item_id: itemId, again: true }),
    answer: (input: CallInput<'hub.answer'>) => answer(input),
    settle: (id: string, isDone: boolean) => settle({ id, is_done: isDone }),
    drop: () => socket?.terminate(),
    joined: () => until(({ link }) => link === 'joined'),
    follow(isWanted: boolean) {
      settings.follow_viewer = isWanted;
      changes.notify();
    },
    /** The news that the pages get, by its number. */
    async gets(count: number): Promise<CastNews> {
      while (news.length < count) await bell.rung();
      return news[count - 1]!;
    },
  };
}

/** Reports that were opened and closed, in order, once the last of them was. */
async function heard(viewer: Viewer, count: number): Promise<string[]> {
  const read = () =>
    viewer.said.flatMap(({ event }) =>
      /-(open|close)$/.test(event?.['hub.event'] ?? '')
        ? `${event!['hub.event'].split('-')[1]!} ${event!.context[0]!.resource!.id!}`
        : [],
    );
  await viewer.hears(() => read().length >= count);
  return read();
}

test('a page that comes second, or comes back, does not change what the viewer shows', async () => {
  const { viewer, join, show, joined } = await start();
  await join('a');
  await joined();
  await heard(viewer, 1);
  expect(await join(null)).toMatchObject({ link: 'joined' });
  await join('b');
  await show('c');
  expect(await heard(viewer, 2)).toEqual(['open a', 'open c']);
});

test.each([
  ['the opening', [0, 1]],
  ['the closing', [1, 0]],
])(
  'a viewer that opens an exam and closes the one before stays with the new one; %s is answered first',
  async (_, order) => {
    const { cast, viewer, join, show, joined, gets, answer } = await start();
    await join('a');
    await joined();
    await heard(viewer, 1);
    await cast.send('ImagingStudy-open', studyOf('b'));
    await cast.send('DiagnosticReport-close', contextOf('a'));
    const asked = [await gets(1), await gets(2)];
    expect(asked).toMatchObject([
      { kind: 'opened', exam: { accession: 'ACC-b' } },
      { kind: 'closed', item_id: 'a' },
    ]);
    for (const at of order) await answer({ id: asked[at]!.id, item_id: 'b' });
    await show('b');
    await show('c');
    expect(await heard(viewer, 4)).toEqual(['open a', 'close a', 'open b', 'open c']);
  },
);

test('an answer does not wait for the hub, and events reach it in order', async () => {
  const { cast, viewer, join, show, joined, gets, answer, network } = await start();
  await join(null);
  await joined();
  const held = Promise.withResolvers<void>();
  network.intercept = async (body) => (body.includes('-open"') ? held.promise : undefined);
  await cast.send('ImagingStudy-open', studyOf('a'));
  const { id } = await gets(1);
  expect(await answer({ id, item_id: 'a' })).toEqual({ is_first: true });
  await show(null);
  held.resolve();
  expect(await heard(viewer, 2)).toEqual(['open a', 'close a']);
});

test('a report that the hub does not take is opened once the hub is joined again, and meanwhile both are apart', async () => {
  const { cast, clock, viewer, join, show, joined, gets, answer, network, until, state } = await start();
  await join(null);
  await joined();
  await cast.send('ImagingStudy-open', studyOf('a'));
  await answer({ id: (await gets(1)).id, item_id: 'a' });
  await heard(viewer, 1);
  network.intercept = async (body) => {
    if (body.includes('-open"')) throw new AppError('NETWORK');
  };
  await show('b');
  await until(({ apart }) => apart?.why === 'lost');
  network.intercept = async () => undefined;
  clock.advance(9000);
  expect(await heard(viewer, 2)).toEqual(['open a', 'open b']);
  expect(state()).toMatchObject({ link: 'joined', others: false, apart: null });
});

test('an application whose connection was lost is no longer there', async () => {
  const { cast, join, joined, until } = await start();
  await join('a');
  await joined();
  const failing = (eventName: string) =>
    cast.send('SyncError', buildFailure({ eventId: 'e', eventName, subscriber: 'Viewer', reason: 'Gone.' }));
  await failing('DiagnosticReport-open');
  await until(({ others, apart }) => others && apart?.why === 'not_followed');
  await failing('SyncError');
  await until(({ others, apart }) => !others && apart?.why === 'not_followed');
});

test('a page that answers late is refused to the viewer, and joins the hub again', async () => {
  const { cast, clock, viewer, join, joined, gets, answer, until, state } = await start();
  await join(null);
  await joined();
  const { id: sent } = await cast.send('ImagingStudy-open', studyOf('a'));
  const { id } = await gets(1);
  clock.advance(5000);
  await viewer.hears(({ event }) => JSON.stringify(event?.context ?? '').includes(sent));
  expect(state()).toMatchObject({ link: 'off', apart: { why: 'no_answer' } });
  expect(await answer({ id, item_id: 'a' })).toEqual({ is_first: false });
  // The context of the hub may come twice, since its opening was missed.
  void (async () => {
    for (let next = 2; ; next += 1) await answer({ id: (await gets(next)).id, item_id: 'a' });
  })();
  await until(({ apart }) => apart === null);
  expect(await heard(viewer, 1)).toEqual(['open a']);
});

test('an opening is late by what came before it, not by the clock of a sender that is fast or slow', async () => {
  const { cast, clock, join, joined, gets, answer } = await start();
  await join(null);
  await joined();
  const open = (name: string, at: number) => cast.send('ImagingStudy-open', studyOf(name), { at });
  const now = clock.now();
  const hour = 3_600_000;
  for (const [nth, [name, at]] of (
    [
      ['a', now + hour],
      ['b', now],
      ['c', now - hour],
    ] as const
  ).entries()) {
    await open(name, at);
    const { id, exam } = await gets(nth + 1);
    expect(exam).toMatchObject({ accession: `ACC-${name}` });
    await answer({ id, item_id: name });
  }
  await open('a', now);
  await answer({ id: (await gets(4)).id, item_id: 'a' });
  await open('b', now - 1000);
  await open('c', now);
  expect((await gets(5)).exam).toMatchObject({ accession: 'ACC-c' });
});

test('who does not follow the viewer any more is not apart from it', async () => {
  const { cast, clock, join, joined, gets, follow, state } = await start();
  await join(null);
  await joined();
  await cast.send('ImagingStudy-open', studyOf('a'));
  await gets(1);
  clock.advance(5000);
  expect(state()).toMatchObject({ link: 'off', apart: { why: 'no_answer' } });
  follow(false);
  expect(state()).toMatchObject({ link: 'off', apart: null });
});

test.each([
  ['opened here before', 'a', true],
  ['of another Laudio', 'b', false],
])('measurements come from a report that others open: %s', async (_, name, isTaken) => {
  const { cast, viewer, join, joined, gets, answer } = await start();
  await join('a');
  await joined();
  await heard(viewer, 1);
  await cast.send('DiagnosticReport-open', contextOf(name));
  await answer({ id: (await gets(1)).id, item_id: name });
  const { json } = await cast.current();
  await cast.send('DiagnosticReport-update', measuring(name), { version: String(json['context.versionId']) });
  await cast.send('userLogout', []);
  expect((await gets(2)).kind).toBe(isTaken ? 'measured' : 'logged_out');
});

test('who leaves the hub and joins it at once is there, with the report that is shown', async () => {
  const { viewer, join, joined, follow, until } = await start();
  await join('a');
  await joined();
  await heard(viewer, 1);
  follow(false);
  follow(true);
  await join('a');
  await joined();
  expect(await heard(viewer, 3)).toEqual(['open a', 'close a', 'open a']);
  follow(false);
  await until(({ link }) => link === 'off');
});

test('a close and a logout that were refused are named', async () => {
  const { cast, viewer, join, joined, gets, answer, until, show } = await start();
  await join('a');
  await joined();
  await heard(viewer, 1);
  await cast.send('DiagnosticReport-close', contextOf('a'));
  await answer({ id: (await gets(1)).id, refusal: 'dictating' });
  await until(({ apart }) => apart?.why === 'not_closed');
  await show('b');
  await cast.send('userLogout', []);
  await answer({ id: (await gets(2)).id, refusal: 'dictating' });
  await until(({ apart }) => apart?.why === 'not_logged_out');
});

test('what was measured while the connection was lost is taken, and what the person opened meanwhile is opened', async () => {
  const { cast, clock, viewer, join, show, joined, gets, drop, until } = await start();
  await join('a');
  await joined();
  await heard(viewer, 1);
  drop();
  await until(({ link }) => link === 'joining');
  const { json } = await cast.current();
  await cast.send('DiagnosticReport-update', measuring('a'), { version: String(json['context.versionId']) });
  clock.advance(9000);
  expect(await gets(1)).toMatchObject({ kind: 'measured', item_id: 'a' });
  drop();
  await until(({ link }) => link === 'joining');
  await show('b');
  clock.advance(9000);
  expect(await heard(viewer, 2)).toEqual(['open a', 'open b']);
});

test('the hub of another system is joined with a token for it, which is had again before it ends', async () => {
  const { clock, person, server, found, network, viewer, join, show, joined } = await start();
  const tokens = new Set<string | undefined>();
  network.intercept = async (_body, { url, headers }) => {
    tokens.add(headers['authorization']);
    expect(url).toContain(`${server.url}/fhircast`);
    // The hub takes any of them.
    (headers as Record<string, string>)['authorization'] = `Bearer ${person.token}`;
  };
  const give = (access_token: string) =>
    found({
      address: `${server.url}/fhircast`,
      access_token,
      expires_at: new Date(clock.now() + 60_000).toISOString(),
    });
  give('first');
  await join('a');
  await joined();
  await heard(viewer, 1);
  clock.advance(31_000);
  give('second');
  await show('b');
  expect(await heard(viewer, 2)).toEqual(['open a', 'open b']);
  expect([...tokens]).toEqual(['Bearer first', 'Bearer second']);
});

test('the page is told why the hub is not joined, until it is', async () => {
  const { clock, person, found, join, joined, until, state } = await start();
  found({ fault: 'unauthorized' });
  await join('a');
  await until(({ fault }) => fault?.why === 'unauthorized');
  found({ fault: null, topic: 'of-another' });
  clock.advance(9000);
  await until(({ fault }) => fault?.why === 'forbidden');
  expect(state()?.fault?.message).toContain('topic');
  found({ topic: person.topic });
  clock.advance(9000);
  await joined();
  expect(state()?.fault).toBeNull();
});

/** One act of the person at the page or of the viewer, in any order. */
const acts = [
  'open',
  'close',
  'show',
  'list',
  'speak',
  'pause',
  'bring',
  'measure',
  'drop',
  'open_while_away',
] as const;
/** Each session begins under a live microphone, which what is drawn seldom meets. */
const beginning = 'open a, speak a, open b, measure a, bring a, measure a, close a, pause a, open a, close a, show a'
  .split(', ')
  .map((step) => step.split(' ') as [(typeof acts)[number], string]);
const act = fc.tuple(fc.constantFrom(...acts), fc.constantFrom(...exams.keys()));

/** A page that follows as the page of the app does: never under a live microphone. */
async function playPage({ gets, answer, settle }: Awaited<ReturnType<typeof start>>) {
  const page = { shown: null as string | null, isLive: false, values: [] as unknown[], refused: 0 };
  const follow = async (news: CastNews): Promise<void> => {
    const { id, kind, exam, item_id: closed, measurement } = news;
    const opened = exam?.accession?.replace('ACC-', '') ?? null;
    if (kind === 'measured') {
      if (!(await answer({ id })).is_first) return;
      page.values.push(measurement?.values[0]?.value);
      return void (await settle(id, true));
    }
    const next = kind === 'opened' ? opened : closed === page.shown ? null : page.shown;
    if (page.isLive && next !== page.shown) {
      page.refused += 1;
      return void (await answer({ id, refusal: 'dictating', reason: 'Somebody dictates.' }));
    }
    page.shown = next;
    await answer({ id, item_id: next });
  };
  void (async () => {
    for (let next = 1; ; next += 1) await follow(await gets(next));
  })();
  return page;
}

test('whatever viewer and person do, the hub has the report on the screen, or the page says that they are apart', () =>
  fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 12, maxLength: 24 }), async (played) => {
      const session = await start();
      const { cast, clock, join, show, showAgain, joined, drop, until, state } = session;
      const page = await playPage(session);
      await join(null);
      await joined();
      const openAtHub = async (): Promise<string | null> => {
        const { json } = await cast.current();
        const parts = (json['context'] ?? []) as { key: string; resource?: { id?: string } }[];
        return parts.find(({ key }) => key === 'report')?.resource?.id ?? (parts.length > 0 ? 'other' : null);
      };
      const agrees = async (): Promise<string> => {
        const open = await openAtHub();
        return state()!.apart || open === page.shown ? 'agrees' : `hub ${open}, page ${page.shown}`;
      };
      const measured: number[] = [];
      for (const [at, [kind, exam]] of [...beginning, ...played].entries()) {
        const before = page.isLive ? page.shown : undefined;
        if (kind === 'open') await cast.send('ImagingStudy-open', studyOf(exam));
        else if (kind === 'close') await cast.send('DiagnosticReport-close', contextOf(exam));
        else if (kind === 'speak') page.isLive = page.shown !== null;
        else if (kind === 'pause') page.isLive = false;
        else if (kind === 'bring' && page.shown !== null) await showAgain(page.shown);
        else if ((kind === 'show' || kind === 'list') && !page.isLive)
          await show((page.shown = kind === 'show' ? exam : null));
        else if (kind === 'drop' || kind === 'open_while_away') {
          drop();
          await until(({ link }) => link === 'joining');
          if (kind === 'open_while_away') await cast.send('ImagingStudy-open', studyOf(exam));
          clock.advance(30_000);
          await joined();
        } else if (kind === 'measure' && page.shown !== null && state()!.apart === null) {
          const { json } = await cast.current();
          const version = String(json['context.versionId']);
          await cast.send('DiagnosticReport-update', measuring(page.shown, at + 1), { version });
          measured.push(at + 1);
        }
        await expect.poll(agrees, { interval: 5 }).toBe('agrees');
        await expect.poll(() => page.values, { interval: 5 }).toEqual(measured);
        if (before !== undefined) expect(page.shown).toBe(before);
      }
    }),
    { numRuns: 1, endOnFailure: true },
  ));
