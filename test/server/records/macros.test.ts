/** Macros in documents: whose can be called, in which order they are looked for, and what a document says of them. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import { startApi, succeeded } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';

const { create, update } = contract.macros.endpoints;
const { result } = contract.jobs.endpoints;
const { provenance, undo } = contract.reviews.endpoints;
const { update: edit, correct } = contract.records.endpoints;

const start = (): Promise<Api> => startApi({}, onTestFinished);
const findingsOf = ({ sections }: Pick<MedicalRecord, 'sections'>) =>
  sections.find(({ key }) => key === 'findings')?.text;
const said = 'Paciente Teste. Achados: tórax normal.';

/** A client of real data, and what its people make and dictate. */
async function people(api: Api, ...names: string[]) {
  const client = await api.createClient();
  return Promise.all(
    names.map(async (username) => {
      const login = { username, password: 'right-here-1' };
      await api.createUser(login);
      const { access_token: token } = await api.tokens({ client, login });
      return {
        macro: async (body: object) =>
          succeeded(await api.call(create, { body: { name: 'tórax normal', ...body }, token }), 201),
        dictate: async (text = said, language = 'pt-BR' as const) =>
          api.generate({ text, language, template_id: 'general' }, { token }),
        token,
      };
    }),
  );
}

test('a person’s macro goes before the space’s; a colleague gets the space’s, and a stranger none', async () => {
  const api = await start();
  const [helena, bruno] = await people(api, 'helena', 'bruno');
  await helena!.macro({ text: 'Do espaço.', owner: 'space' });
  await helena!.macro({ text: 'De Helena.' });
  expect(findingsOf(await helena!.dictate())).toBe('De Helena.');
  expect(findingsOf(await bruno!.dictate())).toBe('Do espaço.');
  expect(findingsOf(await api.generate({ text: said, language: 'pt-BR' }))).toBe('Tórax normal.');
});

test('one in the language of the document goes before one in every language; one in another is not called', async () => {
  const api = await start();
  const [helena] = await people(api, 'helena');
  await helena!.macro({ text: 'English.', language: 'en-US' });
  expect(findingsOf(await helena!.dictate())).toBe('Tórax normal.');
  await helena!.macro({ text: 'Em toda língua.' });
  expect(findingsOf(await helena!.dictate())).toBe('Em toda língua.');
  await helena!.macro({ text: 'Em português.', language: 'pt-BR' });
  expect(findingsOf(await helena!.dictate())).toBe('Em português.');
});

test('a person’s goes before the template’s', async () => {
  const api = await start();
  const [helena] = await people(api, 'helena');
  const name = 'radiografia de tórax normal';
  const dictate = () =>
    api.generate({ text: `Achados: ${name}.`, language: 'pt-BR', template_id: 'chest_xray' }, { token: helena!.token });
  expect(findingsOf(await dictate())).toContain('Pulmões com transparência preservada.');
  await helena!.macro({ name, text: 'De Helena.' });
  expect(findingsOf(await dictate())).toBe('De Helena.');
});

test('a job calls the macros of whoever asked for it', async () => {
  const api = await start();
  const [helena, bruno] = await people(api, 'helena', 'bruno');
  await helena!.macro({ text: 'De Helena.' });
  for (const [person, findings] of [
    [helena!, 'De Helena.'],
    [bruno!, 'Tórax normal.'],
  ] as const) {
    const { token } = person;
    const { id } = await api.enqueue({ text: said, language: 'pt-BR' }, { token });
    await api.ended(id, { token });
    expect(findingsOf(succeeded(await api.call(result, { params: { id }, token })) as MedicalRecord)).toBe(findings);
  }
});

