/** What stays of the orders of an exam when some are told again. */
import { expect, test } from 'vitest';
import { maxOrders, mergeOrders, ordersIn } from '../../src/domain/orders.ts';
import type { Order } from '../../src/domain/orders.ts';

/** `P1^RIS/F1#1 open`: the placer's number and its issuer, the filler's, the id, the status; each may be left out. */
function order(text: string): Order {
  const [, placer, placerIssuer, filler, id, status] = /^(\w*)(?:\^(\w+))?\/(\w*)(?:#(\w+))?(?: (\w+))?$/.exec(text)!;
  return {
    ...(id && { order_id: id }),
    ...(placer && { placer_order_number: placer }),
    ...(placerIssuer && { placer_order_issuer: placerIssuer }),
    ...(filler && { filler_order_number: filler }),
    ...(status && { status: status as 'open' }),
  };
}

test.each([
  ['an order told again', ['P1/F1 open'], ['P1/F1 cancelled'], ['P1/F1 cancelled']],
  ['a change alone', ['P1/F1 cancelled'], ['P1/F1'], ['P1/F1 cancelled']],
  ['another filler’s number', ['P1/F1 open'], ['P1/F2 cancelled'], ['P1/F1 open', 'P1/F2 cancelled']],
  ['another issuer', ['P1^A/ open'], ['P1^B/ cancelled'], ['P1^A/ open', 'P1^B/ cancelled']],
  ['an issuer that one side leaves out', ['P1^A/ open'], ['P1/ cancelled'], ['P1^A/ cancelled']],
  ['a number that comes later', ['/F1 open'], ['P1/F1 cancelled'], ['P1/F1 cancelled']],
  ['a number that is left out', ['P1/F1 open'], ['/F1 cancelled'], ['P1/F1 cancelled']],
  ['what joins two', ['P1/ open', 'P2/F2 open', '/F1 open'], ['P1/F1 cancelled'], ['P1/F1 cancelled', 'P2/F2 open']],
  [
    'a cancelled number of two',
    ['P1/F1 open', 'P1/F2 open'],
    ['P1/ cancelled'],
    ['P1/F1 cancelled', 'P1/F2 cancelled'],
  ],
  ['a placed number of two', ['P1/F1 open', 'P1/F2 cancelled'], ['P1/ open'], ['P1/F1 open', 'P1/F2 cancelled']],
  [
    'a placed number of two cancelled',
    ['P1/F1 cancelled', 'P1/F2 cancelled'],
    ['P1/ open'],
    ['P1/F1 open', 'P1/F2 open'],
  ],
  ['a changed number of two', ['P1/F1 cancelled', 'P1/F2 cancelled'], ['P1/'], ['P1/F1 cancelled', 'P1/F2 cancelled']],
  ['an id', ['/#1 open', '/#2 open'], ['/#2 cancelled'], ['/#1 open', '/#2 cancelled']],
  ['a number that comes after the id', ['/#1 open'], ['P1/#1 cancelled'], ['P1/#1 cancelled']],
  ['an id of the message', ['P1/#1 open'], ['P1/#2 cancelled'], ['P1/#2 cancelled']],
  ['an id under one number of the filler', ['/F1#1 open'], ['/F1#2 cancelled'], ['/F1#1 open', '/F1#2 cancelled']],
  ['another id without the number', ['P1/#1 open'], ['/#2 cancelled'], ['P1/#1 open', '/#2 cancelled']],
  ['one number for the first of a group', ['P1/ open'], ['P1/F1', 'P1/F2'], ['P1/F1 open', 'P1/F2']],
])('%s', (_, stored, told, expected) => {
  const merged = mergeOrders(stored.map(order), told.map(order));
  expect(merged).toEqual(expected.map(order));
  expect(mergeOrders(merged, told.map(order)), 'told again').toEqual(merged);
});

test('an appointment cancelled after the order was booked again leaves the order', () => {
  const booked = (number: string, status: 'open' | 'cancelled'): Order => ({
    ...order(`P1/F1 ${status}`),
    appointment_number: number,
  });
  const rebooked = mergeOrders([booked('1', 'open')], [booked('2', 'open')]);
  expect(mergeOrders(rebooked, [booked('1', 'cancelled')])).toEqual(rebooked);
  expect(mergeOrders(rebooked, [booked('2', 'cancelled')])).toEqual([booked('2', 'cancelled')]);
  expect(mergeOrders(rebooked, [order('P1/F1 cancelled')])).toEqual([booked('2', 'cancelled')]);
});

test('the latest of very many orders stay', () => {
  const many = Array.from({ length: 3 * maxOrders }, (_, at) => order(`P${at}/F open`));
  const merged = mergeOrders(many.slice(0, maxOrders), many);
  expect(merged).toEqual(many.slice(-maxOrders));
});

test.each([
  [undefined, undefined],
  ['P1', undefined],
  [[1], undefined],
  [[{ status: 'done' }], undefined],
  [[{ placer_order_number: 7 }], undefined],
  [{ P1: 'done' }, undefined],
  [{ P2: 'cancelled' }, [order('P2/ cancelled')]],
  [{ P1: 'open', P2: 'open' }, [order('P1^A/F1 open'), order('P2/ open')]],
])('orders that are written as %j', (orders, expected) => {
  const described = { placer_order_number: 'P1', placer_order_issuer: 'A', filler_order_number: 'F1' };
  expect(ordersIn({ ...described, orders })).toEqual(expected);
});
