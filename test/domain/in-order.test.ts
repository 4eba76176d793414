import { expect, test } from 'vitest';
import { createOrder, createOrders } from '../../src/domain/in-order.ts';
import * as fc from '../support/properties.ts';

/** Work that notes when it begins and ends, and ends when it is told. */
function tracked(noted: string[], name: string) {
  const gate = Promise.withResolvers<string>();
  const work = async (): Promise<string> => {
    noted.push(`${name} begins`);
    try {
      return await gate.promise;
    } finally {
      noted.push(`${name} ends`);
    }
  };
  return { work, end: () => gate.resolve(name), fail: () => gate.reject(new Error(name)) };
}

test('no two works overlap, all are done in the order of the calls, and a failed one holds up none', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ fails: fc.boolean(), pauses: fc.nat(3) }), { maxLength: 12 }),
      async (works) => {
        const inOrder = createOrder();
        const noted: string[] = [];
        const results = works.map(({ fails, pauses }, at) =>
          inOrder(async () => {
            noted.push(`${at}`);
            for (let pause = 0; pause < pauses; pause++) await undefined;
            noted.push(`${at}`);
            if (fails) throw new Error(`${at}`);
            return at;
          }),
        );
        const settled = await Promise.allSettled(results);
        expect(noted).toEqual(works.flatMap((_, at) => [`${at}`, `${at}`]));
        expect(settled.map(({ status }) => status === 'rejected')).toEqual(works.map(({ fails }) => fails));
      },
    ),
  );
});

test('nothing starts within the call that asks for it, and a waiter continues before the next starts', async () => {
  const inOrder = createOrder();
  const noted: string[] = [];
  const first = inOrder(async () => void noted.push('first')).then(() => noted.push('after first'));
  const second = inOrder(async () => void noted.push('second'));
  noted.push('asked');
  await Promise.all([first, second]);
  expect(noted).toEqual(['asked', 'first', 'after first', 'second']);
});

test('a work that throws at once rejects like one that fails later', async () => {
  const inOrder = createOrder();
  const thrown = inOrder(() => {
    throw new Error('at once');
  });
  await expect(thrown).rejects.toThrow('at once');
  expect(await inOrder(async () => 'next')).toBe('next');
});

test('idle waits for earlier tasks, even failing ones, and for no later ones', async () => {
  const inOrder = createOrder();
  const noted: string[] = [];
  const before = tracked(noted, 'before');
  const failed = inOrder(before.work);
  const idle = inOrder.idle().then(() => noted.push('idle'));
  const after = tracked(noted, 'after');
  void inOrder(after.work);
  before.fail();
  await expect(failed).rejects.toThrow('before');
  await idle;
  expect(noted).not.toContain('after ends');
  after.end();
  await inOrder.idle();
  expect(noted.at(-1)).toBe('after ends');
});

test('an order that ends with a failure begins nothing after it, and says why', async () => {
  const inOrder = createOrder({ endsWithFailure: true });
  const noted: string[] = [];
  const all = [
    inOrder(async () => void noted.push('first')),
    inOrder(async () => {
      throw new Error('broken');
    }),
    inOrder(async () => void noted.push('third')),
  ];
  const settled = await Promise.allSettled(all);
  await expect(inOrder(async () => void noted.push('fourth'))).rejects.toThrow('broken');
  await inOrder.idle();
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(noted).toEqual(['first']);
});

test('works of one key go in order, and those of another key do not wait', async () => {
  const inOrder = createOrders<string>();
  const noted: string[] = [];
  const [a1, a2, b1] = [tracked(noted, 'a1'), tracked(noted, 'a2'), tracked(noted, 'b1')];
  const all = [inOrder('a', a1.work), inOrder('a', a2.work), inOrder('b', b1.work)];
  b1.end();
  await all[2];
  expect(noted).toEqual(['a1 begins', 'b1 begins', 'b1 ends']);
  a1.fail();
  a2.end();
  await expect(all[0]).rejects.toThrow('a1');
  expect(await all[1]).toBe('a2');
  // The key begins again after all of its works have ended.
  expect(await inOrder('a', async () => 'again')).toBe('again');
});
