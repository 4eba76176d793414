/** Preliminary documents: signed by residents, reviewed and co-signed by attendings. */
import * as fc from '../../support/properties.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import type { UserRole } from '../../../src/contract/admin.ts';
import type { RecordUpdate } from '../../../src/contract/record.ts';
import type { Caller } from '../../../server/http/call.ts';
import { createRecordService } from '../../support/record-service.ts';
import type { RecordService } from '../../support/record-service.ts';

type Person = keyof typeof people;
const people = {
  caio: { name: 'Dr. Caio Nunes', role: 'resident', licence: 'CRM-SP 22' },
  lia: { name: 'Dra. Lia Rocha', role: 'resident' },
  helena: { name: 'Dra. Helena Prado', role: 'attending', licence: 'CRM-SP 1', place: 'São Paulo' },
  rui: { name: 'Dr. Rui Sá', role: 'attending' },
  ana: { name: 'Dra. Ana Sem Papel', role: undefined },
} as const satisfies Record<string, { name: string; role: UserRole | undefined; licence?: string; place?: string }>;

const callerOf = (person: Person): Partial<Caller> => ({
  user: { id: `usr_${person}`, username: person, display_name: people[person].name },
});

async function clinic(): Promise<RecordService> {
  const service = await createRecordService();
  await service.store.transact(async (tx) => {
    for (const [username, { name, ...rest }] of Object.entries(people))
      tx.put('users', {
        id: `usr_${username}`,
        username,
        display_name: name,
        space: 'local',
        created_at: '2026-03-01T00:00:00.000Z',
        password_hash: '',
        ...(JSON.parse(JSON.stringify(rest)) as object),
      });
  });
  return service;
}

let service: RecordService;
let item: string;
let id: string;

const update = async (body: RecordUpdate, person: Person): Promise<MedicalRecord> =>
  (await service.routes.records.update({ params: { id }, body }, service.call({ caller: callerOf(person) }))).data;
const itemNow = async () => (await service.store.get('items', item))!;
const versions = async () =>
  (await service.routes.records.versions({ params: { id }, query: { limit: 50 } }, service.call())).data.items;
const wordsOf = (text: string) => async () => {
  const { sections } = await service.get(id);
  return sections.map((section, at) => (at === 0 ? { ...section, text } : section));
};
const withWords = async (text: string) => ({ sections: await wordsOf(text)() });
const events = async () => (await service.announced()).map(({ type }) => type);

beforeEach(async () => {
  service = await clinic();
  item = await service.exam();
  ({ id } = await service.generate(
    { text: 'Paciente Teste. Achados: nódulo. Impressão: normal.', worklist_item_id: item },
    { caller: callerOf('caio') },
  ));
});

describe('a resident', () => {
  test('signs as preliminary: the exam stays in progress, and the version keeps role and licence', async () => {
    const record = await update({ status: 'preliminary' }, 'caio');
    expect(record).toMatchObject({ status: 'preliminary', preliminary: { by: 'Dr. Caio Nunes', version: 2 } });
    expect(record).not.toHaveProperty('signatory_id');
    expect((await versions())[0]).toMatchObject({
      change: 'preliminary',
      status: 'preliminary',
      who: 'Dr. Caio Nunes',
      signer: { role: 'resident', licence: 'CRM-SP 22' },
      open_findings: expect.any(Array),
    });
    expect(await itemNow()).toMatchObject({ status: 'in_progress', report: { status: 'preliminary' } });
    expect(await service.announced()).toEqual([
      {
        type: 'worklist.document.preliminary',
        data: {
          record_id: id,
          worklist_item_id: item,
          accession_number: (await itemNow()).accession_number,
          status: 'preliminary',
          version: 2,
          signed: false,
          addendum: false,
          correction: false,
        },
      },
    ]);
  });

  test('names who makes it final', async () => {
    await expect(update({ status: 'final' }, 'caio')).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'A resident signs a document as preliminary; an attending makes it final.',
      details: { status: 'draft', allowed: ['preliminary'] },
    });
    expect(await service.get(id)).toMatchObject({ status: 'draft', version: 1 });
  });

  test('signs over no open warning unawares', async () => {
    const blank = await withWords('Nódulo de [__ mm].');
    await expect(update({ ...blank, status: 'preliminary', require_resolved: true }, 'caio')).rejects.toMatchObject({
      code: 'OPEN_FINDINGS',
    });
  });

  test('changing one’s own signed report makes it a draft again, by hand and by an instruction', async () => {
    for (const change of [
      async () => update(await withWords('Nódulo de 4 mm.'), 'caio'),
      async () =>
        (
          await service.routes.records.correct(
            { params: { id }, body: { text: 'Nos achados, substituir nódulo por cisto.' } },
            service.call({ caller: callerOf('caio') }),
          )
        ).data.record,
      async () => update({ status: 'draft' }, 'caio'),
    ]) {
      await update({ status: 'preliminary' }, 'caio');
      const record = await change();
      expect(record.status).toBe('draft');
      expect(record).not.toHaveProperty('preliminary');
      expect((await versions())[0]).toMatchObject({ change: 'reopened', status: 'draft' });
      expect(await itemNow()).toMatchObject({ status: 'in_progress', report: { status: 'draft' } });
    }
    expect((await events()).filter((type) => type === 'worklist.document.withdrawn')).toHaveLength(3);
  });

  test('signs again their own changes, in one call', async () => {
    await update({ status: 'preliminary' }, 'caio');
    const record = await update({ ...(await withWords('Nódulo de 4 mm.')), status: 'preliminary' }, 'caio');
    expect(record).toMatchObject({ status: 'preliminary', version: 3, preliminary: { version: 3 } });
  });

  test('adds nothing to a final document, and has no say in the preliminary one of another', async () => {
    await update({ status: 'preliminary' }, 'caio');
    await expect(update(await withWords('x'), 'lia')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await update({ status: 'final' }, 'helena');
    const { sections } = await service.get(id);
    const added = [...sections, { key: 'addendum', title: 'Adendo', text: 'Mais.' }];
    await expect(update({ sections: added }, 'caio')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await update({ sections: added }, 'helena')).toMatchObject({ status: 'final', version: 4 });
  });
});