describe('text brought by a macro', () => {
  const chest = 'Mama direita normal. Hilo [lado: direito|esquerdo] de 8 mm.';

  test('has the origin macro, and the provenance names it', async () => {
    const api = await start();
    const [helena] = await people(api, 'helena');
    await helena!.macro({ text: chest, section: 'findings' });
    const { id } = await helena!.dictate('Impressão: normal. Inserir tórax normal.');
    const { words, operations } = succeeded(await api.call(provenance, { params: { id }, token: helena!.token }));
    expect(words.filter(({ section }) => section === 'findings')).toMatchObject([
      { origin: 'macro', start: 0, end: chest.length },
    ]);
    expect(operations.find(({ step }) => step === 'macros')).toMatchObject({
      macro: { name: 'tórax normal', owner: 'person' },
      before: 'Inserir tórax normal.',
      after: chest,
    });
  });

  test('raises no alarm but for its open field, also once the macro is another one', async () => {
    const api = await start();
    const [helena] = await people(api, 'helena');
    const { token } = helena!;
    const { id: macro } = await helena!.macro({ name: 'mama direita oito', text: chest });
    const record = await helena!.dictate('Achados: mama direita oito.');
    const open = ({ findings_to_review: all = [] }: MedicalRecord) =>
      all.filter(({ severity, status }) => severity === 'warning' && status === 'open').map(({ kind }) => kind);
    expect(open(record)).toContain('field_open');
    await api.call(update, { params: { id: macro }, body: { name: 'outro nome', text: 'Outro.' }, token });
    const sections = record.sections.map((section) => ({
      ...section,
      text: section.text.replace('[lado: direito|esquerdo]', 'direito'),
    }));
    const edited = succeeded(await api.call(edit, { params: { id: record.id }, body: { sections }, token }));
    expect(open(edited)).toEqual(open(record).filter((kind) => kind !== 'field_open'));
    expect(open(edited).filter((kind) => /side|number|negation/.test(kind))).toEqual([]);
  });
});

describe('an instruction', () => {
  /** The record after the instructions, one after the other, and where its words come from. */
  async function corrected(instructions: readonly string[], macro: object) {
    const api = await start();
    const [helena] = await people(api, 'helena');
    const { token } = helena!;
    await helena!.macro(macro);
    let record = await helena!.dictate('Achados: coração normal. Impressão: normal.');
    const { id } = record;
    for (const text of instructions) {
      record = succeeded(await api.call(correct, { params: { id }, body: { text }, token })).record;
    }
    return {
      record,
      traced: succeeded(await api.call(provenance, { params: { id }, token })),
      undo: (operation: string) => api.call(undo, { params: { id }, body: { operation }, token }),
    };
  }

  test('brings a macro, whose words have its origin and its name', async () => {
    const { record, traced } = await corrected(['inserir tórax normal'], { text: 'Pulmões limpos.\nCoração normal.' });
    expect(findingsOf(record)).toBe('Coração normal. Pulmões limpos.\nCoração normal.');
    const words = traced.words.filter(({ section }) => section === 'findings');
    expect(words.map(({ origin }) => origin)).toEqual(['said', 'macro']);
    const operation = traced.operations.find(({ id }) => id === words[1]!.operation);
    expect(operation).toMatchObject({
      step: 'edits',
      macro: { name: 'tórax normal', owner: 'person' },
      target: { section: 'findings', start: 16, end: words[1]!.end },
    });
  });

  test('that brought a macro is taken back alone; what was added since stays', async () => {
    const text = 'Pulmões limpos.\nSem derrame.';
    const { record, traced, undo } = await corrected(['inserir tórax normal', 'acrescentar baço normal nos achados'], {
      text,
    });
    expect(findingsOf(record)).toBe(`Coração normal. ${text}\nBaço normal.`);
    const { id } = traced.operations.find(({ macro }) => macro?.name === 'tórax normal')!;
    expect(findingsOf(succeeded(await undo(id)))).toBe('Coração normal. Baço normal.');
    expect(await undo(id)).toMatchObject({ status: 404 });
  });

  test('brings one of a section that the document cannot have where the instruction says', async () => {
    const macro = { text: 'Pulmões limpos.', section: 'dermoscopy' };
    const { record } = await corrected(['inserir tórax normal na impressão'], macro);
    expect(findingsOf(record)).toBe('Coração normal.');
    expect(record.sections.at(-1)).toMatchObject({ key: 'impression', text: 'Normal. Pulmões limpos.' });
  });

  test('fills in the field that a macro brought, and the rest of its words stay the macro’s', async () => {
    const instructions = ['inserir tórax normal', 'preencher medida com cinco'];
    const { record, traced } = await corrected(instructions, { text: 'Hilo de [__ mm].' });
    expect(findingsOf(record)).toBe('Coração normal. Hilo de 5 mm.');
    const open = record.findings_to_review?.filter(({ status }) => status === 'open').map(({ kind }) => kind);
    expect(open).not.toContain('field_open');
    const text = findingsOf(record)!;
    expect(
      traced.words
        .filter(({ section }) => section === 'findings')
        .map(({ origin, start, end }) => [origin, text.slice(start, end)]),
    ).toEqual([
      ['said', 'Coração normal'],
      ['macro', 'Hilo de'],
      ['edited', '5'],
      ['macro', 'mm'],
    ]);
  });
});
