/**
 * The built-in writer, which follows deterministic rules. Long documents are written in a thread, so that they don't
 * block other requests.
 */
import type { Section } from '../../../src/contract/document.ts';
import { object } from '../../../src/contract/schema.ts';
import type { Workers } from '../../runtime/workers/workers.ts';
import { engineKind } from '../engine.ts';
import type { Writer } from '../writer.ts';
import { composeDocument, correctDocument } from './rules-writer-tasks.ts';

/** Imported for the first document, because the rules are large. */
const rules = () => import('./rules.ts');

/** Shorter texts are written faster than a thread responds. */
const short = 5000;

const countCharacters = (sections: readonly Section[], words: string): number =>
  sections.reduce((sum, { text }) => sum + text.length, words.length);

export const rulesWriter = engineKind<Writer, object>({
  options: object({}),
  create: async (_options, { workers }) => createRulesWriter(workers),
});

export function createRulesWriter(workers: Workers): Writer {
  return {
    name: 'rules',
    probe: async () => {},
    close: async () => {},
    async compose(input, signal) {
      signal.throwIfAborted();
      if (countCharacters(input.typed?.sections ?? [], input.heard.text) <= short)
        return (await rules()).compose(input);
      return workers.run(composeDocument, input, { client: input.account ?? '', signal });
    },
    async correct(input, signal) {
      signal.throwIfAborted();
      if (countCharacters(input.sections, input.instruction) <= short) return (await rules()).correct(input);
      return workers.run(correctDocument, input, { client: input.account ?? '', signal });
    },
  };
}
