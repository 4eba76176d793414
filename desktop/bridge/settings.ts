/** The settings of one person. */
import { boolean, integer, named, nullable, object, oneOf, string } from '../../src/contract/schema.ts';
import type { Schema, TypeOf } from '../../src/contract/schema.ts';
import { maxGraceSeconds } from '../../src/contract/document.ts';
import { languages } from '../../src/contract/shared.ts';
import { call } from './call.ts';
import { defaultKeys } from './keys.ts';
import type { Action } from './keys.ts';
import { ListSettings } from './list-settings.ts';
import { nothing } from './shapes.ts';
import { uploadFormats } from './sound.ts';

export const Keys = object(
  Object.fromEntries(
    Object.keys(defaultKeys).map((action) => [action, string({ minLength: 1, maxLength: 40 })]),
  ) as Record<Action, Schema<string>>,
);

export const AppSettings = named(
  'AppSettings',
  object({
    theme: oneOf(['system', 'light', 'dark']),
    locale: nullable(
      oneOf(languages, {
        description: 'Language of the app; `null` until the first page has reported the language of its browser.',
      }),
    ),
    document_language: oneOf(languages),
    template_id: nullable(string({ maxLength: 64 })),
    microphone: nullable(string({ maxLength: 512, description: 'Device id; `null`: the system chooses.' })),
    upload_format: oneOf(uploadFormats),
    live_words: boolean({
      description: 'Show words while somebody speaks: the sound goes to the service while it is recorded.',
    }),
    voice_commands: boolean({
      description: 'Follow spoken commands during a dictation with live words.',
    }),
    grace_seconds: integer({
      minimum: 0,
      maximum: maxGraceSeconds,
      description: 'For how long a signature can be taken back; 0: a signed report is final at once.',
    }),
    spell_check: boolean({
      description:
        'Look up the words of a report in a dictionary, in the languages that have one; the browser does it in the others.',
    }),
    follow_viewer: boolean({ description: 'Open the exam that the viewer of images shows, and the other way round.' }),
    anywhere: nullable(
      oneOf(languages, {
        description: 'Language in which a key of the whole system dictates into other programs; `null`: it does not.',
      }),
    ),
    lock_after_minutes: integer({ minimum: 0, maximum: 240, description: '0: never.' }),
    list: ListSettings,
    keys: Keys,
  }),
);
export type AppSettings = TypeOf<typeof AppSettings>;

export const settingsCalls = {
  'settings.get': call({ summary: 'The settings of the person', input: nothing, output: AppSettings }),
  'settings.set': call({ summary: 'Change the settings', input: AppSettings, output: AppSettings }),
} as const;
