/** One report of one exam, as the app behind the page has it. */
import type { MedicalRecord } from '../../../src/contract/document.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import type { Bridge } from '../../../desktop/bridge/bridge.ts';
import type { CallName } from '../../../desktop/bridge/calls.ts';
import type { EventData, EventName } from '../../../desktop/bridge/events.ts';
import type { TypedInput } from '../../../desktop/bridge/typed.ts';
import { openReport } from '../../../desktop/renderer/state/report/document.ts';

export const base: MedicalRecord = {
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

/**
 * A service with one report, as the app tells of it. `hold` keeps requests from it until they are let go, `delay` the
 * answers to one call: they say what was when it was asked.
 */
export function service() {
  let stored: MedicalRecord = base;
  const versions: MedicalRecord[] = [base];
  const listeners = new Map<string, (data: never) => void>();
  const called: { name: CallName; input: unknown }[] = [];
  let listed: MedicalRecord[] | undefined;
  let waiting: string[] = [];
  let kept: TypedInput[] = [];
  const gaps = new Set<() => void>();
  let gate: Promise<void> = Promise.resolve();
  const delays = new Map<CallName, Promise<void>>();
  let refusal: { code: string; message: string } | undefined;
  /** The one call that is refused; `undefined`: every call. */
  let refused: CallName | undefined;
  const writers = new Map<number, string>();
  /** `who`: the author of the new version. */
  const put = (change: Partial<MedicalRecord>, who = 'Bruno'): MedicalRecord => {
    stored = { ...stored, ...change, version: stored.version + 1 };
    writers.set(stored.version, who);
    versions.push(stored);
    return stored;
  };
  /** The version stays, as with the service. */
  const decide = (id: string, status: 'dismissed' | 'open'): MedicalRecord => {
    const findings = (stored.findings_to_review ?? []).map((each) => (each.id === id ? { ...each, status } : each));
    return (stored = { ...stored, findings_to_review: findings });
  };
  const answers: Partial<Record<CallName, (input: never) => unknown>> = {
    'record.for_item': () => ({ items: listed ?? [stored], waiting, written: null }),
    'record.signature': () => ({ signature: null, addenda: [] }),
    'typed.list': () => ({ items: kept }),
    'typed.keep': (typed: TypedInput) => void (kept = [typed]),
    'typed.forget': () => void (kept = []),
    'record.get': () => stored,
    'record.versions': () => ({
      items: versions.map(({ version }) => ({ version, who: writers.get(version) ?? 'Anna' })).toReversed(),
    }),
    'record.version': ({ n }: { n: number }) => versions[n - 1],
    'record.save': ({ version, title, sections }: MedicalRecord) => {
      const isKept = JSON.stringify(kept[0]?.sections) === JSON.stringify(sections);
      if (version !== stored.version) {
        kept = [{ kind: 'report', subject: 'rec_1', version, title, sections }];
        return { outcome: 'conflict', record: stored, theirs: stored };
      }
      if (isKept) kept = [];
      return { outcome: 'saved', record: put({ title, sections }, 'Anna') };
    },
    'record.delete': () => {
      listed = [];
      return {};
    },
    'record.decide': ({ finding, status }: { finding: string; status: 'dismissed' | 'open' }) =>
      decide(finding, status),
    'record.sign': () => ({ outcome: 'saved', record: put({ status: 'final' }, 'Anna') }),
    'record.correct': ({ instruction }: { instruction: string }) => {
      const before = stored.sections[0]!.text;
      const sections = stored.sections.map((section, at) =>
        at === 0 ? { ...section, text: 'Lungs are NOT clear.' } : section,
      );
      return {
        record: put({ sections }, 'Anna'),
        instruction,
        changes: [{ section: 'findings', before, after: 'Lungs are NOT clear.' }],
      };
    },
  };
  const bridge: Bridge = {
    async call(name, input) {
      called.push({ name, input });
      await gate;
      if (refusal && (refused ?? name) === name) throw refusal;
      const answer = answers[name]!(input as never) as never;
      await delays.get(name);
      return answer;
    },
    on(name: EventName, listener: (data: never) => void) {
      listeners.set(name, listener);
      return () => void listeners.delete(name);
    },
    onGap(listener) {
      gaps.add(listener);
      return () => void gaps.delete(listener);
    },
    address: (file) => file,
  };
  return {
    bridge,
    called,
    put,
    stored: () => stored,
    kept: () => kept,
    gap: () => gaps.forEach((listener) => listener()),
    wait: (...ids: string[]) => void (waiting = ids),
    drop: () => void (listed = []),
    add: (newer: MedicalRecord) => void (listed = [newer, stored]),
    tell: (name: EventName, data: unknown) => listeners.get(name)?.(data as never),
    answer: (name: CallName, answer: () => unknown) => void (answers[name] = answer),
    delay(name: CallName) {
      const { promise, resolve } = Promise.withResolvers<void>();
      delays.set(name, promise);
      return () => {
        delays.delete(name);
        resolve();
      };
    },
    decide,
    refuse: (error: typeof refusal, name?: CallName) => void ([refusal, refused] = [error, name]),
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

/** That there is a new version of the report. */
export const told = (version: number, change: Partial<EventData<'record'>> = {}): EventData<'record'> => ({
  id: 'rec_1',
  item_id: 'wli_1',
  version,
  deleted: false,
  ...change,
});

export const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A page with the report open; another one of the same service where `api` is given. */
export async function opened(api = service()) {
  const clock = manualClock(0);
  const elsewhere: [version: number, who: string | null][] = [];
  const onChangedElsewhere = ({ version }: MedicalRecord, who: string | null) => void elsewhere.push([version, who]);
  const document = openReport('wli_1', { bridge: api.bridge, clock, by: () => 'Anna', onChangedElsewhere });
  await document.load();
  return { clock, api, document, elsewhere };
}
