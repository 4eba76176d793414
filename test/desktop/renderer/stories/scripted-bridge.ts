/** A bridge that answers from a script: for looking at every state of every screen without an app behind it. */
import { calls } from '../../../../desktop/bridge/calls.ts';
import { defaultKeys } from '../../../../desktop/bridge/keys.ts';
import { defaultList } from '../../../../desktop/bridge/list-settings.ts';
import type { AppSettings } from '../../../../desktop/bridge/settings.ts';
import type { Bridge, BridgeError } from '../../../../desktop/bridge/bridge.ts';
import type { CallInput, CallName, CallOutput } from '../../../../desktop/bridge/calls.ts';
import type { Dictation } from '../../../../desktop/bridge/dictation.ts';
import type { EventData, EventName } from '../../../../desktop/bridge/events.ts';
import type { SessionState } from '../../../../desktop/bridge/session.ts';
import type { Schema } from '../../../../src/contract/schema.ts';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { displayName } from '../../../../src/domain/person-name.ts';
import samples from '../../../../samples/worklist.json' with { type: 'json' };

/** What a script need not count. */
type Scripted<O> = O extends { readonly revision: number } ? Omit<O, 'revision'> & { readonly revision?: number } : O;
type Answer<N extends CallName> = Scripted<CallOutput<N>>;
export type Script = { [N in CallName]?: (input: CallInput<N>) => Answer<N> | Promise<Answer<N>> };

const isCounted = (name: CallName): boolean => 'revision' in ((calls[name].output as Schema).properties ?? {});

export interface ScriptedBridge extends Bridge {
  /** Tells the page something, as the app would. */
  tell<N extends EventName>(name: N, data: EventData<N>): void;
  gap(): void;
  /** What was called, in order. */
  readonly asked: { readonly name: CallName; readonly input: unknown }[];
}

/** A call without an answer in the script is refused, so that a story shows what a failing call looks like. */
export function scriptedBridge(script: Script): ScriptedBridge {
  const listeners = new Map<string, Set<(data: never) => void>>();
  const follow = (name: string, listener: (data: never) => void): (() => void) => {
    const set = listeners.get(name) ?? new Set();
    listeners.set(name, set.add(listener));
    return () => set.delete(listener);
  };
  const tell = (name: string, data: unknown): void => {
    for (const listener of listeners.get(name) ?? []) listener(data as never);
  };
  const asked: { name: CallName; input: unknown }[] = [];
  return {
    asked,
    async call(name, input) {
      asked.push({ name, input });
      const answer = script[name];
      if (answer === undefined) throw refusal('NOT_FOUND', `The script of this story does not answer ${name}.`);
      const output: unknown = await answer(input);
      return (isCounted(name) ? { revision: 0, ...Object(output) } : output) as never;
    },
    on: (name, listener) => follow(name, listener),
    onGap: (listener) => follow('gap', listener),
    address: (file) => `/files/${file}`,
    tell,
    gap: () => tell('gap', undefined),
  };
}

export const refusal = (code: string, message: string, hint?: string): BridgeError => ({
  code,
  message,
  ...(hint !== undefined && { hint }),
});

export const never = <T>(): Promise<T> => new Promise(() => undefined);

export const session = (change: Partial<SessionState> = {}): SessionState => ({
  phase: 'ready',
  place: 'test',
  server: null,
  user: 'Dra. Helena Prado',
  test_mode: true,
  online: true,
  waiting: 0,
  overdue: false,
  unsent: [],
  unsigned: [],
  needs_first_user: false,
  recogniser: null,
  role: null,
  pin: { has_pin: false, locked: false },
  sound_goes_to: null,
  proposes_impressions: false,
  text_goes_to: null,
  desk: 'desk_1',
  asks_code: true,
  places: ['this-computer', 'service', 'test'],
  revision: 0,
  ...change,
});

/** One that is paused, with three seconds in it. */
export const dictation = (change: Partial<Dictation> = {}): Dictation => ({
  id: 'dic_1',
  item_id: 'wli_1',
  state: 'paused',
  recovered: false,
  seconds: 3,
  sample_rate: 16_000,
  saved_at: null,
  template_id: null,
  language: 'pt-BR',
  can_undo: false,
  progress: 0,
  job_id: null,
  record_id: null,
  error: null,
  created_at: '2026-03-02T11:30:00.000Z',
  revision: 0,
  ...change,
});

export const settings = (change: Partial<AppSettings> = {}): AppSettings => ({
  theme: 'system',
  locale: 'en-US',
  document_language: 'pt-BR',
  template_id: null,
  microphone: null,
  upload_format: 'wav',
  live_words: true,
  voice_commands: true,
  grace_seconds: 60,
  spell_check: true,
  follow_viewer: false,
  anywhere: null,
  lock_after_minutes: 10,
  list: defaultList,
  keys: { ...defaultKeys },
  ...change,
});

const day = 86_400_000;

/** The sample exams as if they were of today; a few in hand, done, cancelled. */
export function exams(now: number, count = samples.items.length): WorklistItem[] {
  return Array.from({ length: count }, (_, at) => {
    const { patient_name, ...sample } = samples.items[at % samples.items.length]!;
    const time = sample.exam_datetime.slice(10);
    const date = new Date(now - (at % 9 === 8 ? day : 0)).toISOString().slice(0, 10);
    const status = at % 7 === 2 ? 'in_progress' : at % 6 === 5 ? 'completed' : at === 15 ? 'cancelled' : 'new';
    const holder = at % 2 === 0 ? 'Dr. Nunes' : 'Dra. Helena Prado';
    return {
      ...sample,
      id: `wli_${at}`,
      accession_number: `${sample.accession_number}${at >= samples.items.length ? `-${at}` : ''}`,
      patient_name,
      display_name: displayName(patient_name),
      exam_datetime: date + time,
      status,
      reason: null,
      source_system: 'PACS',
      record_id: null,
      assigned_to: status === 'in_progress' ? holder : null,
      created_at: new Date(now - 3_600_000).toISOString(),
      updated_at: new Date(now - (at + 1) * 300_000).toISOString(),
      version: 1,
    } as WorklistItem;
  });
}
