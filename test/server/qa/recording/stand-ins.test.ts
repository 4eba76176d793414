/** Whatever stands wherever in a call, nothing but the contract's own words is in its recording, and the shape stays. */
import * as fc from '../../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { contract, endpoints } from '../../../../src/contract/index.ts';
import type { Endpoint } from '../../../../src/contract/endpoint.ts';
import { envelope } from '../../../../src/contract/shared.ts';
import { MedicalRecord } from '../../../../src/contract/document.ts';
import { WorklistItem } from '../../../../src/contract/worklist.ts';
import { createValidation } from '../../../../server/runtime/validation.ts';
import { toHarEntry } from '../../../../server/qa/recording/exchange.ts';
import type { Content } from '../../../../server/qa/recording/content.ts';
import { createRecordedCalls } from '../../../../server/qa/recording/recorded-calls.ts';
import { createStandIns } from '../../../../server/qa/recording/stand-ins.ts';
import type { JsonSchema } from '../../../../src/contract/schema.ts';

/** Like a name, in the form of many a word of HTTP; no word of the contract has it in it. */
const canary = 'xaria';

const text = fc.oneof(
  fc.constant(canary),
  fc.string().map((other) => `${other}${canary}`),
  fc.string().map((other) => `${canary} ${other}`),
);

/** JSON that is roughly of the schema, or of none, with the canary in texts and names. */
const valueOf = (schema: JsonSchema | undefined, depth = 0): fc.Arbitrary<unknown> => {
  const own = schema?.properties ?? {};
  const inner = depth > 4 ? text : fc.constantFrom(...Object.keys(own), canary);
  const known =
    schema?.items && depth < 5
      ? fc.array(valueOf(schema.items, depth + 1), { maxLength: 3 })
      : schema?.properties && depth < 5
        ? fc
            .uniqueArray(inner as fc.Arbitrary<string>, { maxLength: 6 })
            .chain((names) =>
              fc.record(Object.fromEntries(names.map((name) => [name, valueOf(own[name], depth + 1)])) as never),
            )
        : text;
  return fc.oneof(
    { weight: 4, arbitrary: known },
    { weight: 1, arbitrary: fc.dictionary(text, text, { maxKeys: 3 }) },
    { weight: 1, arbitrary: text },
  );
};

const callOf = (endpoint: Endpoint) => {
  const [status = 200, data] = Object.entries(endpoint.responses)[0] ?? [];
  const body = endpoint.answer === 'envelope' && data ? envelope(data) : data;
  const fields = fc.array(fc.tuple(fc.oneof(text, fc.constantFrom('text', 'client_id', 'code')), text), {
    maxLength: 4,
  });
  const sent: fc.Arbitrary<Content> = fc.oneof(
    valueOf(endpoint.body).map((value): Content => ({ kind: 'json', value })),
    fields.map((pairs): Content => ({ kind: 'form', fields: pairs })),
    fields.map((pairs): Content => ({
      kind: 'multipart',
      fields: pairs,
      files: [{ name: canary, contentType: `audio/${canary}`, size: 3 }],
    })),
  );
  const answered: fc.Arbitrary<Content> = fc.oneof(
    valueOf(body).map((value): Content => ({ kind: 'json', value })),
    fc.constant<Content>({
      kind: 'text',
      text: `event: ${canary}\nid: ${canary}\ndata: {"${canary}":"${canary}"}\n\n`,
    }),
    fc.constant<Content>({ kind: 'text', text: `event: item\nid: ${canary}\ndata: "${canary}"\n\n` }),
    fc.constant<Content>({ kind: 'bytes', size: 7 }),
  );
  const headers = fc.constantFrom(
    'authorization', 'cookie', 'set-cookie', 'location', 'content-type', 'content-disposition', 'x-request-id', 'etag',
    'idempotency-key', 'x-source-system', 'www-authenticate', 'user-agent', canary, 'allow', 'cache-control', 'retry-after',
  ); // prettier-ignore
  return fc.record({
    path: fc.constantFrom(
      endpoint.path.replaceAll(/\{\w+\}/g, canary),
      `${endpoint.path.replaceAll(/\{\w+\}/g, canary)}?${canary}=${canary}&q=${canary}&state=${canary}`,
      `/api/v1/${canary}/${canary}`,
    ),
    sent,
    answered,
    status: fc.constantFrom(Number(status), 400, 401, 404, 500, 599),
    headers: fc.dictionary(
      headers,
      text.map((value) => value.replaceAll(/[\r\n]/g, ' ')),
    ),
  });
};

