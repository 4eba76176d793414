/** Autotexts and words in the app: as the service has them, as they were read last, and changed while it is out of reach. */
import { describe, expect, test } from 'vitest';
import type { Bridge } from '../../../desktop/bridge/bridge.ts';
import type { Client } from '../../../src/client/client.ts';
import { bridgeTo, fileOf, outsider, startWorkplace } from '../../support/app-host.ts';
import type { Workplace } from '../../support/app-host.ts';
import { eventually } from '../../support/eventually.ts';

interface Scene {
  readonly place: Workplace;
  readonly bridge: Bridge;
  /** The same person at another computer. */
  readonly other: Client;
}

async function begin(): Promise<Scene> {
  const place = await startWorkplace();
  const bridge = bridgeTo(place.visit());
  await bridge.call('session.start', { place: 'test' });
  return { place, bridge, other: await outsider(place.server) };
}
const isSent = (bridge: Bridge) =>
  eventually(async () => expect((await bridge.call('session.state', {})).waiting).toBe(0));

type Fields = Record<string, unknown>;
/** The calls of one kind, as this suite needs them. */
interface Kind {
  readonly part: 'macros' | 'vocabulary';
  readonly change: 'macro' | 'term';
  readonly words: Fields;
  /** Others of it: by another name, and the same with another text. */
  readonly second: Fields;
  readonly third: Fields;
  readonly edited: Fields;
  readonly theirs: Fields;
  /** Written otherwise, but the same to the service. */
  readonly rival: Fields;
  /** What a refused change shows of `edited`. */
  readonly mine: Fields;
  /** A file with two of them, and one of which the second cannot be taken. */
  readonly file: string;
  readonly damaged: string;
}
const shared = { language: 'en-US', owner: 'person' };
const kinds: readonly Kind[] = [
  {
    part: 'macros',
    change: 'macro',
    words: { name: 'Simple cyst', text: 'Cyst of [__ mm].', section: 'findings', ...shared },
    second: { name: 'new text', text: 'Clear.', section: null, ...shared },
    third: { name: 'old text', text: 'Gone.', section: null, ...shared },
    edited: { text: 'Cyst.' },
    theirs: { text: 'Theirs.' },
    rival: { name: 'simple CYST' },
    mine: { title: 'Simple cyst', text: 'Cyst.' },
    file: 'Name;Text;Section\nnormal chest;"Lungs are clear.\nNo effusion.";findings\nnormal heart;Normal.;\n',
    damaged: 'name,text\nnormal chest,Clear.\n!,Clear.\n',
  },
  {
    part: 'vocabulary',
    change: 'term',
    words: { write: 'Klatskin', for: ['clat skin'], ...shared },
    second: { write: 'McBurney', for: ['mac burney'], ...shared },
    third: { write: 'Bosniak', for: [], ...shared },
    edited: { for: ['klat skin', 'clatskin'] },
    theirs: { for: ['clatsquin'] },
    rival: { write: 'KLATSKIN', for: [] },
    mine: { title: 'Klatskin', text: 'klat skin\nclatskin' },
    file: '# names\nGadovist = gado vist; gadovisto\nCastleman\n',
    damaged: 'Castleman\nleft = right\n',
  },
];

