/** What a viewer measures waits until a page takes it. */
import { expect, test } from 'vitest';
import { createMeasurementNews } from '../../../../desktop/app/hub/cast-news.ts';
import { readMeasurements } from '../../../../src/protocols/fhircast/measurements.ts';

const observation = (id: string, value: number, status = 'preliminary') => ({
  resource: { resourceType: 'Observation', id, status, valueQuantity: { value, unit: 'mm' } },
});
const update = (...entry: object[]) => ({ context: [{ key: 'updates', resource: { resourceType: 'Bundle', entry } }] });

test('a measurement waits for the page of its exam with its last value, until it is taken, changed or deleted', () => {
  let made = 0;
  const news = createMeasurementNews({ emit: () => undefined, uuid: () => `n${(made += 1)}` });
  const waiting = (itemId: string) =>
    news.waiting(itemId).map(({ id, measurement, deleted }) => `${id} ${deleted ?? measurement!.values[0]!.value}`);
  news.measured(update(observation('o1', 12), observation('o2', 8)), 'wli_1');
  news.selected({ context: [{ key: 'select', reference: { reference: 'Observation/o1' } }] }, 'wli_1');
  expect(waiting('wli_1')).toEqual(['n1 12', 'n2 8']);
  expect(waiting('wli_2')).toEqual([]);
  news.measured(update(observation('o1', 13)), 'wli_1');
  expect(waiting('wli_1')).toEqual(['n2 8', 'n4 13']);
  expect([news.claim('n1'), news.claim('n4'), news.claim('n4')]).toEqual([false, true, false]);
  news.measured(update(observation('o2', 8, 'entered-in-error')), 'wli_1');
  expect(waiting('wli_1')).toEqual(['n5 o2']);
  news.measured(update(observation('o2', 9)), 'wli_1');
  expect(waiting('wli_1')).toEqual(['n6 9']);
});

test('a page that took a measurement and could not put it in gives it back, unless a newer value has come', () => {
  let made = 0;
  const passed: unknown[] = [];
  const news = createMeasurementNews({
    emit: (name, data) => void (name === 'cast' && passed.push((data as { id: string }).id)),
    uuid: () => `n${(made += 1)}`,
  });
  const waiting = () => news.waiting('wli_1').map(({ id }) => id);
  news.measured(update(observation('o1', 12), observation('o2', 8)), 'wli_1');
  news.giveBack('n1');
  expect([news.claim('n1'), news.claim('n2'), waiting()]).toEqual([true, true, []]);
  news.giveBack('n1');
  news.giveBack('n1');
  expect([waiting(), passed, news.claim('n1')]).toEqual([['n1'], ['n1', 'n2', 'n1'], true]);
  news.measured(update(observation('o2', 9)), 'wli_1');
  news.giveBack('n2');
  expect(waiting()).toEqual(['n3']);
});

test('a limit is no value, and a component has the words of its code', () => {
  const quantity = (value: number, comparator?: string) => ({ value, unit: 'HU', ...(comparator && { comparator }) });
  const coded = { code: { coding: [{ code: '373098007', display: 'Mean' }] }, valueQuantity: quantity(35) };
  const read = (...component: object[]) =>
    readMeasurements(update({ resource: { resourceType: 'Observation', id: 'o1', component } }));
  expect(read(coded)).toMatchObject([{ measurement: { values: [{ value: 35, title: 'Mean' }] } }]);
  expect(read(coded, { valueQuantity: quantity(5, '<') })).toEqual([]);
});
