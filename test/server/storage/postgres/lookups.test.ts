/** Look-ups of many callers share questions, and each gets its own answer. */
import { expect, test } from 'vitest';
import { askTogether } from '../../../../server/storage/postgres/lookups.ts';
import * as fc from '../../../support/properties.ts';

interface Question {
  readonly keys: readonly number[];
  readonly answer: PromiseWithResolvers<readonly string[]>;
}

function heldQuestions() {
  const asked: Question[] = [];
  const ask = askTogether((keys: readonly number[]) => {
    const answer = Promise.withResolvers<readonly string[]>();
    asked.push({ keys, answer });
    return answer.promise;
  });
  return { asked, ask };
}

const answerTo = (keys: readonly number[]): string[] => keys.map((key) => `row ${key}`);

test('each caller gets the rows of its own keys, by one question at a time', async () => {
  const lists = fc.array(fc.array(fc.nat(20), { maxLength: 5 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 6 }), async (callers, together) => {
      let underWay = 0;
      const ask = askTogether(async (keys: readonly number[]) => {
        expect(++underWay).toBe(1);
        for (let turn = 0; turn < together; turn++) await Promise.resolve();
        underWay--;
        return answerTo(keys);
      });
      const answers: Promise<readonly string[]>[] = [];
      for (const keys of callers) {
        answers.push(ask(keys));
        await Promise.resolve();
      }
      expect(await Promise.all(answers)).toEqual(callers.map(answerTo));
    }),
  );
});

test('those that ask during a question share the next one', async () => {
  const { asked, ask } = heldQuestions();
  const all = [ask([1]), ask([2, 3]), ask([4])];
  expect(asked.map(({ keys }) => keys)).toEqual([[1]]);
  asked[0]!.answer.resolve(['a']);
  await all[0];
  await expect.poll(() => asked.map(({ keys }) => keys)).toEqual([[1], [2, 3, 4]]);
  asked[1]!.answer.resolve(['b', 'c', 'd']);
  expect(await Promise.all(all)).toEqual([['a'], ['b', 'c'], ['d']]);
});

test('a question that fails, fails for those who share it, and for nobody after them', async () => {
  const { asked, ask } = heldQuestions();
  const [first, second, third] = [ask([1]), ask([2]), ask([3])];
  asked[0]!.answer.resolve(['a']);
  await first;
  await expect.poll(() => asked.length).toBe(2);
  const later = ask([4]);
  asked[1]!.answer.reject(new Error('away'));
  await expect(second).rejects.toThrow('away');
  await expect(third).rejects.toThrow('away');
  await expect.poll(() => asked.length).toBe(3);
  asked[2]!.answer.resolve(['d']);
  expect(await later).toEqual(['d']);
});

test('a large crowd is split into several questions', async () => {
  const { asked, ask } = heldQuestions();
  const large = Array.from({ length: 1500 }, (_, nth) => nth);
  const all = [ask([1]), ask(large), ask(large)];
  asked[0]!.answer.resolve(['a']);
  for (const nth of [1, 2]) {
    await expect.poll(() => asked.length).toBe(nth + 1);
    expect(asked[nth]!.keys).toHaveLength(1500);
    asked[nth]!.answer.resolve(answerTo(large));
  }
  expect((await Promise.all(all)).map(({ length }) => length)).toEqual([1, 1500, 1500]);
});