test('canaries never show, wherever they are', () => {
  for (const endpoint of endpoints) {
    fc.assert(
      fc.property(callOf(endpoint), ({ path, sent, answered, status, headers }) => {
        const entry = toHarEntry(
          {
            request: { method: endpoint.method, address: path, headers, content: sent },
            bytesAsked: 1,
            answer: { status, headers, content: answered, bytes: 2 },
            startedAt: '2026-03-02T11:30:00.000Z',
            duration: 1,
          },
          createStandIns({ as: 'written' }),
          'https://service.example',
        );
        expect(JSON.stringify(entry)).not.toContain(canary);
      }),
      { numRuns: 10 },
    );
  }
});

const examples = (schema: JsonSchema): unknown => {
  if (schema.anyOf) return examples(schema.anyOf[0]!);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.format === 'date-time') return '2026-03-02T11:30:00.000Z';
  if (schema.examples) return schema.examples[0];
  const type = [schema.type].flat()[0];
  if (type === 'array') return schema.items ? [examples(schema.items)] : [];
  if (type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, of]) => [name, examples(of)]));
  return type === 'integer' || type === 'number' ? (schema.minimum ?? 1) : type === 'boolean' ? true : 'Some text';
};

describe('stand-ins for missing files', () => {
  test.each([
    ['record', MedicalRecord],
    ['exam', WorklistItem],
  ] as const)('of a %s fit its schema', (_name, schema) => {
    const validate = createValidation()(schema, 'kept');
    const given = examples(schema);
    expect(validate(structuredClone(given))).toEqual([]);
    const standIns = createStandIns({ as: 'written' });
    const first = standIns.answer(given, schema);
    expect(validate(structuredClone(first))).toEqual([]);
    // The same value has the same stand-in.
    expect(standIns.answer(given, schema)).toEqual(first);
  });

  test('a call finds its own recording, whatever its values', async () => {
    const { ingest } = contract.worklists.endpoints;
    const item = fc.record({
      accession_number: fc.string({ minLength: 1 }),
      patient_name: fc.string({ minLength: 1 }),
      patient_id: fc.string({ minLength: 1 }),
      modality: fc.constantFrom('CT', 'MR'),
      series_count: fc.nat(3),
      other: fc
        .anything({ maxDepth: 2, withNullPrototype: false })
        .map((each) => JSON.parse(JSON.stringify(each ?? null)) as unknown),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 4 }), async (items) => {
        const standIns = createStandIns({ as: 'written' });
        const asked = items.map((value) => ({
          method: 'POST',
          address: ingest.path,
          headers: {},
          content: { kind: 'json' as const, value },
        }));
        const entries = asked.map((each, at) => ({
          ...toHarEntry(
            { request: each, bytesAsked: 1, answer: undefined, startedAt: new Date(at).toISOString(), duration: 1 },
            standIns,
            'https://service.example/base',
          ),
          _number: at,
        }));
        const recorded = await createRecordedCalls(JSON.parse(JSON.stringify(entries)) as typeof entries);
        const found = asked.map((each) => recorded.find(each)?.entry['_number']);
        // Each finds one, and two that are alike find them in their order.
        expect(found.toSorted()).toEqual(asked.map((_, at) => at));
      }),
      { numRuns: 100 },
    );
  });
});
