/** What a viewer measures waits until a page takes it. */
import { expect, test } from 'vitest';
import { createMeasurementNews } from '../../../../desktop/app/hub/cast-news.ts';
import type { CastNews } from '../../../../desktop/bridge/hub.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { readMeasurements } from '../../../../src/protocols/fhircast/measurements.ts';

const observation = (id: string, value: number, status = 'preliminary') => ({
  resource: { resourceType: 'Observation', id, status, valueQuantity: { value, unit: 'mm' } },
});
const update = (...entry: object[]) => ({ context: [{ key: 'updates', resource: { resourceType: 'Bundle', entry } }] });

test('a measurement waits for the page of its exam with its last value, until it is taken, changed or deleted', () => {
  let made = 0;
  const news = createMeasurementNews({ clock: manualClock(0), emit: () => undefined, uuid: () => `n${(made += 1)}` });
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

test('a measurement that its page does not settle, or ends before it does, waits again, unless a newer value has come', () => {
  let made = 0;
  const passed: string[] = [];
  const clock = manualClock(0);
  const news = createMeasurementNews({
    clock,
    emit(name, data) {
      const { id, again } = data as CastNews;
      if (name === 'cast') passed.push(again ? `${id} again` : id);
    },
    uuid: () => `n${(made += 1)}`,
  });
  const waiting = () => news.waiting('wli_1').map(({ id }) => id);
  news.measured(update(observation('o1', 12), observation('o2', 8)), 'wli_1');
  news.settle('n1', false);
  expect([news.claim('n1'), news.claim('n2'), waiting()]).toEqual([true, true, []]);
  news.settle('n1', false);
  news.settle('n1', false);
  expect([waiting(), passed, news.claim('n1')]).toEqual([['n1'], ['n1', 'n2', 'n1 again'], true]);
  news.measured(update(observation('o2', 9)), 'wli_1');
  news.settle('n2', false);
  expect([waiting(), news.claim('n3')]).toEqual([['n3'], true]);
  // The page that claimed both has said nothing about one of them.
  news.settle('n3', true);
  clock.advance(19_999);
  expect(waiting()).toEqual([]);
  clock.advance(1);
  expect([waiting(), passed.at(-1)]).toEqual([['n1'], 'n1 again']);
  clock.advance(60_000);
  expect(waiting()).toEqual(['n1']);
});

test('a limit is no value, and a component has the words of its code', () => {
  const quantity = (value: number, comparator?: string) => ({ value, unit: 'HU', ...(comparator && { comparator }) });
  const coded = { code: { coding: [{ code: '373098007', display: 'Mean' }] }, valueQuantity: quantity(35) };
  const read = (...component: object[]) =>
    readMeasurements(update({ resource: { resourceType: 'Observation', id: 'o1', component } }));
  expect(read(coded)).toMatchObject([{ measurement: { values: [{ value: 35, title: 'Mean' }] } }]);
  expect(read(coded, { valueQuantity: quantity(5, '<') })).toEqual([]);
});
