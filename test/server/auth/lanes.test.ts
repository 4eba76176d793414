/** Whose turn it is: nobody waits for more than one of each of the others, however many those have. */
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { createLanes } from '../../../server/auth/lanes.ts';
import type { Lane } from '../../../server/auth/lanes.ts';

const limits = { password: { lane: 3, kind: 5 }, client: { lane: 100, kind: 100 } };
const lane = fc.record({
  kind: fc.constantFrom('password', 'client'),
  who: fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::/64'),
});
const nameOf = ({ kind, who }: Lane): string => `${kind} ${who}`;

test('everything that was taken comes out once, in its lane’s order, and no lane holds more than its bound', () => {
  fc.assert(
    fc.property(fc.array(fc.option(lane)), (steps) => {
      const lanes = createLanes<{ lane: Lane; number: number }>(limits);
      const waiting: { lane: Lane; number: number }[] = [];
      const take = (): void => {
        const next = lanes.next();
        if (!next) return expect(waiting).toEqual([]);
        const [first] = waiting.filter((each) => nameOf(each.lane) === nameOf(next.lane));
        expect(next).toBe(first);
        waiting.splice(waiting.indexOf(next), 1);
      };
      steps.forEach((step, number) => {
        if (!step) return take();
        const item = { lane: step, number };
        const most = limits[step.kind as keyof typeof limits];
        const ofKind = waiting.filter((each) => each.lane.kind === step.kind);
        const ofLane = ofKind.filter((each) => each.lane.who === step.who);
        expect(lanes.add(step, item)).toBe(ofLane.length < most.lane && ofKind.length < most.kind);
        if (ofLane.length < most.lane && ofKind.length < most.kind) waiting.push(item);
      });
      while (waiting.length > 0) take();
      expect(lanes.next()).toBeUndefined();
    }),
  );
});

test('kinds take turns, and in a kind those who ask', () => {
  const lanes = createLanes<string>({ password: { lane: 100, kind: 100 }, client: { lane: 100, kind: 100 } });
  for (let number = 0; number < 50; number++) lanes.add({ kind: 'password', who: 'stranger' }, `stranger ${number}`);
  lanes.add({ kind: 'password', who: 'person' }, 'person');
  lanes.add({ kind: 'client', who: 'stranger' }, 'token');
  expect([lanes.next(), lanes.next(), lanes.next(), lanes.next()]).toEqual([
    'stranger 0',
    'token',
    'person',
    'stranger 1',
  ]);
});
