import * as fc from '../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import type { CallName } from '../../../desktop/bridge/calls.ts';
import type { EventData } from '../../../desktop/bridge/events.ts';
import { autosaveMs } from '../../../desktop/renderer/state/report/saving.ts';
import type { OpenReport } from '../../../desktop/renderer/state/report/document.ts';
import type { MedicalRecord, Section } from '../../../src/contract/document.ts';
import type { Finding } from '../../../src/contract/finding.ts';
import { base, opened, settled, told } from './report-service.ts';

test('shows the newest report of the exam', async () => {
  const { document } = await opened();
  expect(document.phase.value).toBe('ready');
  expect(document.sections.value).toEqual(base.sections);
  expect(document.saving.value).toBe('saved');
});

test('saves by itself once the keys are still, and only once', async () => {
  const { document, clock, api } = await opened();
  document.setText('findings', 'A');
  clock.advance(autosaveMs - 1);
  document.setText('findings', 'AB');
  clock.advance(autosaveMs - 1);
  expect(document.saving.value).toBe('changed');
  clock.advance(1);
  await settled();
  expect(document.saving.value).toBe('saved');
  expect(api.called.filter(({ name }) => name === 'record.save')).toHaveLength(1);
  expect(api.stored().sections[0]!.text).toBe('AB');
});

test('text typed during a save is saved next, from the new version', async () => {
  const { document, clock, api } = await opened();
  document.setText('findings', 'one');
  const letGo = api.hold();
  const saving = document.save();
  await settled();
  document.setText('findings', 'one two');
  letGo();
  await saving;
  expect(document.sections.value[0]!.text).toBe('one two');
  expect(document.saving.value).toBe('changed');
  clock.advance(autosaveMs);
  await settled();
  expect(api.stored()).toMatchObject({ version: 3, sections: [{ text: 'one two' }, {}] });
});

test('typing back the former text needs no saving', async () => {
  const { document, clock, api } = await opened();
  document.setText('findings', 'x');
  document.setText('findings', base.sections[0]!.text);
  expect(document.saving.value).toBe('saved');
  clock.advance(autosaveMs);
  await settled();
  expect(api.called.some(({ name }) => name === 'record.save')).toBe(false);
});

test('another person’s change shows at once if nothing was typed', async () => {
  const { document, api, elsewhere } = await opened();
  api.put({ title: 'Theirs' });
  api.tell('record', told(2));
  await settled();
  expect(document.title.value).toBe('Theirs');
  // Who reads it is told that the words are others now; of what they say already nobody is told.
  expect(elsewhere).toEqual([[2, 'Bruno']]);
  api.put({ metadata: { seen: 'yes' } });
  api.tell('record', told(3));
  await settled();
  expect([document.record.value?.version, elsewhere]).toEqual([3, [[2, 'Bruno']]]);
});

test('one’s own change that another part of the app made, such as live edits, is no news', async () => {
  const { document, api, elsewhere } = await opened();
  api.put({ title: 'Typed while dictating' }, 'Anna');
  api.tell('record', told(2));
  await settled();
  expect([document.title.value, elsewhere]).toEqual(['Typed while dictating', []]);
});

test('another person’s change shows next to one’s own at once, before that is saved', async () => {
  const { document, api, clock, elsewhere } = await opened();
  document.setText('findings', 'Ours.');
  api.put({ sections: [{ key: 'findings', title: 'Findings', text: 'Theirs.' }, base.sections[1]!] });
  api.tell('record', told(2));
  await settled();
  expect([document.saving.value, document.theirs.value?.version]).toEqual(['conflict', 2]);
  clock.advance(autosaveMs);
  await settled();
  expect([document.sections.value[0]!.text, api.stored().version, elsewhere]).toEqual(['Ours.', 2, []]);
  await document.resolve('ours');
  expect(api.stored()).toMatchObject({ version: 3, sections: [{ text: 'Ours.' }, {}] });
});

