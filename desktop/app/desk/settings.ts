/** The settings of the person, stored on this device. */
import { join } from 'node:path';
import { extended } from '../../../src/contract/schema.ts';
import type { JsonSchema, Schema } from '../../../src/contract/schema.ts';
import { createListeners } from '../../../src/domain/listeners.ts';
import { AppSettings, Keys } from '../../bridge/settings.ts';
import { defaultKeys } from '../../bridge/keys.ts';
import { ListSettings, defaultList } from '../../bridge/list-settings.ts';
import { jsonFile } from '../json-file.ts';
import type { Service, ServiceDeps } from '../service.ts';

const atFirst: AppSettings = {
  theme: 'system',
  locale: null,
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
};

/** An older version of the app stored fewer settings, and fewer keys. */
const partial = <T>(schema: Schema<T>): Schema<Partial<T>> => ({ ...(schema as JsonSchema), required: [] });
const StoredSettings = partial(extended(AppSettings, { keys: partial(Keys), list: partial(ListSettings) }));

export interface Settings extends Service<'settings'> {
  current(): AppSettings;
  /** Calls the listener after each change. The returned function stops that. */
  onChange(listener: () => void): () => void;
}

export async function createSettings({
  directory,
  sealing,
}: Pick<ServiceDeps, 'directory' | 'sealing'>): Promise<Settings> {
  const file = jsonFile(join(directory, 'settings.json'), StoredSettings, sealing);
  const stored = await file.read();
  let current: AppSettings = {
    ...atFirst,
    ...stored,
    keys: { ...atFirst.keys, ...stored?.keys },
    list: { ...atFirst.list, ...stored?.list },
  };
  const listeners = createListeners();
  return {
    current: () => current,
    onChange: listeners.add,
    handlers: {
      'settings.get': async () => current,
      async 'settings.set'(settings) {
        await file.write(settings);
        current = settings;
        listeners.notify();
        return settings;
      },
    },
    close: async () => undefined,
  };
}
