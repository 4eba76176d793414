/** Language and template of a report: the settings, until the person chooses; a dictation keeps the choice. */
import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { AppSettings } from '../../../desktop/bridge/settings.ts';
import type { Bridge } from '../../../desktop/bridge/bridge.ts';
import type { Dictation } from '../../../desktop/bridge/dictation.ts';
import { reportChoices } from '../../../desktop/renderer/state/recorder/report-choices.ts';

type Settings = Pick<AppSettings, 'document_language' | 'template_id'>;

function set(answer: () => Promise<unknown> = async () => ({ id: 'dic_1', created_at: '' })) {
  const settings = signal<Settings>({ document_language: 'en-US', template_id: null });
  const open = signal<Dictation | null>(null);
  const asked: unknown[] = [];
  const bridge = {
    call: async (name: string, input: unknown) => {
      asked.push([name, input]);
      return answer();
    },
  } as unknown as Bridge;
  const made = reportChoices({ bridge, settings: () => settings.value, open: () => open.value });
  return { settings, open, asked, ...made };
}

const dictation = (fields: Partial<Dictation>) => ({ id: 'dic_1', language: 'es-ES', template_id: 't', ...fields });

test('they follow the settings, whenever those are read or changed', () => {
  const { settings, choices } = set();
  expect(choices.value).toEqual({ language: 'en-US', template_id: null });
  settings.value = { document_language: 'pt-BR', template_id: 'chest' };
  expect(choices.value).toEqual({ language: 'pt-BR', template_id: 'chest' });
});

test('a dictation that is found, as after a reload, has those it was begun with', () => {
  const { open, choices } = set();
  open.value = dictation({ template_id: null }) as Dictation;
  expect(choices.value).toEqual({ language: 'es-ES', template_id: null });
});

test('choices stay, and are stored with the dictation', async () => {
  const { settings, open, asked, choices, choose } = set();
  await choose({ language: 'pt-BR' });
  expect(asked).toEqual([]);
  open.value = dictation({ language: 'pt-BR', template_id: null }) as Dictation;
  await choose({ template_id: 'chest' });
  expect(asked).toEqual([['dictation.choose', { id: 'dic_1', language: 'pt-BR', template_id: 'chest' }]]);
  settings.value = { document_language: 'en-US', template_id: null };
  expect(choices.value).toEqual({ language: 'pt-BR', template_id: 'chest' });
});

test('a choice that cannot be kept now is still the choice', async () => {
  const { open, choices, choose } = set(async () => Promise.reject(new Error('away')));
  open.value = dictation({}) as Dictation;
  await choose({ language: 'pt-BR' });
  expect(choices.value.language).toBe('pt-BR');
});
