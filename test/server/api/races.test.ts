/**
 * Every pair of calls about one exam, wordbook, account or channel, of which one commits between what the other has read and
 * what it commits: no call answers that it did something without having done it, and none fails.
 */
import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { defaultSpace } from '../../../src/contract/admin.ts';
import type { Store, StoredDocument } from '../../../server/storage/store.ts';
import { startApi } from '../../support/api.ts';
import type { Answer } from '../../support/api.ts';
import { sampled } from '../../support/explored.ts';
import { createHolding } from '../../support/held-calls.ts';
import type { Touched } from '../../support/held-calls.ts';
import {
  accountScene,
  changingPlaces,
  channelScene,
  examScenes,
  lonely,
  wordbookScene,
} from '../../support/racing-calls.ts';
import type { People, RacingCall, Scene } from '../../support/racing-calls.ts';

const holding = createHolding();
let stored!: Store;
const api = await startApi({ store: (real) => (stored = holding.store(real)) });
const people = await createPeople();
const base = await dumped();

async function createPeople(): Promise<People> {
  const client = await api.createClient({ space: defaultSpace });
  const person = async (username: string, role: 'attending' | 'resident') => {
    const login = { username, password: 'correct horse' };
    const { id } = await api.createUser({ ...login, display_name: `Dr. ${username}`, space: defaultSpace });
    await api.call(contract.users.endpoints.update, { params: { id }, body: { role } });
    return { id, token: (await api.tokens({ client, login })).access_token };
  };
  const [helena, bruno] = [await person('helena', 'attending'), await person('bruno', 'resident')];
  return { attending: helena.token, resident: bruno.token, attendingId: helena.id, residentId: bruno.id };
}

async function dumped(): Promise<StoredDocument[]> {
  const documents: StoredDocument[] = [];
  for await (const each of stored.dump()) documents.push(each);
  return documents;
}

async function* each(documents: readonly StoredDocument[]): AsyncGenerator<StoredDocument, void> {
  yield* documents;
}

/** What of a document is drawn, or follows from how often something was tried, and says nothing of what was done. */
const passing: Readonly<Record<string, readonly string[]>> = {
  items: ['commit'],
  deliveries: ['attempts', 'next_attempt_at'],
  clients: ['secret_hash', 'former_secret'],
  users: ['password_hash', 'pin'],
  webhooks: ['secrets'],
};
const unseen = new Set(['audit', 'audit_head', 'idempotency', 'codes', 'refresh_tokens', 'settings']);

/** All that is stored, with the new ids in the order of their making. */
async function outcome(before: readonly StoredDocument[]): Promise<string> {
  const known = new Set(before.map(({ document }) => document.id));
  const lines: string[] = [];
  const documents = (await dumped()).toSorted((a, b) =>
    `${a.collection} ${a.document.id}` < `${b.collection} ${b.document.id}` ? -1 : 1,
  );
  for (const { collection, document } of documents) {
    if (unseen.has(collection)) continue;
    const leftOut = passing[collection] ?? [];
    lines.push(
      `${collection} ${JSON.stringify(document, (key, value: unknown) => {
        if (leftOut.includes(key)) return value === undefined ? undefined : 'some';
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
        return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
      })}`,
    );
  }
  return withNamedIds(lines, known).join('\n');
}

const newIds = /\b[a-z]{2,3}_[0-9A-Z]{26}\b/g;

/** The lines with new ids by what they are of: of two calls that make something, whichever drew its ids first. */
function withNamedIds(lines: readonly string[], known: ReadonlySet<string>): string[] {
  const blank = (line: string): string => line.replaceAll(newIds, (id) => (known.has(id) ? id : 'new'));
  const mentions = Map.groupBy(
    lines.flatMap((line) => line.match(newIds) ?? []),
    (id) => id,
  );
  const weight = (line: string): string => {
    const count = (line.match(newIds) ?? []).reduce((sum, id) => sum + mentions.get(id)!.length, 0);
    return `${blank(line)} ${String(count).padStart(6, '0')}`;
  };
  const names = new Map<string, string>();
  return lines
    .toSorted((a, b) => (weight(a) < weight(b) ? -1 : 1))
    .map((line) =>
      line.replaceAll(newIds, (id) =>
        known.has(id) ? id : (names.get(id) ?? names.set(id, `new_${names.size}`).get(id)!),
      ),
    );
}

