/** The settings of the person, stored on this device. */
import { join } from 'node:path';
import { AppSettings } from '../../bridge/settings.ts';
import { defaultKeys } from '../../bridge/keys.ts';
import { jsonFile } from '../json-file.ts';
import type { Service, ServiceDeps } from '../service.ts';

const atFirst: AppSettings = {
  theme: 'system',
  locale: null,
  document_language: 'pt-BR',
  template_id: null,
  microphone: null,
  upload_format: 'wav',
  lock_after_minutes: 10,
  keys: { ...defaultKeys },
};

export interface Settings extends Service<'settings'> {
  current(): AppSettings;
}

export async function createSettings({
  directory,
  sealing,
}: Pick<ServiceDeps, 'directory' | 'sealing'>): Promise<Settings> {
  const file = jsonFile(join(directory, 'settings.json'), AppSettings, sealing);
  let current = (await file.read()) ?? atFirst;
  return {
    current: () => current,
    handlers: {
      'settings.get': async () => current,
      async 'settings.set'(settings) {
        await file.write(settings);
        current = settings;
        return settings;
      },
    },
    close: async () => undefined,
  };
}
