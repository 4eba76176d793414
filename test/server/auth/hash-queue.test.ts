/** Whose turn it is: nobody waits for more than one of each of the others, however many those have. */
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { createHashQueue } from '../../../server/auth/hash-queue.ts';
import type { HashRequester } from '../../../server/auth/hash-queue.ts';

const limits = { password: { perAddress: 3, total: 5 }, client: { perAddress: 100, total: 100 } };
const asker = fc.record({
  kind: fc.constantFrom('password', 'client'),
  address: fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::/64'),
});
const nameOf = ({ kind, address }: HashRequester): string => `${kind} ${address}`;

test('everything that was taken comes out once, in its lane’s order, and no lane holds more than its bound', () => {
  fc.assert(
    fc.property(fc.array(fc.option(asker)), (steps) => {
      const queue = createHashQueue<{ asker: HashRequester; number: number }>(limits);
      const waiting: { asker: HashRequester; number: number }[] = [];
      const take = (): void => {
        const next = queue.next();
        if (!next) return expect(waiting).toEqual([]);
        const [first] = waiting.filter((each) => nameOf(each.asker) === nameOf(next.asker));
        expect(next).toBe(first);
        waiting.splice(waiting.indexOf(next), 1);
      };
      steps.forEach((step, number) => {
        if (!step) return take();
        const item = { asker: step, number };
        const most = limits[step.kind as keyof typeof limits];
        const ofKind = waiting.filter((each) => each.asker.kind === step.kind);
        const ofLane = ofKind.filter((each) => each.asker.address === step.address);
        expect(queue.add(step, item)).toBe(ofLane.length < most.perAddress && ofKind.length < most.total);
        if (ofLane.length < most.perAddress && ofKind.length < most.total) waiting.push(item);
      });
      while (waiting.length > 0) take();
      expect(queue.next()).toBeUndefined();
    }),
  );
});

test('kinds take turns, and in a kind those who ask', () => {
  const queue = createHashQueue<string>({
    password: { perAddress: 100, total: 100 },
    client: { perAddress: 100, total: 100 },
  });
  for (let number = 0; number < 50; number++)
    queue.add({ kind: 'password', address: 'stranger' }, `stranger ${number}`);
  queue.add({ kind: 'password', address: 'person' }, 'person');
  queue.add({ kind: 'client', address: 'stranger' }, 'token');
  expect([queue.next(), queue.next(), queue.next(), queue.next()]).toEqual([
    'stranger 0',
    'token',
    'person',
    'stranger 1',
  ]);
});
