/** A channel's days: reports are signed and added to while the other system refuses, is away or takes them, and the channel is switched. */
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { manualClock } from '../../src/domain/clock.ts';
import { startApi, startOfTests, succeeded } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startHttpServer } from '../support/http-server.ts';
import * as fc from '../support/properties.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const { records, channels, distribution } = contract;
const channel = { channel: 'ris' };

/** What the other system does with a report. */
const moods = { well: { status: 201 }, busy: { status: 503 }, refuses: { status: 400 }, gone: { cut: true } } as const;
type Mood = keyof typeof moods;

interface House {
  api: Api;
  mood: Mood;
  /** The versions that the other system took of each record, in order. */
  readonly taken: Map<string, number[]>;
  /** The present version of each record that was signed. */
  readonly signed: Map<string, number>;
  /** Which the other system got twice, because the server ended before it noted the answer. */
  mayRepeat: boolean;
  readonly restart: () => Promise<void>;
}

const steps: Readonly<Record<string, (house: House, nth: number) => Promise<void>>> = {
  async sign({ api, signed }) {
    const { id } = await api.generate({ text: 'Test Patient. Findings: none.', worklist_item_id: await api.exam() });
    const done = succeeded(await api.call(records.endpoints.update, { params: { id }, body: { status: 'final' } }));
    signed.set(id, done.version);
  },
  async 'add to a report'({ api, signed }, nth) {
    const id = [...signed.keys()][nth % Math.max(signed.size, 1)];
    if (id === undefined) return;
    const { sections } = succeeded(await api.call(records.endpoints.get, { params: { id } }));
    const addendum = { key: 'addendum', title: 'Addendum', text: `More, ${sections.length}.` };
    const body = { sections: [...sections, addendum] };
    signed.set(id, succeeded(await api.call(records.endpoints.update, { params: { id }, body })).version);
  },
  'is well': async (house) => void (house.mood = 'well'),
  'is busy': async (house) => void (house.mood = 'busy'),
  refuses: async (house) => void (house.mood = 'refuses'),
  'is gone': async (house) => void (house.mood = 'gone'),
  disable: ({ api }) => switchChannel(api, false),
  enable: ({ api }) => switchChannel(api, true),
  async 'try again'({ api }) {
    succeeded(await api.call(channels.endpoints.retryAll, { params: channel }));
  },
  async wait({ api }, nth) {
    api.clock.advance(nth * 60_000);
    await settle();
  },
  restart: (house) => house.restart(),
};

async function switchChannel(api: Api, enabled: boolean): Promise<void> {
  succeeded(await api.call(channels.endpoints.change, { params: channel, body: { enabled } }));
}

/** Lets answers arrive that are on their way. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** In order, and nothing that was not signed. */
function expectOrder({ taken, signed, mayRepeat }: House): void {
  for (const [id, versions] of taken) {
    const once = mayRepeat ? versions.filter((version, at) => version !== versions[at - 1]) : versions;
    expect(once).toEqual([...new Set(once)].toSorted((a, b) => a - b));
    expect(versions.at(-1)).toBeLessThanOrEqual(signed.get(id)!);
  }
}

/** Once the other system is well, the channel open, and what was refused tried again, it has the present version of each report. */
async function expectAllThere(house: House): Promise<void> {
  const { api, taken, signed } = house;
  house.mood = 'well';
  await switchChannel(api, true);
  await eventually(async () => {
    const { counts } = succeeded(await api.call(channels.endpoints.get, { params: channel }));
    if (counts.refused > 0) await steps['try again']!(house, 0);
    if (counts.waiting > 0) api.clock.advance(60_000);
    expect(counts).toEqual({ waiting: 0, refused: 0 });
  });
  expect(new Map(Array.from(taken, ([id, versions]) => [id, versions.at(-1)]))).toEqual(signed);
  for (const [id, version] of signed) {
    const { items } = succeeded(await api.call(distribution.endpoints.ofRecord, { params: { id } }));
    expect(items).toMatchObject([{ channel: 'ris', state: 'sent', version }]);
  }
}

const session = fc.array(fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.nat(6)), {
  minLength: 1,
  maxLength: 25,
  size: 'max',
});

test('no session of refusals, outages, switches and restarts loses a report, or brings versions out of order', async () => {
  await fc.assert(
    fc.asyncProperty(session, async (played) => {
      const dataDir = await temporaryDirectory();
      const clock = manualClock(Date.parse(startOfTests));
      const start = (): Promise<Api> => startApi({ clock, dataDir, accessTokenTtl: 24 * 3600 * 1000 }, onTestFinished);
      const house: House = {
        api: await start(),
        mood: 'well',
        taken: new Map(),
        signed: new Map(),
        mayRepeat: false,
        async restart() {
          house.mayRepeat = true;
          await house.api.close();
          house.api = await start();
        },
      };
      const ris = await startHttpServer(({ headers }) => {
        const { mood, taken } = house;
        const [id, version] = [String(headers['laudio-record-id']), Number(headers['laudio-record-version'])];
        if (mood === 'well') taken.set(id, [...(taken.get(id) ?? []), version]);
        return moods[mood];
      });
      try {
        const settings = { url: `${ris.url}/in`, format: 'txt' };
        const body = { name: 'ris', kind: 'http-out', space: 'test_tc_local', settings };
        succeeded(await house.api.call(channels.endpoints.add, { body }), 201);
        for (const [name, nth] of played) {
          await steps[name]!(house, nth);
          expectOrder(house);
        }
        await expectAllThere(house);
        expectOrder(house);
      } finally {
        await house.api.close();
        await ris.close();
      }
    }),
    { numRuns: 8 },
  );
});
