/** A worked example of a writer: it puts all that was said, as it was said, into one section. */
import { engineKind } from '../../../server/engine/engine.ts';
import type { Writer } from '../../../server/engine/writer.ts';
import { object, string } from '../../../src/contract/schema.ts';

export const verbatimWriter = engineKind({
  options: object({}, { section: string({ pattern: '^[a-z][a-z0-9_]*$', default: 'findings' }) }),
  main: 'section',
  create: async ({ section: wanted }): Promise<Writer> => ({
    name: 'verbatim',
    async probe() {},
    async close() {},
    async compose({ heard, template }, signal) {
      signal.throwIfAborted();
      const section = template.sections.find(({ key }) => key === wanted) ?? template.sections[0]!;
      return { sections: [{ ...section, text: heard.text.trim() }] };
    },
    async correct({ sections }, signal) {
      signal.throwIfAborted();
      return { sections: [...sections], changes: [] };
    },
  }),
});
