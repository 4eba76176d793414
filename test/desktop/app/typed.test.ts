/** Words that are typed: kept with each key, in the order in which they were typed and not in that of the answers. */
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { createTyped } from '../../../desktop/app/records/typed-words.ts';
import type { ServiceDeps } from '../../../desktop/app/service.ts';
import type { TypedInput } from '../../../desktop/bridge/typed.ts';
import { createSealing } from '../../../server/storage/sealing/sealing.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { testKey } from '../../support/test-key.ts';

const sealing = createSealing(testKey);
const open = (directory: string) => createTyped({ directory, sealing } as ServiceDeps);
const about = { kind: 'addendum', subject: 'rec_1' } as const;
const typed = (text: string, at: number, page = 'a'): TypedInput => ({ ...about, text, stroke: { page, at } });
const textsIn = async (words: Awaited<ReturnType<typeof createTyped>>) =>
  (await words.handlers['typed.list']({})).items.map(({ text }) => text);

test('typed words are there again when the app is', async () => {
  const directory = await temporaryDirectory();
  const words = await open(directory);
  await words.handlers['typed.keep'](typed('Compared', 1));
  await words.handlers['typed.keep']({ ...typed('replace', 2), kind: 'instruction' });
  expect((await textsIn(await open(directory))).toSorted()).toEqual(['Compared', 'replace']);
  await words.handlers['typed.forget']({ ...about, stroke: { page: 'a', at: 3 } });
  expect(await textsIn(await open(directory))).toEqual(['replace']);
});

test('later words of another window stay when the first one’s words become part of the document', async () => {
  const words = await open(await temporaryDirectory());
  await words.keep(typed('from here', 5));
  await words.keep(typed('from there', 1, 'b'));
  await words.settle(about, { page: 'a', at: 6 }, { text: 'from here' });
  expect(await textsIn(words)).toEqual(['from there']);
  await words.settle(about, { page: 'b', at: 2 }, { text: 'from there' });
  expect(await textsIn(words)).toEqual([]);
});

test('words that a page found and made part of a document are gone, although another page had typed them', async () => {
  const words = await open(await temporaryDirectory());
  await words.keep(typed(' Compared. ', 5, 'gone'));
  await words.settle(about, { page: 'b', at: 1 }, { text: 'Compared.' });
  expect(await textsIn(words)).toEqual([]);
});

test('in whatever order calls arrive, the newest that the page said counts, on disk too', async () => {
  const call = fc.record({
    text: fc.string({ maxLength: 5 }),
    does: fc.constantFrom('keep', 'keep', 'forget', 'settle'),
  });
  const inAnyOrder = fc.array(call, { minLength: 1, maxLength: 8 }).chain((calls) =>
    fc.record({
      calls: fc.constant(calls.map((each, at) => ({ ...each, at }))),
      order: fc.shuffledSubarray([...calls.keys()], { minLength: calls.length }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(inAnyOrder, async ({ calls, order }) => {
      const directory = await temporaryDirectory();
      const words = await open(directory);
      await Promise.all(
        order.map(async (index) => {
          const { text, does, at } = calls[index]!;
          const stroke = { page: 'a', at };
          if (does === 'keep') await words.keep({ ...about, text, stroke });
          else if (does === 'forget') await words.handlers['typed.forget']({ ...about, stroke });
          else await words.settle(about, stroke, { text });
        }),
      );
      const last = calls.at(-1)!;
      const expected = last.does === 'keep' ? [last.text] : [];
      expect(await textsIn(words)).toEqual(expected);
      await words.close();
      expect(await textsIn(await open(directory))).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});
