import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { FairQueue } from '../../../../server/runtime/queue/fair-queue.ts';
import type { Turn, Work } from '../../../../server/runtime/queue/fair-queue.ts';

const limits = { perLane: 2, lingering: 1, total: 4 };

/** Ids that can be taken now, in the order in which they are. */
function takeAll(queue: FairQueue, now = 0): Turn[] {
  const turns: Turn[] = [];
  for (let turn = queue.take(now); turn; turn = queue.take(now)) turns.push(turn);
  return turns;
}
const idsOf = (turns: readonly Turn[]): string[] => turns.map(({ id }) => id);

test('lanes take turns, each oldest first, and none has more than its places', () => {
  const queue = new FairQueue({ perLane: 2, total: 100 });
  for (let at = 0; at < 50; at++) queue.put({ id: `a${at + 10}`, lane: 'a', due: 0 });
  for (const id of ['b1', 'b2', 'b3']) queue.put({ id, lane: 'b', due: 0 });
  queue.put({ id: 'c1', lane: 'c', due: 0 });
  const turns = takeAll(queue);
  expect(idsOf(turns)).toEqual(['a10', 'b1', 'c1', 'a11', 'b2']);
  turns[0]!.end();
  turns[1]!.end();
  expect(idsOf(takeAll(queue))).toEqual(['a12', 'b3']);
});

test('a lingering task gives its place to the next, as often as its lane allows it to linger', () => {
  const queue = new FairQueue({ perLane: 1, lingering: 2, total: 1 });
  for (let at = 1; at < 9; at++) queue.put({ id: `a${at}`, lane: 'a', due: 0 });
  const turns: Turn[] = [];
  for (let round = 0; round < 5; round++) {
    turns.push(...takeAll(queue));
    turns.at(-1)!.linger();
  }
  expect(idsOf(turns)).toEqual(['a1', 'a2', 'a3']);
  turns[0]!.end();
  turns[2]!.linger();
  expect(idsOf(takeAll(queue))).toEqual(['a4']);
});

test('lanes with nothing but what lingers leave the places of all to the others, however many they are', () => {
  const queue = new FairQueue({ perLane: 2, lingering: 1, total: 4 });
  for (let lane = 0; lane < 10; lane++) {
    for (let at = 0; at < 5; at++) queue.put({ id: `slow ${lane}-${at}`, lane: `slow ${lane}`, due: 0 });
  }
  const slow: Turn[] = [];
  for (let turns = takeAll(queue); turns.length > 0; turns = takeAll(queue)) {
    for (const turn of turns) turn.linger();
    slow.push(...turns);
  }
  expect(slow).toHaveLength(10 * (2 + 1));
  queue.put({ id: 'quick', lane: 'quick', due: 0 });
  expect(idsOf(takeAll(queue))).toEqual(['quick']);
});

test('nothing of a closed lane is taken until it is open again', () => {
  const queue = new FairQueue(limits);
  queue.put({ id: 'a1', lane: 'a', due: 0 });
  queue.close('a');
  queue.put({ id: 'a2', lane: 'a', due: 0 });
  queue.put({ id: 'b1', lane: 'b', due: 0 });
  expect(idsOf(takeAll(queue))).toEqual(['b1']);
  queue.open('a');
  expect(idsOf(takeAll(queue))).toEqual(['a1', 'a2']);
});

test('in any order of events, the bounds hold, and nothing waits that could run', () => {
  const id = fc.integer({ min: 0, max: 11 });
  const step = fc.oneof(
    fc.record({ does: fc.constant('put' as const), id, due: fc.integer({ min: 0, max: 20 }) }),
    fc.record({ does: fc.constantFrom('drop' as const, 'end' as const, 'linger' as const), id }),
    fc.record({ does: fc.constantFrom('close' as const, 'open' as const), id }),
    fc.record({ does: fc.constant('advance' as const), id }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const queue = new FairQueue(limits);
      const waiting = new Map<string, Work>();
      /** `lingers`: without a place in its lane; `isSlow`: without one among all. */
      const taken = new Map<string, { turn: Turn; lingers: boolean; isSlow: boolean }>();
      const closed = new Set<string>();
      let now = 0;
      const inLane = (lane: string, lingers: boolean): number =>
        [...taken.values()].filter((each) => each.turn.lane === lane && each.lingers === lingers).length;
      const working = (): number => [...taken.values()].filter(({ isSlow }) => !isSlow).length;
      const free = (): Work[] =>
        [...waiting.values()].filter(
          ({ lane, due }) => due <= now && !closed.has(lane) && inLane(lane, false) < limits.perLane,
        );

      for (const each of steps) {
        const name = `work ${each.id}`;
        const lane = `lane ${each.id % 3}`;
        const held = taken.get(name);
        if (each.does === 'put') {
          queue.put({ id: name, lane, due: each.due });
          if (!held) waiting.set(name, { id: name, lane, due: each.due });
        }
        if (each.does === 'drop') {
          queue.drop(name);
          waiting.delete(name);
        }
        if (each.does === 'end') {
          held?.turn.end();
          taken.delete(name);
        }
        if (each.does === 'linger' && held && !held.lingers) {
          held.turn.linger();
          held.isSlow = true;
          held.lingers = inLane(held.turn.lane, true) < limits.lingering;
        }
        if (each.does === 'close' || each.does === 'open') {
          queue[each.does](lane);
          if (each.does === 'close') closed.add(lane);
          else closed.delete(lane);
        }
        if (each.does === 'advance') now += each.id;

        for (let turn = queue.take(now); turn; turn = queue.take(now)) {
          const could = free().filter((work) => work.lane === turn.lane);
          const first = could.toSorted((a, b) => a.due - b.due || (a.id < b.id ? -1 : 1))[0];
          expect([turn.id, working() < limits.total]).toEqual([first?.id, true]);
          waiting.delete(turn.id);
          taken.set(turn.id, { turn, lingers: false, isSlow: false });
        }
        if (working() < limits.total) expect(free()).toEqual([]);
        for (const key of [...waiting.keys(), ...taken.keys()]) expect(queue.has(key)).toBe(true);
        const later = [...waiting.values()].map(({ due }) => due).filter((due) => due > now);
        expect(queue.nextDue).toBe(later.length === 0 ? undefined : Math.min(...later));
      }
    }),
    { numRuns: 500 },
  );
});

test('the place in line of each work is the turn at which it is taken', () => {
  const work = fc.record({ lane: fc.constantFrom('a', 'b', 'c'), due: fc.integer({ min: 0, max: 3 }) });
  fc.assert(
    fc.property(fc.array(work, { maxLength: 30 }), fc.array(fc.nat(29)), fc.nat(5), (works, dropped, taken) => {
      const queue = new FairQueue({ perLane: 1, total: 1 });
      for (const [at, { lane, due }] of works.entries()) queue.put({ id: `${at + 10}`, lane, due });
      queue.letIn(9);
      for (const at of dropped) queue.drop(`${at + 10}`);
      const order: string[] = [];
      let places: ReadonlyMap<string, number> = new Map();
      for (let turn = queue.take(9); turn; turn = queue.take(9)) {
        turn.end();
        if (order.length === taken) places = queue.findPlaces(works.map((_, at) => `${at + 10}`));
        order.push(turn.id);
      }
      const sorted = [...places].toSorted(([, one], [, other]) => one - other);
      expect(sorted.map(([, place]) => place)).toEqual(sorted.map((_, at) => at + 1));
      expect(sorted.map(([id]) => id)).toEqual(places.size === 0 ? [] : order.slice(taken + 1));
    }),
  );
});