const ask = ({ endpoint, ask }: RacingCall): Promise<Answer> => api.call(endpoint, ask);
const said = ({ status, error }: Answer): string => (status < 400 ? String(status) : `${status} ${error?.code}`);
/** An answer that says to do it again, by which nothing is lost. */
const asksAgain = ({ status, error }: Answer): boolean =>
  status === 412 || error?.code === 'VERSION_CONFLICT' || error?.code === 'REQUEST_IN_PROGRESS';

/** Tries pairs in a scene. */
async function createRaces(build: () => Promise<Scene>) {
  await stored.replace(each(base));
  const scene = await build();
  const before = [...(await dumped()), ...(scene.planted ?? [])];
  const begin = () => stored.replace(each(before));
  const inOrder = new Map<string, Promise<string>>();
  const after = async (calls: readonly RacingCall[]): Promise<string> => {
    await begin();
    const answers: string[] = [];
    for (const call of calls) answers.push(said(await ask(call)));
    return `${calls
      .map(({ name }, at) => `${name}: ${answers[at]}`)
      .toSorted()
      .join(', ')}\n${await outcome(before)}`;
  };
  const once = async (calls: readonly RacingCall[]): Promise<string> => {
    const key = calls.map(({ name }) => name).join(' > ');
    const found = inOrder.get(key);
    if (found) return found;
    const made = after(calls);
    inOrder.set(key, made);
    return made;
  };
  /** What is wrong with what came of the pair; `undefined`: nothing. */
  async function race(held: RacingCall, passes: RacingCall): Promise<string | undefined> {
    await begin();
    const under = await holding.begin(0, () => ask(held));
    if (!under.isHeld) return void (await under.release());
    const second = await ask(passes);
    const first = await under.release();
    const state = await outcome(before);
    const answers = [`${held.name}: ${said(first)}`, `${passes.name}: ${said(second)}`].toSorted().join(', ');
    if (first.status >= 500 || second.status >= 500) return `${answers}`;
    const real = `${answers}\n${state}`;
    const allowed = [await once([passes, held]), await once([held, passes])];
    if (allowed.includes(real)) return undefined;
    if (asksAgain(first) && (await once([passes])).split('\n').slice(1).join('\n') === state) return undefined;
    return `${answers}; one after the other ${allowed.map((each) => each.split('\n')[0]).join(' or ')}`;
  }
  /** Those pairs in which one call writes of what the other reads before its transaction: no others can come to anything else. */
  async function pairs(): Promise<(readonly [held: RacingCall, passes: RacingCall])[]> {
    const touched = new Map<RacingCall, Touched>();
    for (const call of scene.calls) {
      await begin();
      touched.set(call, await holding.watch(() => ask(call)));
    }
    return scene.calls.flatMap((held) =>
      scene.calls
        .filter((passes) => [...touched.get(passes)!.written].some((each) => touched.get(held)!.read.has(each)))
        .map((passes) => [held, passes] as const),
    );
  }
  return { pairs, race };
}

const scenes: Readonly<Record<string, () => Promise<Scene>>> = {
  ...examScenes(api, people),
  'a wordbook': () => wordbookScene(api, people),
  accounts: () => accountScene(api, people),
  channels: () => channelScene(api, people),
};

test('every changing call of the contract is raced, or says why not', async () => {
  const raced = new Set<string>();
  for (const build of Object.values(scenes)) {
    await stored.replace(each(base));
    for (const { name } of (await build()).calls) raced.add(name.split(' ')[0]!);
  }
  const missing = [...changingPlaces.keys()].filter((place) => !raced.has(place) && !Object.hasOwn(lonely, place));
  expect(missing).toEqual([]);
  expect([...raced, ...Object.keys(lonely)].filter((place) => !changingPlaces.has(place))).toEqual([]);
});

/** Of each scene in the gate, which tries about two of them in 50 ms. */
const mostPairs = 20;

describe('two concurrent calls have the result of one after the other', () => {
  test.for(Object.entries(scenes))('%s', async ([, build]) => {
    const { pairs, race } = await createRaces(build);
    const wrong: string[] = [];
    for (const [held, passes] of sampled(await pairs(), mostPairs)) {
      const problem = await race(held, passes);
      if (problem !== undefined) wrong.push(problem);
    }
    expect(wrong).toEqual([]);
  });
});
