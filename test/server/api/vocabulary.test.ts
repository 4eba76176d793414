/** Vocabulary over HTTP (extension): what its words may be, imports, and what becomes of a dictation and of a prompt. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import type { Term } from '../../../src/contract/vocabulary.ts';
import type { TranscribeInput } from '../../../server/speech/recogniser.ts';
import { termsFor } from '../../../server/speech/openai/recogniser/terms.ts';
import { startApi, succeeded } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';
import { controlledEngine } from '../../support/controlled-engine.ts';
import { exportOf, seedTo } from '../../support/maintenance.ts';

const { list, create, update, delete: remove, import: importAll } = contract.vocabulary.endpoints;
const { provenance, undo } = contract.reviews.endpoints;
const { reset } = contract.maintenance.endpoints;

const start = (): Promise<Api> => startApi({}, onTestFinished);
const add = async (api: Api, body: object): Promise<Term> => succeeded(await api.call(create, { body }), 201);
const wordsOf = async (api: Api): Promise<string[]> => succeeded(await api.call(list)).items.map(({ write }) => write);

describe('a word', () => {
  test('is the caller’s, in every language, for nothing but itself, unless somebody says otherwise', async () => {
    const api = await start();
    expect(await add(api, { write: '  Klatskin ' })).toMatchObject({
      id: expect.stringMatching(/^trm_[0-9A-HJKMNP-TV-Z]{26}$/),
      write: 'Klatskin',
      for: [],
      language: null,
      owner: 'person',
      version: 1,
    });
    expect(await add(api, { write: 'McBurney', for: ['mac  burney', 'Mac-Burney', 'mack burney'] })).toMatchObject({
      for: ['mac burney', 'mack burney'],
    });
  });

  test('changes, and goes, with the scope of macros', async () => {
    const api = await start();
    const { access_token: token } = await api.tokens({ scopes: ['medical_records:read', 'medical_records:write'] });
    const { id } = await add(api, { write: 'Klatskin', for: ['clat skin'] });
    expect(succeeded(await api.call(list, { token })).items).toHaveLength(1);
    for (const refused of [
      await api.call(create, { body: { write: 'x y' }, token }),
      await api.call(update, { params: { id }, body: { write: 'x' }, token }),
      await api.call(remove, { params: { id }, token }),
    ])
      expect(refused).toMatchObject({ status: 403, error: { details: { required_scope: 'macros:write' } } });
    const changed = await api.call(update, { params: { id }, body: { for: [], owner: 'space' } });
    expect(changed).toMatchObject({ data: { write: 'Klatskin', for: [], owner: 'space', version: 2 } });
    expect((await api.call(update, { params: { id }, body: { for: [] } })).data).toMatchObject({ version: 2 });
    expect((await api.call(remove, { params: { id } })).status).toBe(200);
    expect(await wordsOf(api)).toEqual([]);
  });

  test('and what it is written for are in a vocabulary once', async () => {
    const api = await start();
    const { id } = await add(api, { write: 'Klatskin', for: ['clat skin'] });
    const taken = [{ write: 'KLATSKIN' }, { write: 'Other', for: ['x', 'Clat-skin'] }];
    for (const body of taken)
      expect(await api.call(create, { body })).toMatchObject({
        status: 409,
        error: { details: { id, write: 'Klatskin' } },
      });
    await add(api, { write: 'Other', for: ['Clat-skin'], language: 'pt-BR' });
    await add(api, { write: 'Klatskin', owner: 'space' });
  });

  test.each([
    ['no word', { write: '…' }, ['write']],
    ['more words than a term has', { write: 'a b c d e f g h i' }, ['write']],
    ['a form without a word', { write: 'x', for: ['a', '!'] }, ['for.1']],
    ['another number', { write: '3 mm', for: ['4 mm'] }, ['for.0']],
    ['another side', { write: 'rim esquerdo', for: ['rim'], language: 'pt-BR' }, ['for.0']],
    ['a negation', { write: 'sem', for: ['cem'], language: 'pt-BR' }, ['for.0']],
    ['a line too many', { write: 'a\nb' }, ['write']],
  ])('is refused with %s', async (_what, body, fields) => {
    const { error } = await (await shared).call(create, { body });
    expect(error.details.errors.map(({ field }) => field)).toEqual(fields);
  });
  const shared = startApi();
});

describe('an import', () => {
  const send = (api: Api, body: object) => api.call(importAll, { body });

  test('takes all words or none, and replaces what they are written for where it is asked to', async () => {
    const api = await start();
    const items = [{ write: 'Klatskin' }, { write: 'McBurney', for: ['mac burney'] }];
    expect(await send(api, { items })).toMatchObject({ data: { created: 2, replaced: 0, unchanged: 0 } });
    const bad = await send(api, { items: [{ write: 'New' }, { write: 'Mac', for: ['mac burney'] }, items[0]] });
    expect(bad.error.details.errors.map(({ field }) => field)).toEqual(['items.1.for.0', 'items.2.write']);
    const moved = [{ write: 'McBurney', for: [] }, { write: 'Mac', for: ['mac burney'] }, items[0]];
    expect(await send(api, { items: moved, replace: true })).toMatchObject({
      data: { created: 1, replaced: 1, unchanged: 1 },
    });
    expect((await wordsOf(api)).toSorted()).toEqual(['Klatskin', 'Mac', 'McBurney']);
  });

  test('fills a person’s two thousand words of 100,000 characters, and no more', async () => {
    const api = await start();
    const many = (count: number, form: string) =>
      Array.from({ length: count }, (_, at) => ({ write: `w${at}`, for: form === '' ? [] : [`${form} w${at}`] }));
    expect((await send(api, { items: many(2000, ''), replace: true })).status).toBe(200);
    expect((await api.call(create, { body: { write: 'one more' } })).status).toBe(413);
    expect(await send(api, { items: many(2000, 'x'.repeat(60)), replace: true })).toMatchObject({
      status: 413,
      error: { details: { limit_characters: 100_000 } },
    });
  });
});

describe('a dictation', () => {
  test('of the person is written with the person’s words, then the space’s, and shows which', async () => {
    const api = await start();
    await add(api, { write: 'McBurney', for: ['mac burney'] });
    await add(api, { write: 'Wrong', for: ['mac burney'], owner: 'space' });
    await add(api, { write: 'Klatskin', owner: 'space' });
    const record = await api.generate({ text: 'Test Patient. Findings: clatskin at mac burney.', language: 'en-US' });
    const textOf = ({ sections }: typeof record) => sections.find(({ key }) => key === 'findings')!.text;
    // Nobody heard it: what only sounds like a word stays.
    expect(textOf(record)).toBe('Clatskin at McBurney.');
    const { operations } = succeeded(await api.call(provenance, { params: { id: record.id } }));
    const [operation] = operations.filter(({ step }) => step === 'vocabulary');
    expect(operation).toMatchObject({ rule: 'form', before: 'mac burney', after: 'McBurney' });
    const back = await api.call(undo, { params: { id: record.id }, body: { operation: operation!.id } });
    expect(textOf(succeeded(back))).toBe('Clatskin at mac burney.');
  });

  test('that is heard is written with words of a similar sound, with which the recogniser was primed', async () => {
    const inputs: TranscribeInput[] = [];
    const engine = {
      ...controlledEngine(),
      transcribe: async (input: TranscribeInput) => {
        inputs.push(input);
        return { text: 'Test Patient. Findings: tumor of clatskin.' };
      },
    };
    const api = await startApi({ engine }, onTestFinished);
    for (const write of ['Klatskin', 'Patient', 'Gadovist']) await add(api, { write });
    const id = await api.exam({ exam_description: 'MRI with Gadovist', patient_name: 'TEST^PATIENT' });
    const audio = { content_type: 'audio/wav', data: wav().toString('base64') } as const;
    const record = await api.generate({ audio, language: 'en-US', worklist_item_id: id });
    expect(record.sections.find(({ key }) => key === 'findings')!.text).toBe('Tumor of Klatskin.');
    expect(inputs[0]!.terms).toEqual(['Gadovist', 'Klatskin']);
    const { exam, template, terms: vocabulary } = inputs[0]!;
    expect(termsFor({ exam, template, vocabulary: vocabulary! }, 224).slice(0, 4)).toEqual([
      'MRI with Gadovist',
      template.title,
      'Gadovist',
      'Klatskin',
    ]);
  });
});

test('an export has the words, a seed brings them back, a reset of the space removes them', async () => {
  const api = await start();
  const { id } = await add(api, { write: 'Klatskin' });
  const text = await exportOf(api, { collections: 'vocabulary' });
  await api.call(remove, { params: { id } });
  expect(await seedTo(api, text)).toMatchObject({ status: 200, data: { documents: { vocabulary: 1 } } });
  expect(await wordsOf(api)).toEqual(['Klatskin']);
  const emptied = await api.call(reset, { body: { space: 'test_tc_local' } });
  expect(emptied).toMatchObject({ data: { documents: { vocabulary: 1 } } });
  expect(await wordsOf(api)).toEqual([]);
});
