/** Where the values of arguments and options come from. */
import { eventTypeNames } from '../../../src/contract/events.ts';
import { faultProfileNames } from '../../../src/contract/fault.ts';
import { modalityCodes } from '../../../src/contract/modalities.ts';
import { allScopes } from '../../../src/contract/scopes.ts';
import type { Argument, WordSource } from '../../command.ts';

/** Options that have the same meaning in every command. */
const optionSources: Readonly<Record<string, WordSource>> = {
  profile: 'profiles',
  item: { shown: 'wli' },
  record: { shown: 'rec' },
  user: { shown: 'usr' },
  client: { shown: 'client' },
  channel: { shown: 'channel' },
  template: { shown: 'template' },
  collection: 'collections',
  faults: faultProfileNames,
  event: eventTypeNames,
  modality: modalityCodes,
  scope: allScopes,
};

export const sourceForOption = (name: string): WordSource => optionSources[name] ?? [];

/** The summary of an id names its prefix: `Id of the exam (wli_…)`. */
export function sourceForArgument({ words = [], summary }: Argument): WordSource {
  const prefix = /\(([a-z]{1,5})_…\)/.exec(summary)?.[1];
  return prefix === undefined ? words : { shown: prefix };
}
