/** The autotexts of a wordbook. */
import { Macro } from '../../../src/contract/macro.ts';
import { readMacros } from '../../../src/files/wordbook/macro-file.ts';
import { macroFields } from '../../bridge/macros.ts';
import type { KeptMacro, MacroWords } from '../../bridge/macros.ts';
import type { Changes } from '../changes/changes.ts';
import type { Service, ServiceDeps } from '../service.ts';
import { createWordbook } from './wordbook.ts';

export async function createMacros(
  deps: ServiceDeps & { readonly changes: Changes },
): Promise<Service<'macros'> & { recent(): Promise<readonly KeptMacro[]> }> {
  const macros = await createWordbook<Macro, MacroWords>(deps, {
    change: 'macro',
    file: 'macros.json',
    item: Macro,
    fields: macroFields,
    normal: (words) => ({ ...words, name: words.name.trim(), text: words.text.trim() }),
    problems: () => [],
    api: () => deps.connect().client.macros,
    readFile: readMacros,
  });
  return {
    recent: macros.recent,
    handlers: {
      'macros.list': macros.list,
      'macros.save': macros.save,
      'macros.delete': macros.delete,
      'macros.import': macros.import,
    },
    close: async () => undefined,
  };
}