describe('an attending', () => {
  beforeEach(() => update({ status: 'preliminary' }, 'caio'));

  test('changes and co-signs: both signatures stay, and the exam is completed', async () => {
    const reviewed = await update(await withWords('Nódulo de 4 mm.'), 'helena');
    expect(reviewed).toMatchObject({ status: 'preliminary', version: 3, preliminary: { version: 2 } });
    const record = await update({ status: 'final', require_resolved: true, acknowledged: [] }, 'helena');
    expect(record).toMatchObject({ status: 'final', preliminary: { by: 'Dr. Caio Nunes', version: 2 } });
    expect((await versions()).map(({ change, who }) => `${change} ${who}`)).toEqual([
      'signed Dra. Helena Prado',
      'edited Dra. Helena Prado',
      'preliminary Dr. Caio Nunes',
      'generated Dr. Caio Nunes',
    ]);
    expect((await versions())[0]).toMatchObject({
      signer: { role: 'attending', licence: 'CRM-SP 1', place: 'São Paulo' },
    });
    expect(await itemNow()).toMatchObject({ status: 'completed', report: { status: 'final' } });
    expect(await events()).toEqual(['worklist.document.preliminary', 'worklist.document.completed']);
  });

  test('sends it back with a note: the exam is the resident’s, and the next signature answers the note', async () => {
    await service.worklist.routes.setStatus(
      { params: { id: item }, body: { status: 'in_progress', metadata: { take_over: true } } },
      service.call({ caller: callerOf('helena') }),
    );
    expect(await itemNow()).toMatchObject({ assigned_to: 'Dra. Helena Prado' });
    const note = 'Meça o nódulo de novo.';
    const record = await update({ status: 'draft', note }, 'helena');
    expect(record).toMatchObject({ status: 'draft', sent_back: { by: 'Dra. Helena Prado', note } });
    expect(record).not.toHaveProperty('preliminary');
    expect((await versions())[0]).toMatchObject({ change: 'sent_back', note });
    expect(await itemNow()).toMatchObject({ assigned_to: 'Dr. Caio Nunes', report: { status: 'draft' } });
    // An answer that was lost: asked again, nothing more happens.
    expect(await update({ status: 'draft', note }, 'helena')).toMatchObject({ version: record.version });
    expect(await update(await withWords('Nódulo de 4 mm.'), 'caio')).toHaveProperty('sent_back');
    expect(await update({ status: 'preliminary' }, 'caio')).not.toHaveProperty('sent_back');
  });

  test('a note belongs to what is sent back, and to nothing else', async () => {
    for (const [body, person] of [
      [{ status: 'final', note: 'x' }, 'helena'],
      [{ note: 'x' }, 'helena'],
      [{ status: 'draft', note: 'x' }, 'caio'],
    ] as const)
      await expect(update(body, person)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('decides about findings; others do not', async () => {
    await update({ status: 'draft' }, 'caio');
    await update(await withWords('Nódulo à direita. Nódulo à esquerda de 3 cm e de 3 mm.'), 'caio');
    const { findings_to_review: found = [] } = await update({ status: 'preliminary' }, 'caio');
    const finding = found.find(({ status }) => status === 'open');
    if (!finding) return expect.fail('the text has no finding');
    const decide = (person: Person) =>
      service.routes.reviews.decide(
        { params: { id, finding: finding.id }, body: { status: 'dismissed' } },
        service.call({ caller: callerOf(person) }),
      );
    await expect(decide('ana')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await decide('helena')).data).toMatchObject({ status: 'preliminary' });
  });
});

test('nothing replaces a preliminary document unasked: the exam takes no other dictation', async () => {
  await update({ status: 'preliminary' }, 'caio');
  await expect(
    service.generate({ text: 'Achados: outro.', worklist_item_id: item }, { caller: callerOf('caio') }),
  ).rejects.toMatchObject({ code: 'INVALID_TRANSITION', details: { record_id: id } });
});

test('an application has no part in it', async () => {
  await update({ status: 'preliminary' }, 'caio');
  await expect(
    service.routes.records.update(
      { params: { id }, body: { status: 'final' } },
      service.call({ caller: { user: null } }),
    ),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('a role that the operator takes counts from the next call on', async () => {
  await update({ status: 'preliminary' }, 'caio');
  await service.store.transact(async (tx) => {
    const { role: _role, ...plain } = (await tx.get('users', 'usr_helena'))!;
    tx.put('users', plain);
  });
  await expect(update({ status: 'final' }, 'helena')).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

const action = fc.record({
  person: fc.constantFrom<Person>('caio', 'lia', 'helena', 'rui', 'ana'),
  status: fc.constantFrom(undefined, 'draft' as const, 'preliminary' as const, 'final' as const),
  words: fc.constantFrom(undefined, 'Um.', 'Dois.', 'Três.'),
});

test('in whatever order people act: only attendings co-sign, nobody speaks under another’s signature', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async (actions) => {
      service = await clinic();
      item = await service.exam();
      ({ id } = await service.generate({ text: 'Achados: nódulo.', worklist_item_id: item }));
      for (const { person, status, words } of actions) {
        const before = await service.get(id);
        const body = { ...(status && { status }), ...(words !== undefined && (await withWords(words))) };
        if (Object.keys(body).length === 0) continue;
        const { role } = people[person];
        const after = await update(body, person).catch((error: { code: string }) => {
          expect(['FORBIDDEN', 'INVALID_TRANSITION']).toContain(error.code);
          return service.get(id);
        });
        const moved = `${before.status} ${after.status}`;
        if (after.version === before.version) expect(after).toEqual(before);
        if (moved === 'draft final') expect(role).not.toBe('resident');
        if (moved === 'preliminary final') expect(role).toBe('attending');
        if (before.status === 'final') expect(after.status).toBe('final');
        if (after.status === 'draft') expect(after).not.toHaveProperty('preliminary');
        if (after.status === 'preliminary') {
          const { by, version } = after.preliminary!;
          const since = (await versions()).filter((each) => each.version > version);
          expect([people.caio.name, people.lia.name]).toContain(by);
          expect(since.every(({ who }) => who === people.helena.name || who === people.rui.name)).toBe(true);
        }
        const exam = await itemNow();
        expect(exam.report?.status).toBe(after.status);
        expect(exam.status).toBe(after.status === 'final' ? 'completed' : 'in_progress');
      }
    }),
    { numRuns: 15 },
  );
});

test('a signature as preliminary, and one that co-signs, can be taken back in their grace period', async () => {
  await update({ status: 'preliminary', grace_seconds: 60 }, 'caio');
  expect(await service.get(id)).toMatchObject({ status: 'draft', signing: { by: 'Dr. Caio Nunes' } });
  expect(await itemNow()).toMatchObject({ report: { status: 'signing' } });
  await service.routes.signatures.takeBack({ params: { id } }, service.call({ caller: callerOf('caio') }));
  await update({ status: 'preliminary', grace_seconds: 60 }, 'caio');
  await service.pass(60_000);
  expect(await service.get(id)).toMatchObject({
    status: 'preliminary',
    version: 2,
    preliminary: { by: 'Dr. Caio Nunes', version: 2 },
  });
  expect(await itemNow()).toMatchObject({ status: 'in_progress', report: { status: 'preliminary' } });
  await update({ ...(await withWords('Nódulo de 4 mm.')), status: 'final', grace_seconds: 60 }, 'helena');
  expect(await service.get(id)).toMatchObject({ status: 'preliminary', version: 3, signing: {} });
  await expect(update({ status: 'draft' }, 'rui')).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  await service.pass(60_000);
  expect(await service.get(id)).toMatchObject({ status: 'final', version: 4, preliminary: { version: 2 } });
  expect((await versions())[0]).toMatchObject({ change: 'signed', signer: { role: 'attending' } });
  expect(await events()).toEqual(['worklist.document.preliminary', 'worklist.document.completed']);
});