describe.each(kinds)('$part', ({ part, change, words, ...kind }) => {
  const listOf = (bridge: Bridge) => bridge.call(`${part}.list`, {});
  const list = async (bridge: Bridge) => (await listOf(bridge)).items as unknown as Fields[];
  const save = (bridge: Bridge, input: Fields, of?: { id: string; version: number }) =>
    bridge.call(`${part}.save`, { words: input, ...(of && { of }) } as never);
  const make = async (bridge: Bridge, input: Fields = words) => (await save(bridge, input)).item!;
  const remove = (bridge: Bridge, id: string, version: number) => bridge.call(`${part}.delete`, { id, version });
  const read = (bridge: Bridge, file: string, replace = false) =>
    bridge.call(`${part}.import`, { defaults: { language: 'en-US', owner: 'space' }, replace }, fileOf(file));
  const theirsAt = (other: Client, id: string, body: Fields) =>
    other[part].update({ params: { id }, body: body as never });
  const shown = async (bridge: Bridge) =>
    (await list(bridge)).map((item) => ({
      ...Object.fromEntries(Object.keys(words).map((field) => [field, item[field]])),
      waits: item['waits'],
    }));

  test('saved entries are on the service, and those of others are listed', async () => {
    const { bridge, other } = await begin();
    const { id } = await make(bridge);
    await other[part].create({ body: { ...kind.second, owner: 'space' } as never });
    expect(await shown(bridge)).toEqual([
      { ...kind.second, owner: 'space', waits: false },
      { ...words, waits: false },
    ]);
    expect(await save(bridge, { ...words, ...kind.edited }, { id, version: 1 })).toMatchObject({
      outcome: 'saved',
      item: { ...kind.edited, version: 2, waits: false },
    });
    expect((await other[part].get({ params: { id } })).data).toMatchObject({ ...kind.edited, version: 2 });
    expect(await remove(bridge, id, 2)).toEqual({ outcome: 'deleted' });
    expect(await list(bridge)).toMatchObject([{ ...kind.second, owner: 'space' }]);
  });

  test('entries that another person changed or deleted are not overwritten, and nothing is lost', async () => {
    const { bridge, other } = await begin();
    const { id } = await make(bridge);
    await theirsAt(other, id, kind.theirs);
    const edit = { ...words, ...kind.edited };
    const theirs = { ...kind.theirs, version: 2 };
    expect(await save(bridge, edit, { id, version: 1 })).toMatchObject({ outcome: 'conflict', theirs });
    expect(await remove(bridge, id, 1)).toMatchObject({ outcome: 'conflict', theirs });
    expect((await other[part].get({ params: { id } })).data).toMatchObject(theirs);
    await other[part].delete({ params: { id } });
    expect(await save(bridge, edit, { id, version: 2 })).toEqual({ outcome: 'deleted' });
    expect(await remove(bridge, id, 2)).toEqual({ outcome: 'deleted' });
  });

  test('a second one of the same is refused with the words of the service', async () => {
    const { bridge } = await begin();
    const { id } = await make(bridge);
    await expect(make(bridge, { ...words, ...kind.rival })).rejects.toMatchObject({
      code: 'IDENTIFIER_CONFLICT',
      details: { id },
    });
  });

  test('without the service the list is as it was read last, also after a start; changes are sent when it is back', async () => {
    const { place, bridge, other } = await begin();
    const kept = await make(bridge);
    const gone = await make(bridge, kind.third);
    await list(bridge);
    place.network.isUp = false;
    const edit = { ...words, ...kind.edited };
    expect(await save(bridge, edit, { id: kept.id, version: 1 })).toMatchObject({
      outcome: 'queued',
      item: { id: kept.id, ...kind.edited, waits: true },
    });
    expect(await save(bridge, kind.second)).toMatchObject({ outcome: 'queued' });
    expect(await remove(bridge, gone.id, 1)).toEqual({ outcome: 'queued' });
    const waiting = [
      { ...edit, waits: true },
      { ...kind.second, waits: true },
    ];
    expect(await shown(bridge)).toEqual(waiting);
    const again = bridgeTo((await place.restart()).visit());
    expect(await shown(again)).toEqual(waiting);

    place.network.isUp = true;
    await list(again);
    await isSent(again);
    expect(await shown(again)).toEqual(waiting.toReversed().map((item) => ({ ...item, waits: false })));
    const { data } = await other[part].list();
    expect(data.items).toMatchObject([
      { ...kind.second, version: 1 },
      { ...edit, version: 2 },
    ]);
  });

  test('a change that the service refuses later is reported with its words', async () => {
    const { place, bridge, other } = await begin();
    const { id } = await make(bridge);
    place.network.isUp = false;
    await save(bridge, { ...words, ...kind.edited }, { id, version: 1 });
    await theirsAt(other, id, kind.theirs);
    place.network.isUp = true;
    await list(bridge);
    await isSent(bridge);
    expect((await bridge.call('changes.refused', {})).items).toMatchObject([
      { kind: `${change}.update`, subject: id, code: 'VERSION_CONFLICT', mine: kind.mine },
    ]);
    expect(await list(bridge)).toMatchObject([{ ...kind.theirs, waits: false }]);
  });

  test('a file is imported as a whole or not at all, and never without the service', async () => {
    const { place, bridge } = await begin();
    const refused = await read(bridge, kind.damaged);
    expect(refused).toMatchObject({
      created: 0,
      problems: { count: 1, first: [{ place: { line: expect.any(Number) } }] },
    });
    expect(await list(bridge)).toEqual([]);
    expect(await read(bridge, kind.file)).toMatchObject({ created: 2, problems: { count: 0 } });
    expect(await list(bridge)).toMatchObject([
      { owner: 'space', language: 'en-US' },
      { owner: 'space', language: 'en-US' },
    ]);
    expect(await read(bridge, kind.file)).toMatchObject({ problems: { count: 2 } });
    expect(await read(bridge, kind.file, true)).toMatchObject({ unchanged: 2 });
    await expect(read(bridge, '')).rejects.toMatchObject({ code: 'USAGE' });
    place.network.isUp = false;
    await expect(read(bridge, kind.file)).rejects.toMatchObject({ code: 'NETWORK' });
  });
});

test('more than a page of them is listed, each once', async () => {
  const { bridge, other } = await begin();
  const items = Array.from({ length: 450 }, (_, n) => ({ name: `text ${n}`, text: 'Clear.' }));
  await other.macros.import({ body: { items } });
  const names = (await bridge.call('macros.list', {})).items.map(({ name }) => name);
  expect([names.length, new Set(names).size]).toEqual([450, 450]);
});

test('a word that the service could not take is refused at once, also without the service', async () => {
  const { place, bridge } = await begin();
  place.network.isUp = false;
  const words = { write: 'left', for: ['right'], language: 'en-US', owner: 'person' } as const;
  await expect(bridge.call('vocabulary.save', { words: { ...words, for: [...words.for] } })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  });
  expect((await bridge.call('vocabulary.list', {})).items).toEqual([]);
});
