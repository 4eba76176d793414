import { appendFile, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { examFields, startApi, succeeded } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const { channels, worklists } = contract;
let api: Api;
beforeAll(async () => void (api = await startApi()));

let count = 0;
/** A channel over a folder of its own, in the space of the test client. */
async function folder(settings: Record<string, unknown> = {}) {
  const path = await temporaryDirectory();
  const name = `folder-${++count}`;
  const added = await api.call(channels.endpoints.add, {
    body: { name, kind: 'folder-in', space: 'test_tc_local', settings: { path, ...settings } },
  });
  const params = { channel: name };
  return {
    path,
    params,
    channel: succeeded(added, 201),
    queue: async () => succeeded(await api.call(channels.endpoints.queue, { params })).items,
    state: async () => succeeded(await api.call(channels.endpoints.get, { params })).state,
    /** Lets time go by until that holds. */
    until: (holds: () => unknown) =>
      eventually(async () => {
        api.clock.advance(1000);
        await holds();
      }),
  };
}

const exams = async (query: object) =>
  succeeded(await api.call(worklists.endpoints.list, { query: { ...query } })).items;

describe('folder-in', () => {
  test('takes a file over once it has not changed for a while, and moves it to done', async () => {
    const { path, channel, queue, until } = await folder();
    expect(channel).toMatchObject({ state: { status: 'open', address: path }, counts: { waiting: 0, refused: 0 } });
    await writeFile(join(path, 'a.json'), JSON.stringify(examFields({ accession_number: 'F-1' })));
    await until(async () => expect(await readdir(join(path, 'done'))).toEqual(['a.json']));
    expect(await queue()).toMatchObject([{ state: 'taken', changes: { inserted: 1 }, format: 'json' }]);
    expect(await exams({ q: 'F-1' })).toMatchObject([{ accession_number: 'F-1', source_system: channel.name }]);
  });

  test('moves unusable files to refused, each with the reason; corrected, one is retried', async () => {
    const { path, params, queue, until } = await folder();
    const bad = examFields({ accession_number: 'F-2', modality: 'NONSENSE' });
    await writeFile(join(path, 'b.json'), JSON.stringify([bad, examFields({ accession_number: 'F-3' })]));
    await until(async () =>
      expect((await readdir(join(path, 'refused'))).toSorted()).toEqual(['b.json', 'b.json.reason.txt']),
    );
    const reason = await readFile(join(path, 'refused', 'b.json.reason.txt'), 'utf8');
    expect(reason).toContain('modality');
    expect(reason).toContain('1 of its exams were imported');
    const [message] = await queue();
    expect(message).toMatchObject({ state: 'refused', error: { place: 'modality' }, changes: { inserted: 1 } });
    expect(succeeded(await api.call(channels.endpoints.retryAll, { params }))).toEqual({ retried: 1, refused: 1 });
    const dropped = await api.call(channels.endpoints.drop, { params: { id: message!.id } });
    expect(succeeded(dropped).state).toBe('dropped');
    expect((await api.call(channels.endpoints.retry, { params: { id: message!.id } })).status).toBe(409);
  });

  test('leaves unfinished files, folders and links alone, and says so of links', async () => {
    const { path, state, until } = await folder();
    const text = JSON.stringify(examFields({ accession_number: 'F-4' }));
    await mkdir(join(path, 'sub'));
    await writeFile(join(path, 'sub', 'c.json'), text);
    await writeFile(join(path, 'd.json.tmp'), text);
    await symlink('/etc/hostname', join(path, 'e.json'));
    await until(async () => expect((await state()).error).toContain('links'));
    await rename(join(path, 'd.json.tmp'), join(path, 'd.json'));
    await until(async () => expect(await readdir(join(path, 'done'))).toEqual(['d.json']));
    expect((await readdir(path)).toSorted()).toEqual(['done', 'e.json', 'refused', 'sub']);
    expect(await readdir(join(path, 'refused'))).toEqual([]);
  });

  test('reads a file again whose writer went on after a pause, also one that was cut off at the pause', async () => {
    const { path, queue, until } = await folder();
    const lineOf = (accession_number: string): string => `${JSON.stringify(examFields({ accession_number }))}\n`;
    const known = async () => (await exams({ q: 'F-P', limit: 50 })).map((exam) => exam.accession_number).toSorted();
    await writeFile(join(path, 'slow.ndjson'), lineOf('F-P1') + lineOf('F-P2'));
    const done = join(path, 'done', 'slow.ndjson');
    await until(async () => expect(await readdir(join(path, 'done'))).toEqual(['slow.ndjson']));
    const [half, rest] = [lineOf('F-P4').slice(0, 20), lineOf('F-P4').slice(20)];
    await appendFile(done, lineOf('F-P3') + half);
    const refused = join(path, 'refused', 'slow.ndjson');
    await until(async () => expect(await readFile(`${refused}.reason.txt`, 'utf8')).not.toBe(''));
    await appendFile(refused, rest);
    await until(async () => expect(await readdir(join(path, 'refused'))).toEqual([]));
    expect(await readdir(join(path, 'done'))).toEqual(['slow.ndjson']);
    expect(await known()).toEqual(['F-P1', 'F-P2', 'F-P3', 'F-P4']);
    expect((await queue()).map(({ state }) => state)).toEqual(['taken', 'refused', 'taken']);
  });

  test('of the same name are both kept; a file that comes back after a crash does nothing', async () => {
    const { path, queue, until } = await folder();
    const done = join(path, 'done');
    const lay = async (accession_number: string) => {
      await writeFile(join(path, 'x.json'), JSON.stringify(examFields({ accession_number })));
    };
    await lay('F-5');
    await until(async () => expect(await readdir(done)).toEqual(['x.json']));
    await lay('F-6');
    await until(async () => expect((await readdir(done)).toSorted()).toEqual(['x.2.json', 'x.json']));
    // A crash between taking over and moving leaves the very file where it was.
    await rename(join(done, 'x.2.json'), join(path, 'x.json'));
    await until(async () => expect((await readdir(done)).toSorted()).toEqual(['x.2.json', 'x.json']));
    expect(await queue()).toHaveLength(2);
  });

  test('that is not there says so, and is tried again', async () => {
    const { path, params, state, until } = await folder();
    const elsewhere = join(path, 'later');
    const changed = await api.call(channels.endpoints.change, { params, body: { settings: { path: elsewhere } } });
    expect(succeeded(changed)).toMatchObject({ version: 2, state: { status: 'failed' } });
    expect(succeeded(changed).state.error).toContain('does not exist');
    await mkdir(elsewhere);
    await until(async () => expect((await state()).status).toBe('open'));
    const off = await api.call(channels.endpoints.change, { params, body: { enabled: false } });
    expect(succeeded(off).state.status).toBe('off');
    expect(succeeded(await api.call(channels.endpoints.test, { params }))).toMatchObject({ works: false });
    await api.call(channels.endpoints.remove, { params });
    expect((await api.call(channels.endpoints.get, { params })).status).toBe(404);
  });

  test.each([
    [{ kind: 'nonsense' }, 'kind'],
    [{ settings: {} }, 'settings.path'],
    [{ settings: { path: 'relative' } }, 'settings.path'],
    [{ settings: { path: '/tmp', colour: 'red' } }, 'settings.colour'],
    [{ name: 'With Spaces' }, 'name'],
  ])('is refused with %j, by name', async (fields, field) => {
    const body = { name: 'bad', kind: 'folder-in', settings: { path: '/tmp' }, ...fields };
    const { status, error } = await api.call(channels.endpoints.add, { body });
    expect([status, error.details.errors[0]?.field]).toEqual([400, field]);
  });
});

test('messages that are done go after thirty days; refused ones wait for somebody, and a monitor sees them', async () => {
  const own = await startApi({}, onTestFinished);
  const path = await temporaryDirectory();
  const body = { name: 'kept', kind: 'folder-in', space: 'test_tc_local', settings: { path, stable_seconds: 1 } };
  const add = await own.call(channels.endpoints.add, { body });
  const params = { channel: succeeded(add, 201).id };
  const states = async () =>
    succeeded(await own.call(channels.endpoints.queue, { params })).items.map(({ state }) => state);
  await writeFile(join(path, 'a.json'), JSON.stringify(examFields()));
  await writeFile(join(path, 'b.json'), JSON.stringify(examFields({ modality: 'NONSENSE' })));
  await eventually(async () => {
    own.clock.advance(1000);
    expect((await states()).toSorted()).toEqual(['refused', 'taken']);
  });
  const { text } = await own.call(contract.system.endpoints.metrics);
  expect(text).toContain('laudio_channel_messages_open{state="refused"} 1');
  expect(text).toContain('laudio_channel_messages_total{direction="in",outcome="taken"} 1');
  own.clock.advance(31 * 24 * 3600 * 1000);
  await eventually(async () => {
    own.clock.advance(15 * 60 * 1000);
    expect(await states()).toEqual(['refused']);
  });
});

test('a DICOM worklist entry without a description is described by its modality; a stored description stays', async () => {
  const { path, until, queue } = await folder({ format: 'dicom-json' });
  const step = { '00080060': { vr: 'CS', Value: ['MR'] }, '00400002': { vr: 'DA', Value: ['20260302'] } };
  const entry = {
    '00080050': { vr: 'SH', Value: ['DW-1'] },
    '00100010': { vr: 'PN', Value: [{ Alphabetic: 'TESTE^PACIENTE' }] },
    '00100020': { vr: 'LO', Value: ['DW-P'] },
    '00400100': { vr: 'SQ', Value: [step] },
  };
  const send = async (name: string, dataSet: object) => {
    await writeFile(join(path, name), JSON.stringify([dataSet]));
    await until(async () => expect(await readdir(join(path, 'done'))).toContain(name));
    const [exam] = await exams({ q: 'DW-1' });
    return exam?.exam_description;
  };
  expect(await send('one.json', entry)).toBe('MR');
  expect((await queue())[0]?.warnings.join()).toContain('a new exam is described by its modality, MR');
  const described = { ...entry, '00321060': { vr: 'LO', Value: ['RM de cranio'] } };
  expect(await send('two.json', described)).toBe('RM de cranio');
  expect(await send('three.json', entry)).toBe('RM de cranio');
  const [exam] = await exams({ q: 'DW-1' });
  expect(exam?.metadata ?? {}).not.toHaveProperty('describe_by_modality');
});