test('another person’s change during a save shows right after it', async () => {
  const { document, api } = await opened();
  document.setText('findings', 'Ours.');
  const letGo = api.hold();
  const saving = document.save();
  await settled();
  api.tell('record', told(3));
  letGo();
  await saving;
  api.put({ title: 'Theirs' });
  api.tell('record', told(3));
  await settled();
  expect([document.title.value, document.sections.value[0]!.text]).toEqual(['Theirs', 'Ours.']);
});

test('one’s own changes are not news, even if they are announced before they are answered', async () => {
  const { document, api, elsewhere } = await opened();
  const letGo = api.hold();
  const correcting = document.correct('no');
  await settled();
  api.tell('record', told(2));
  await settled();
  letGo();
  await correcting;
  await settled();
  expect([document.record.value?.version, elsewhere]).toEqual([2, []]);
});

test('a report deleted by another person is gone; unsaved words stay', async () => {
  const first = await opened();
  first.api.drop();
  first.api.tell('record', told(1, { deleted: true }));
  expect(first.document.phase.value).toBe('loading');
  await settled();
  expect([first.document.phase.value, first.document.all.value]).toEqual(['none', []]);

  const second = await opened();
  second.document.setText('findings', 'Kept.');
  second.api.tell('record', told(1, { deleted: true }));
  await settled();
  expect([second.document.phase.value, second.document.sections.value[0]!.text]).toEqual(['ready', 'Kept.']);
});

/** One after the other, each followed by what comes of it. */
async function inOrder(...steps: (() => void)[]): Promise<void> {
  for (const step of steps) {
    step();
    await settled();
  }
}

describe('own changes, in whatever order they are answered, announced and listed', () => {
  const own = {
    delete: { call: 'record.delete', make: (document) => document.remove(), told: told(1, { deleted: true }) },
    save: {
      call: 'record.save',
      make(document) {
        document.setText('findings', 'Ours.');
        return document.save();
      },
      told: told(2),
    },
    sign: { call: 'record.sign', make: (document) => document.sign(), told: told(2) },
    correct: { call: 'record.correct', make: (document) => document.correct('no'), told: told(2) },
  } as const satisfies Record<
    string,
    { call: CallName; make: (document: OpenReport) => Promise<unknown>; told: EventData<'record'> }
  >;
  const steps = ['answer', 'event', 'list'] as const;
  const orders = fc.shuffledSubarray([...steps], { minLength: 3 });

  test.each(Object.entries(own))('%s', async (name, { call, make, told: event }) => {
    await fc.assert(
      fc.asyncProperty(orders, fc.boolean(), async (order, isListedBefore) => {
        const { document, api, elsewhere } = await opened();
        const list = api.delay('record.for_item');
        // Asked before the change: it says what was before it.
        const loading = isListedBefore ? document.load() : undefined;
        await settled();
        const answer = api.delay(call);
        const making = make(document);
        await settled();
        const reloading = isListedBefore ? undefined : document.load();
        await settled();
        await inOrder(...order.map((step) => ({ answer, list, event: () => api.tell('record', event) })[step]));
        await Promise.all([making, loading, reloading]);
        await settled();
        if (name === 'delete') {
          expect([document.phase.value, document.record.value, document.all.value]).toEqual(['none', null, []]);
          return;
        }
        expect(document.phase.value).toBe('ready');
        expect(document.record.value).toEqual(api.stored());
        expect(document.sections.value).toEqual(api.stored().sections);
        expect([document.saving.value, document.theirs.value, elsewhere]).toEqual(['saved', null, []]);
      }),
      { numRuns: 12 },
    );
  });
});

