import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyRuns, documentsIn, runsOf } from '../../../../server/store/lowdb/runs.ts';
import type { Run } from '../../../../server/store/lowdb/runs.ts';

const written = (runs: readonly Run[]): Run[] => JSON.parse(JSON.stringify(runs)) as Run[];

test('documents with the same fields stand in one run, in the order of the changes', () => {
  const put = (collection: string, document: { id: string; [field: string]: unknown }) => ({
    collection,
    id: document.id,
    document,
  });
  const removed = (collection: string, id: string) => ({ collection, id, document: undefined });
  expect(
    runsOf([
      put('items', { id: 'a', space: 'local', version: 1 }),
      put('items', { id: 'b', space: 'local', version: 2 }),
      put('items', { id: 'c', version: 1 }),
      removed('items', 'a'),
      removed('items', 'c'),
      removed('jobs', 'd'),
    ]),
  ).toEqual([
    ['items', { id: null, space: 'local', version: null }, ['id', 'version'], ['a', 1], ['b', 2]],
    ['items', { id: 'c', version: 1 }],
    ['items', null, 'a', 'c'],
    ['jobs', null, 'd'],
  ]);
});

test('what is read is what was written, whatever fields there are', () => {
  const id = fc.constantFrom('1', '2', '3', '4');
  const value = fc.oneof(fc.constant(undefined), fc.jsonValue());
  const field = fc.constantFrom('value', '__proto__', 'constructor', 'a,b', 'a', 'b', '7', '"', 'é');
  const document = fc.dictionary(field, value, { maxKeys: 4 });
  const change = fc.record({ collection: fc.constantFrom('items', 'jobs'), id, document: fc.option(document) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (given) => {
      const changes = given.map(({ document: fields, ...rest }) => ({
        ...rest,
        document: fields ? { id: rest.id, ...fields } : undefined,
      }));
      const found = new Map<string, object>();
      const documents = {
        put: (collection: string, document: { id: string }) => void found.set(`${collection} ${document.id}`, document),
        remove: (collection: string, of: string) => void found.delete(`${collection} ${of}`),
      };
      const runs = written(runsOf(changes));
      expect(applyRuns(documents, runs)).toBe(documentsIn(runs));
      const model = new Map<string, unknown>();
      for (const { collection, id: of, document: put } of changes) {
        if (put) model.set(`${collection} ${of}`, JSON.parse(JSON.stringify(put)));
        else model.delete(`${collection} ${of}`);
      }
      expect(found).toEqual(model);
      // The order of the fields as well.
      for (const [name, put] of found) expect(Object.keys(put)).toEqual(Object.keys(model.get(name) as object));
    }),
  );
});
