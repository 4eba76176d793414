/** Which characters the texts of a request may hold: the rule is in the contract, for every text there is. */
import * as fc from '../../support/properties.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import type { JsonSchema } from '../../../src/contract/schema.ts';
import { isFit } from '../../../src/domain/characters.ts';
import type { TextKind } from '../../../src/contract/schema.ts';
import { examFields, startApi } from '../../support/api.ts';
import type { Answer, Api } from '../../support/api.ts';
import { everyEndpoint, takesJson } from './endpoints.ts';

/** Free texts that have no kind, and why. */
const excepted: Readonly<Record<string, string>> = {
  password: 'is hashed, and whatever it is made of counts',
  passphrase: 'is made a key of, and whatever it is made of counts',
  url: 'is parsed as an address',
  reason: 'is refused by its handler, since it may have lines and is not mended',
  template_id: 'is looked up in a table',
  content_type: 'is told by content',
  data: 'is base64',
  cursor: 'is decoded, and refused if it is none',
};

function textsOf(schema: JsonSchema, path: string, found: [path: string, schema: JsonSchema][] = []) {
  const types = [schema.type ?? []].flat();
  if (types.includes('string') || (types.includes('object') && schema.additionalProperties === true)) {
    found.push([path, schema]);
  }
  for (const [name, inner] of Object.entries(schema.properties ?? {})) textsOf(inner, `${path}.${name}`, found);
  for (const inner of [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    if (inner) textsOf(inner, path, found);
  }
  return found;
}

test('every text that a request brings says what it is for', () => {
  const without = everyEndpoint
    .filter(({ endpoint }) => endpoint.path.startsWith('/api/v1') && endpoint.body && takesJson(endpoint))
    .flatMap(({ name, endpoint }) => textsOf(endpoint.body!, name))
    .filter(([path, schema]) => {
      const field = path.split('.').at(-1)!;
      const isFree = schema.type === 'object' && schema.properties !== undefined;
      const isBound = ['enum', 'const', 'pattern', 'format', 'x-text'].some((keyword) => keyword in schema);
      return !isFree && !isBound && !Object.hasOwn(excepted, field);
    });
  expect(without.map(([path]) => path)).toEqual([]);
});

const units = [
  ...'aÉ山م😀1 .-',
  ...'\0\b\t\n\v\f\r\u001b\u007f\u0085\u009b',
  ...'\u00ad\u200b\u200c\u200d\u200e\u2028\u202e\u2066\u3164\ufeff\ufe0f',
  '\ud800',
];
const text = fc.string({ unit: fc.constantFrom(...units), minLength: 1, maxLength: 6 }).map((said) => `Test ${said} x`);

let api: Api;
beforeAll(async () => {
  api = await startApi({}, afterAll);
});

/** A success whose text is fit, or a refusal that names the field. */
function expectFit(answer: Answer, field: string, kind: TextKind, stored: (data: never) => unknown): void {
  if (answer.status >= 400) {
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
    expect(answer.error.details.errors).toContainEqual(expect.objectContaining({ field, code: 'INVALID_FORMAT' }));
    return;
  }
  const kept = String(stored(answer.data as never));
  expect(isFit(kind, kept)).toBe(true);
  expect(kept).not.toMatch(kind === 'prose' ? /\u001b/ : /[\u001b\u200b\u202e\u2066\ufeff]/);
}

describe('whatever their content', () => {
  const { records, worklists, clients, users } = contract;
  const runs = { numRuns: 40 };

  test.each([
    ['patient_name', 'line'],
    ['exam_description', 'line'],
    ['hospital_name', 'line'],
    ['patient_id', 'identifier'],
    ['accession_number', 'identifier'],
    ['procedure_id', 'identifier'],
  ] as const)('%s of an exam is a fit %s, or refused', async (field, kind) => {
    const { call } = api;
    let count = 0;
    await fc.assert(
      fc.asyncProperty(text, async (said) => {
        // A test patient’s name, and numbers that are no other exam’s.
        const value = field === 'patient_name' ? `Test Patient${said.slice(4, -2)}` : `${said}${count++}`;
        const sent = examFields({ accession_number: `T-${field}-${count++}`, [field]: value });
        const answer = await call(worklists.endpoints.ingest, { body: sent });
        if (answer.status >= 400 && answer.error.details.errors.some(({ code }) => code === 'TEST_DATA_REQUIRED'))
          return;
        if (answer.status >= 400) return expectFit(answer, field, kind, () => '');
        const { data } = await call(worklists.endpoints.get, { params: { id: answer.data.items[0]!.id! } });
        return expectFit({ ...answer, data }, field, kind, (item: Record<string, unknown>) => item[field]);
      }),
      runs,
    );
  });

  test('titles and texts of a document are fit, or refused', async () => {
    const { call } = api;
    const made = await call(records.endpoints.generate, { body: { text: 'Test Patient. Findings: clear.' } });
    const params = { id: (made.data as { id: string }).id };
    await fc.assert(
      fc.asyncProperty(text, async (said) => {
        const sections = (title: string, body: string) => [{ key: 'findings', title, text: body }];
        const put = (body: object) => call(records.endpoints.update, { params, body });
        expectFit(await put({ title: said }), 'title', 'line', ({ title }: { title: string }) => title);
        const titled = await put({ sections: sections(said, '') });
        type Kept = { sections: { title: string; text: string }[] };
        expectFit(titled, 'sections.0.title', 'line', ({ sections: [kept] }: Kept) => kept!.title);
        const written = await put({ sections: sections('Findings', said) });
        expect(written.status).toBe(200);
        expectFit(written, 'sections.0.text', 'prose', ({ sections: [kept] }: Kept) => kept!.text);
      }),
      runs,
    );
  });

  test('names of clients and people are fit, or refused', async () => {
    const { call } = api;
    let count = 0;
    await fc.assert(
      fc.asyncProperty(text, async (said) => {
        const client = await call(clients.endpoints.create, {
          body: { name: said, redirect_uris: ['http://127.0.0.1/cb'] },
        });
        expectFit(client, 'name', 'line', ({ name }: { name: string }) => name);
        const username = `${said}${count++}`;
        const user = { username, password: 'long enough', display_name: `Dr ${username}` };
        const made = await call(users.endpoints.create, { body: { ...user, username: `u${count}` } });
        expectFit(made, 'display_name', 'line', (data: { display_name: string }) => data.display_name);
        const named = await call(users.endpoints.create, { body: { ...user, display_name: `Dr ${count}` } });
        expectFit(named, 'username', 'identifier', (data: { username: string }) => data.username);
      }),
      { numRuns: 12 },
    );
  });

  test.each([
    [{ metadata: { 'a\u0000': 1 } }, false],
    [{ metadata: { 'a\u200b': 1 } }, false],
    [{ metadata: { a: ['x\u001b[2J'] } }, false],
    [{ metadata: { a: 'x\ud800' } }, false],
    [{ 'own\u202e': 1 }, false],
    [{ own: { a: '\u0007' } }, false],
    [{ metadata: { a: 'one\r\n\ttwo', 'Observação 1': '\u200e' }, own: 'é' }, true],
  ])('free-form data %j is taken: %s', async (fields, isTaken) => {
    const answer = await api.call(worklists.endpoints.ingest, { body: examFields(fields) });
    expect(answer.status).toBe(isTaken ? 200 : 400);
    if (!isTaken) expect(answer.error.details.errors).toMatchObject([{ field: 'metadata', code: 'INVALID_FORMAT' }]);
  });

  test('an exam keeps what its name needs, and not what nobody sees', async () => {
    const { call } = api;
    const body = examFields({ exam_description: '\u2067TC\u2069 \u200bde می\u200cخواهم\u202e' });
    const { data } = await call(worklists.endpoints.ingest, { body });
    const { data: item } = await call(worklists.endpoints.get, { params: { id: data.items[0]!.id! } });
    expect(item.exam_description).toBe('TC de می\u200cخواهم');
    // What is written so is the same, and changes nothing.
    expect((await call(worklists.endpoints.ingest, { body })).data).toMatchObject({ deduped: 1 });
  });
});