describe('words typed while the service works stay on the screen', () => {
  const works = {
    'record.undo': (document) => document.undo('op_1'),
    'critical.mark': (document) => document.markCritical({ section: 'findings', words: 'Lungs' }),
    'record.sign': (document) => document.sign(),
    'record.reopen': (document) => document.reopen(),
  } as const satisfies Partial<Record<CallName, (document: OpenReport) => Promise<unknown>>>;

  test.each(Object.entries(works))('%s', async (call, work) => {
    const { document, api } = await opened();
    const made: Partial<Record<string, Partial<MedicalRecord>>> = { 'record.sign': { status: 'final' } };
    const bare = ['record.undo', 'critical.mark'].includes(call);
    api.answer(call as CallName, () => {
      const record = api.put(made[call] ?? {});
      return bare ? record : { outcome: 'saved', record };
    });
    const answer = api.delay(call as CallName);
    const working = work(document);
    await settled();
    document.setText('impression', 'Typed meanwhile.');
    answer();
    await working;
    expect(document.sections.value[1]!.text).toBe('Typed meanwhile.');
    expect(document.saving.value).toBe(call === 'record.sign' ? 'conflict' : 'changed');
  });
});

test('a report that was deleted elsewhere while it was saved is gone once that is answered', async () => {
  const { document, api } = await opened();
  document.setText('findings', 'Ours.');
  const answer = api.delay('record.save');
  const saving = document.save();
  await settled();
  api.drop();
  api.tell('record', told(2, { deleted: true }));
  await settled();
  answer();
  await saving;
  await settled();
  expect([document.phase.value, document.all.value]).toEqual(['none', []]);
});

test('typed text is saved before the report of a new dictation shows', async () => {
  const { document, api } = await opened();
  document.setText('findings', 'Ours.');
  api.tell('dictation', { item_id: 'wli_1', state: 'done' });
  await settled();
  expect(api.stored()).toMatchObject({ version: 2, sections: [{ text: 'Ours.' }, {}] });
});

test('another person’s new report of this exam shows, but not in place of the open one', async () => {
  const { document, api } = await opened();
  api.tell('record', told(1, { id: 'rec_2', item_id: 'wli_2' }));
  await settled();
  expect(document.all.value.map(({ id }) => id)).toEqual(['rec_1']);
  api.add({ ...base, id: 'rec_2', created_at: '2026-03-02T12:30:00.000Z' });
  api.tell('record', told(1, { id: 'rec_2' }));
  await settled();
  expect(document.all.value.map(({ id }) => id)).toEqual(['rec_2', 'rec_1']);
  expect(document.record.value?.id).toBe('rec_1');
});

test.each(['ours', 'theirs'] as const)('two changes at once: both are shown, and %s can stay', async (choice) => {
  const { document, api } = await opened();
  document.setText('findings', 'Ours.');
  api.put({ sections: [{ key: 'findings', title: 'Findings', text: 'Theirs.' }] });
  await document.save();
  expect(document.saving.value).toBe('conflict');
  expect(document.theirs.value?.sections[0]!.text).toBe('Theirs.');
  expect(document.sections.value[0]!.text).toBe('Ours.');
  await document.resolve(choice);
  expect(document.theirs.value).toBeNull();
  expect(document.saving.value).toBe('saved');
  expect(document.sections.value[0]!.text).toBe(choice === 'ours' ? 'Ours.' : 'Theirs.');
  expect(api.stored().sections[0]!.text).toBe(choice === 'ours' ? 'Ours.' : 'Theirs.');
});

test('a refused save says why, keeps the words, and can be tried again', async () => {
  const { document, api } = await opened();
  document.setText('findings', 'Kept.');
  api.refuse({ code: 'STORAGE_UNAVAILABLE', message: 'The disk is full.' });
  await document.save();
  expect(document.saving.value).toBe('failed');
  expect(document.error.value?.message).toBe('The disk is full.');
  expect(document.sections.value[0]!.text).toBe('Kept.');
  api.refuse(undefined);
  await document.save();
  expect(document.saving.value).toBe('saved');
  expect(api.stored().sections[0]!.text).toBe('Kept.');
});

