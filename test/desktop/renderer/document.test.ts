import { expect, test } from 'vitest';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import type { Bridge, CallName, EventName } from '../../../desktop/bridge.ts';
import { autosaveMs, openDocument } from '../../../desktop/renderer/state/document.ts';

const base: MedicalRecord = {
  id: 'rec_1',
  version: 1,
  status: 'draft',
  title: 'CT of the chest',
  template_id: 'test_template_general',
  language: 'en-US',
  sections: [
    { key: 'findings', title: 'Findings', text: 'Lungs are clear.' },
    { key: 'impression', title: 'Impression', text: '' },
  ],
  text: '',
  transcript: null,
  source: { kind: 'text' },
  worklist_item_id: 'wli_1',
  job_id: null,
  test_mode: true,
  metadata: {},
  created_at: '2026-03-02T11:30:00.000Z',
  updated_at: '2026-03-02T11:30:00.000Z',
};

/** A service with one report, as the app tells of it; `hold` keeps the next save waiting until it is let go. */
function service() {
  let stored: MedicalRecord = base;
  const versions: MedicalRecord[] = [base];
  const listeners = new Map<string, (data: never) => void>();
  const called: { name: CallName; input: unknown }[] = [];
  let gate: Promise<void> = Promise.resolve();
  let refusal: { code: string; message: string } | undefined;
  const put = (change: Partial<MedicalRecord>): MedicalRecord => {
    stored = { ...stored, ...change, version: stored.version + 1 };
    versions.push(stored);
    return stored;
  };
  const answers: Partial<Record<CallName, (input: never) => unknown>> = {
    'record.for_item': () => ({ items: [stored] }),
    'record.get': () => stored,
    'record.version': ({ n }: { n: number }) => versions[n - 1],
    'record.save': ({ version, title, sections }: MedicalRecord) =>
      version === stored.version
        ? { outcome: 'saved', record: put({ title, sections }) }
        : { outcome: 'conflict', record: stored, theirs: stored },
    'record.sign': () => ({ outcome: 'saved', record: put({ status: 'final' }) }),
    'record.correct': ({ instruction }: { instruction: string }) => {
      const before = stored.sections[0]!.text;
      const sections = stored.sections.map((section, at) =>
        at === 0 ? { ...section, text: 'Lungs are NOT clear.' } : section,
      );
      return {
        record: put({ sections }),
        instruction,
        changes: [{ section: 'findings', before, after: 'Lungs are NOT clear.' }],
      };
    },
  };
  const bridge: Bridge = {
    async call(name, input) {
      called.push({ name, input });
      await gate;
      if (refusal) throw refusal;
      return answers[name]!(input as never) as never;
    },
    on(name: EventName, listener: (data: never) => void) {
      listeners.set(name, listener);
      return () => void listeners.delete(name);
    },
    onGap: () => () => undefined,
    address: (file) => file,
  };
  return {
    bridge,
    called,
    put,
    stored: () => stored,
    tell: (name: EventName, data: unknown) => listeners.get(name)?.(data as never),
    refuse: (error: typeof refusal) => void (refusal = error),
    hold() {
      let open = () => {};
      gate = new Promise((resolve) => (open = resolve));
      return () => {
        gate = Promise.resolve();
        open();
      };
    },
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

async function opened() {
  const clock = manualClock(0);
  const api = service();
  const document = openDocument('wli_1', { bridge: api.bridge, clock });
  await document.load();
  return { clock, api, document };
}

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

test('what is typed while it is saved is saved next, from the new version', async () => {
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

test('typing back what was there needs no saving', async () => {
  const { document, clock, api } = await opened();
  document.setText('findings', 'x');
  document.setText('findings', base.sections[0]!.text);
  expect(document.saving.value).toBe('saved');
  clock.advance(autosaveMs);
  await settled();
  expect(api.called.some(({ name }) => name === 'record.save')).toBe(false);
});

test('somebody else’s change shows at once where nothing was typed', async () => {
  const { document, api } = await opened();
  api.put({ title: 'Theirs' });
  api.tell('record', { id: 'rec_1', version: 2 });
  await settled();
  expect(document.title.value).toBe('Theirs');
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
  await document.sign();
  expect(api.stored()).toMatchObject({ status: 'final', sections: [{}, { text: 'Normal.' }] });
  expect(document.record.value?.status).toBe('final');
});

test('signing stops where somebody else changed the report', async () => {
  const { document, api } = await opened();
  document.setText('impression', 'Normal.');
  api.put({ title: 'Theirs' });
  await document.sign();
  expect(document.saving.value).toBe('conflict');
  expect(api.stored().status).toBe('draft');
});

test('a correction shows what it changed and can be taken back', async () => {
  const { document, api } = await opened();
  await document.correct('no');
  expect(document.corrected.value?.changes).toHaveLength(1);
  expect(document.sections.value[0]!.text).toBe('Lungs are NOT clear.');
  await document.undoCorrection();
  expect(document.corrected.value).toBeNull();
  expect(api.stored().sections[0]!.text).toBe('Lungs are clear.');
});

test('leaving saves what was typed last', async () => {
  const { document, api } = await opened();
  document.setText('findings', 'Last words.');
  await document.close();
  expect(api.stored().sections[0]!.text).toBe('Last words.');
});
