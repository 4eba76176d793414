/** The section of the settings that is open. */
import { signal } from '@preact/signals';
import { openSheet } from './route.ts';

export const settingsSections = [
  'profile',
  'microphone',
  'dictation',
  'targets',
  'templates',
  'hotkeys',
  'look',
  'storage',
  'speech',
  'updates',
] as const;
export type SettingsSection = (typeof settingsSections)[number];

export const settingsSection = signal<SettingsSection>('profile');

export function openSettings(section: SettingsSection): void {
  settingsSection.value = section;
  openSheet('settings');
}