test('signing saves first and then signs', async () => {
  const { document, api } = await opened();
  document.setText('impression', 'Normal.');
  expect(await document.sign()).toBeNull();
  expect(api.stored()).toMatchObject({ status: 'final', sections: [{}, { text: 'Normal.' }] });
  expect(document.record.value?.status).toBe('final');
});

test.each(['somewhere else', 'in the same section'])(
  'signing stops if another person changed the report %s',
  async (where) => {
    const { document, api } = await opened();
    document.setText('impression', 'Normal.');
    const [findings, impression] = base.sections as [Section, Section];
    api.put(
      where === 'somewhere else' ? { title: 'Theirs' } : { sections: [findings, { ...impression, text: 'Theirs.' }] },
    );
    const why = await document.sign();
    await settled();
    expect(why).toBe(where === 'somewhere else' ? 'merged' : 'conflict');
    expect(document.otherAuthor.value).toEqual({ name: 'Bruno' });
    expect(document.saving.value).toBe(where === 'somewhere else' ? 'changed' : 'conflict');
    expect(api.stored().status).toBe('draft');
  },
);

describe('two people at one report', () => {
  const [findings, impression] = base.sections as [Section, Section];

  test('changes of different sections are merged, saved, and pointed out until they are read', async () => {
    const { document, api, clock, elsewhere } = await opened();
    document.setText('findings', 'Ours.');
    api.put({ sections: [findings, { ...impression, text: 'Theirs.' }] });
    api.tell('record', told(2));
    await settled();
    expect(document.theirs.value).toBeNull();
    expect(document.sections.value.map(({ text }) => text)).toEqual(['Ours.', 'Theirs.']);
    expect([document.merged.value, elsewhere]).toEqual([['Impression'], []]);
    clock.advance(autosaveMs);
    await settled();
    expect(document.saving.value).toBe('saved');
    expect(api.stored().sections.map(({ text }) => text)).toEqual(['Ours.', 'Theirs.']);
    document.acceptMerge();
    expect(document.merged.value).toEqual([]);
  });

  test('the merge by the service shows, and later typing is applied to it', async () => {
    const { document, api } = await opened();
    document.setText('findings', 'Ours.');
    const letGo = api.hold();
    const saving = document.save();
    await settled();
    document.setText('findings', 'Ours, longer.');
    api.put({
      sections: [
        { ...findings, text: 'Ours.' },
        { ...impression, text: 'Theirs.' },
      ],
    });
    api.answer('record.save', () => ({ outcome: 'saved', record: api.put({}) }));
    letGo();
    await saving;
    expect(document.sections.value.map(({ text }) => text)).toEqual(['Ours, longer.', 'Theirs.']);
    expect([document.saving.value, document.merged.value]).toEqual(['changed', ['Impression']]);
  });

  test.each([
    ['ours', 'Ours.'],
    ['theirs', 'Theirs.'],
    ['both', 'Theirs.\nOurs.'],
  ] as const)(
    'only a section that both changed needs a decision; %s stays, like everything else',
    async (choice, text) => {
      const { document, api } = await opened();
      document.setText('findings', 'Ours.');
      document.setTitle('Our title');
      api.put({
        sections: [
          { ...findings, text: 'Theirs.' },
          { ...impression, text: 'Their impression.' },
        ],
      });
      await document.save();
      expect(document.saving.value).toBe('conflict');
      expect(document.clashes.value.map(({ key, ours, theirs }) => [key, ours, theirs])).toEqual([
        ['findings', 'Ours.', 'Theirs.'],
      ]);
      await document.resolve(choice, 'findings');
      expect([document.saving.value, document.clashes.value]).toEqual(['saved', []]);
      expect(api.stored()).toMatchObject({
        title: 'Our title',
        sections: [{ text }, { text: 'Their impression.' }],
      });
    },
  );

  test('each conflict is decided separately, and nothing is saved before the last', async () => {
    const { document, api } = await opened();
    document.setText('findings', 'Ours.');
    document.setText('impression', 'Our impression.');
    api.put({
      sections: [
        { ...findings, text: 'Theirs.' },
        { ...impression, text: 'Their impression.' },
      ],
    });
    await document.save();
    await document.resolve('theirs', 'findings');
    expect([document.saving.value, api.stored().version]).toEqual(['conflict', 2]);
    // A further version in the section that was decided asks again.
    api.put({
      sections: [
        { ...findings, text: 'Theirs again.' },
        { ...impression, text: 'Their impression.' },
      ],
    });
    api.tell('record', told(3));
    await settled();
    await document.resolve('ours', 'impression');
    expect(api.stored().sections.map(({ text }) => text)).toEqual(['Theirs again.', 'Our impression.']);
  });
});

