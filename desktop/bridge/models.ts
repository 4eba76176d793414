/** The speech models of this computer, for the server in the app's process. */
import { array, boolean, integer, named, nullable, number, object, oneOf, string } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { call } from './call.ts';
import { SetupCode } from './session.ts';
import { nothing, revised } from './shapes.ts';

const bytes = integer({ minimum: 0 });

const SpeechModel = object({
  id: string(),
  state: oneOf(['installed', 'damaged', 'available']),
  live: nullable(boolean({ description: 'Whether there are words while somebody speaks.' })),
  languages: array(string()),
  licence: nullable(string({ description: 'SPDX identifier.' })),
  bytes: nullable(integer({ minimum: 0, description: 'On the disk.' })),
  archive_bytes: nullable(integer({ minimum: 0, description: 'To be fetched; `null`: the model cannot be fetched.' })),
  memory_bytes: nullable(number({ description: 'What the model takes once it is loaded, about.' })),
  fetched_bytes: integer({ minimum: 0, description: 'What is there of an installation that was broken off.' }),
  in_use: boolean(),
  work: nullable(
    object({
      step: oneOf(['fetching', 'unpacking', 'copying', 'checking', 'opening', 'removing']),
      done: bytes,
      of: nullable(bytes),
    }),
  ),
  problem: nullable(
    object(
      {
        code: string(),
        message: string(),
        hint: nullable(string()),
        free_bytes: nullable(bytes),
        needed_bytes: nullable(bytes),
      },
      {},
      { description: 'Why the last installation failed.' },
    ),
  ),
});
export type SpeechModel = TypeOf<typeof SpeechModel>;

export const ModelsState = named(
  'ModelsState',
  object({
    recogniser: nullable(string({ description: 'Name of what hears patients on this computer.' })),
    fixed: boolean({
      description: 'Whoever starts the server has chosen its recogniser; models can be installed only.',
    }),
    memory: integer({ minimum: 0, description: 'Bytes of the memory of this computer.' }),
    items: array(SpeechModel, {
      description: 'Those for which this computer has the memory; the best for most first.',
    }),
    ...revised,
  }),
);
export type ModelsState = TypeOf<typeof ModelsState>;

const change = object({ id: string({ maxLength: 100 }) }, { code: SetupCode });

export const modelCalls = {
  'models.state': call({ summary: 'The speech models of this computer', input: nothing, output: ModelsState }),
  'models.install': call({
    summary: 'Begin to fetch a speech model; where nothing hears, it is used from then on',
    input: change,
    output: nothing,
  }),
  'models.cancel': call({ summary: 'Break off; what was fetched is kept', input: change, output: nothing }),
  'models.remove': call({ summary: 'Remove a speech model', input: change, output: nothing }),
  'models.use': call({ summary: 'Hear with a speech model from now on', input: change, output: nothing }),
} as const;
