/** The vocabulary of a wordbook. */
import { Term } from '../../../src/contract/vocabulary.ts';
import { normalTerm, findTermProblems } from '../../../src/reporting/vocabulary/term-rules.ts';
import { readTerms } from '../../../src/files/wordbook/term-file.ts';
import { termFields } from '../../bridge/vocabulary.ts';
import type { KeptTerm, TermWords } from '../../bridge/vocabulary.ts';
import type { Changes } from '../changes/changes.ts';
import type { Service, ServiceDeps } from '../service.ts';
import { createWordbook } from './wordbook.ts';

export async function createVocabulary(
  deps: ServiceDeps & { readonly changes: Changes },
): Promise<Service<'vocabulary'> & { recent(): Promise<readonly KeptTerm[]> }> {
  const vocabulary = await createWordbook<Term, TermWords>(deps, {
    change: 'term',
    file: 'vocabulary.json',
    item: Term,
    fields: termFields,
    normal: normalTerm,
    problems: (words) => findTermProblems(normalTerm(words)),
    api: () => deps.connect().client.vocabulary,
    readFile: readTerms,
  });
  return {
    recent: vocabulary.recent,
    handlers: {
      'vocabulary.list': vocabulary.list,
      'vocabulary.save': vocabulary.save,
      'vocabulary.delete': vocabulary.delete,
      'vocabulary.import': vocabulary.import,
    },
    close: async () => undefined,
  };
}