test('a correction shows its changes and can be undone', async () => {
  const { document, api } = await opened();
  await document.correct('no');
  expect(document.corrected.value?.changes).toHaveLength(1);
  expect(document.sections.value[0]!.text).toBe('Lungs are NOT clear.');
  await document.undoCorrection();
  expect(document.corrected.value).toBeNull();
  expect(api.stored().sections[0]!.text).toBe('Lungs are clear.');
});

test('leaving saves the last typed text', async () => {
  const { document, api } = await opened();
  document.setText('findings', 'Last words.');
  await document.close();
  expect(api.stored().sections[0]!.text).toBe('Last words.');
});

const found: Finding = {
  id: 'f_1',
  kind: 'side_not_said',
  severity: 'warning',
  section: 'findings',
  start: 0,
  end: 5,
  transcript: null,
  message: 'Look here.',
  evidence: [],
  status: 'open',
  by: null,
  at: null,
};

test('a decision about a finding waits for the words that are typed, and leaves those typed meanwhile', async () => {
  const { document, api } = await opened();
  api.put({ findings_to_review: [found] });
  await document.load();
  document.setText('findings', 'Typed first.');
  const letGo = api.hold();
  const decided = document.decide('f_1', 'dismissed');
  await settled();
  document.setText('findings', 'Typed first. And then.');
  letGo();
  await decided;
  const changes = api.called.filter(({ name }) => ['record.save', 'record.decide'].includes(name));
  expect(changes.map(({ name }) => name)).toEqual(['record.save', 'record.decide']);
  expect(document.sections.value[0]!.text).toBe('Typed first. And then.');
  expect(document.record.value!.findings_to_review).toMatchObject([{ status: 'dismissed' }]);
});

test('a decision made elsewhere is shown, and the words stay', async () => {
  const { document, api, elsewhere } = await opened();
  api.put({ findings_to_review: [found] });
  await document.load();
  document.setText('findings', 'Typed.');
  api.decide('f_1', 'dismissed');
  api.tell('record', told(2, { reviewed: true }));
  await settled();
  expect(document.record.value!.findings_to_review).toMatchObject([{ status: 'dismissed' }]);
  expect(document.sections.value[0]!.text).toBe('Typed.');
  expect(elsewhere).toEqual([]);
});

test('the signature covers what was read; new findings of the service are shown, and nothing is signed', async () => {
  const { document, api } = await opened();
  api.refuse({ code: 'OPEN_FINDINGS', message: 'Open.' }, 'record.sign');
  api.put({ findings_to_review: [found] });
  api.tell('record', told(1));
  await expect(document.sign(['f_0'])).rejects.toMatchObject({ code: 'OPEN_FINDINGS' });
  expect(api.called.find(({ name }) => name === 'record.sign')!.input).toMatchObject({ acknowledged: ['f_0'] });
  expect(document.findings.value).toMatchObject([{ id: 'f_1' }]);
  expect(document.record.value!.status).toBe('draft');
});
