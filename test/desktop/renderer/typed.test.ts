/** What is typed outlives the page: kept with each key, and there again for the next page, whatever happened meanwhile. */
import { isDeepStrictEqual } from 'node:util';
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { autosaveMs } from '../../../desktop/renderer/state/report/saving.ts';
import { hasUnkeptWords } from '../../../desktop/renderer/state/report/typed.ts';
import { opened, settled, told } from './report-service.ts';

const unreachable = { code: 'NETWORK', message: 'Laudio is not responding.' };
/** A section without words may be gone when somebody else saved the report without it. */
const wordsOf = (sections: readonly { readonly key: string; readonly text: string }[]) =>
  sections.flatMap(({ key, text }) => (text === '' ? [] : [[key, text]]));
const by = (text: string) => [{ key: 'findings', title: 'Findings', text }];

test('a page that ends before it saved: the next one has the words, and saves them', async () => {
  const { document, api } = await opened();
  document.setText('findings', 'No effus');
  document.setText('findings', 'No effusion.');
  await settled();
  const next = await opened(api);
  expect(next.document.sections.value[0]!.text).toBe('No effusion.');
  expect(next.document.saving.value).toBe('changed');
  next.clock.advance(autosaveMs);
  await settled();
  expect(api.stored()).toMatchObject({ version: 2, sections: [{ text: 'No effusion.' }, {}] });
  expect([next.document.saving.value, api.kept()]).toEqual(['saved', []]);
});

test.each(['ours', 'theirs'] as const)(
  'a page that ends during a conflict: the next one shows both, and %s can stay',
  async (choice) => {
    const { document, api } = await opened();
    document.setText('findings', 'Ours.');
    api.put({ sections: by('Theirs.') });
    await document.save();
    expect(document.saving.value).toBe('conflict');
    document.setText('findings', 'Ours, and more.');
    await settled();

    const next = (await opened(api)).document;
    expect(next.saving.value).toBe('conflict');
    expect([next.sections.value[0]!.text, next.theirs.value?.sections[0]!.text]).toEqual([
      'Ours, and more.',
      'Theirs.',
    ]);
    expect(next.record.value?.sections[0]!.text).toBe('Lungs are clear.');
    await next.resolve(choice);
    await settled();
    const text = choice === 'ours' ? 'Ours, and more.' : 'Theirs.';
    expect([next.saving.value, next.sections.value[0]!.text, api.stored().sections[0]!.text]).toEqual([
      'saved',
      text,
      text,
    ]);
    expect(api.kept()).toEqual([]);
  },
);

test('another person changed the report between the two pages: both are shown', async () => {
  const { document, api } = await opened();
  document.setText('findings', 'Ours.');
  await settled();
  api.put({ sections: by('Theirs.') });
  const next = (await opened(api)).document;
  expect([next.saving.value, next.theirs.value?.version]).toEqual(['conflict', 2]);
  expect(next.sections.value[0]!.text).toBe('Ours.');
});

test('a save of a page that ended, announced late, is not a conflict', async () => {
  const { document, api } = await opened();
  document.setText('findings', 'Ours.');
  await settled();
  const next = await opened(api);
  await document.save();
  api.tell('record', told(2));
  await settled();
  expect([next.document.saving.value, next.document.theirs.value]).toEqual(['saved', null]);
  expect(next.document.record.value?.version).toBe(2);
  next.clock.advance(autosaveMs);
  await settled();
  expect(api.stored().version).toBe(2);
});

test('words typed back are not kept', async () => {
  const { document, api } = await opened();
  document.setText('findings', 'x');
  document.setText('findings', 'Lungs are clear.');
  await settled();
  expect(api.kept()).toEqual([]);
});

test('while the app is away the page knows that it alone has them, and gives them to it when it is back', async () => {
  const { document, api } = await opened();
  api.refuse(unreachable);
  document.setText('findings', 'Only here.');
  await settled();
  expect(hasUnkeptWords.value).toBe(true);
  await document.save();
  expect(document.saving.value).toBe('failed');
  api.refuse(undefined);
  api.gap();
  await settled();
  expect([hasUnkeptWords.value, document.saving.value]).toEqual([false, 'saved']);
  expect(api.stored().sections[0]!.text).toBe('Only here.');
});

test('a change that still waits to be sent says so after a reload', async () => {
  const { api } = await opened();
  api.wait('rec_1');
  expect((await opened(api)).document.saving.value).toBe('queued');
});

test('whatever is typed, saved, changed by others and cut short: the next page starts with the same words', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('type' as const), text: fc.string({ maxLength: 8 }) }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 2000 }) }),
    fc.record({ do: fc.constant('other' as const), text: fc.string({ maxLength: 8 }) }),
    fc.record({ do: fc.constant('told' as const) }),
    fc.record({ do: fc.constant('resolve' as const), choice: fc.constantFrom('ours' as const, 'theirs' as const) }),
    fc.record({ do: fc.constant('end' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      let page = await opened();
      const { api } = page;
      for (const each of steps) {
        if (each.do === 'type') page.document.setText('findings', each.text);
        else if (each.do === 'wait') page.clock.advance(each.ms);
        else if (each.do === 'other') api.put({ sections: by(each.text) });
        else if (each.do === 'told') api.tell('record', told(api.stored().version));
        else if (each.do === 'resolve') void page.document.resolve(each.choice);
        await settled();
        if (each.do !== 'end') continue;
        const { sections, saving, theirs, record } = page.document;
        const isMine = saving.value !== 'saved';
        page = await opened(api);
        if (isMine) expect(wordsOf(page.document.sections.value)).toEqual(wordsOf(sections.value));
        // What nobody typed over is as the service has it.
        else expect(page.document.sections.value).toEqual(api.stored().sections);
        // Who has typed by then what the other one wrote is of one mind with them, and who put the former words back changed nothing.
        const stored = wordsOf(api.stored().sections);
        const differs = [sections.value, record.value!.sections].every(
          (each) => !isDeepStrictEqual(wordsOf(each), stored),
        );
        if (theirs.value && differs) expect(page.document.theirs.value).not.toBeNull();
      }
    }),
    { numRuns: 150 },
  );
});
