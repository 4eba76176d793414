/** Formats and parses settings. */
import { settingNames } from '../../src/node/settings.ts';
import type { Origin, SettingName } from '../../src/node/settings.ts';
import type { Context } from '../context.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';

export interface SettingRow {
  readonly name: SettingName;
  /** `null`: not set. */
  readonly value: unknown;
  readonly origin: Origin;
}

/** USAGE for an unknown setting. */
export function settingNamed(word: string): SettingName {
  const name = settingNames.find((known) => known === word.replaceAll('-', '_'));
  if (name) return name;
  throw unknownWord(`${word} is not a setting.`, word, settingNames, `Settings are: ${settingNames.join(', ')}.`);
}

export const oneSetting = ({ settings, origins }: Context, word: string): SettingRow => {
  const name = settingNamed(word);
  return { name, value: settings[name] ?? null, origin: origins[name] };
};

export const allSettings = (context: Context): SettingRow[] => settingNames.map((name) => oneSetting(context, name));

/**
 * As written in a configuration file: a choice with its options, a list with commas; passwords in addresses are masked.
 */
export function settingText(value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value))
    return value.map((each) => (Array.isArray(each) ? each.join('; ') : String(each))).join(', ');
  if (typeof value !== 'object') return withoutPassword(String(value));
  const { use, options = {} } = value as { use?: string; options?: object };
  return withoutPassword([use, ...Object.entries(options).map(([name, option]) => `${name}=${option}`)].join(' '));
}

const withoutPassword = (text: string): string => text.replaceAll(/(\/\/[^/\s:@]*):[^/\s@]*@/g, '$1:…@');
