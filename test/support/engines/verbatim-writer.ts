/** A worked example of a writer: it puts all that was said, as it was said, into one section. */
import { engineKind } from '../../../server/speech/engine.ts';
import type { Writer } from '../../../server/speech/writer.ts';
import { object, string } from '../../../src/contract/schema.ts';
import { normalForm } from '../../../src/domain/normal-form.ts';

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
      const whole = normalForm(heard.text);
      const text = whole.trim();
      const start = whole.indexOf(text);
      const place = { start, end: start + text.length };
      return {
        sections: [{ ...section, text }],
        provenance: {
          words: [{ section: section.key, start: 0, end: text.length, origin: 'said', heard: place }],
          heard: [{ ...place, fate: 'written' }],
          operations: [],
        },
      };
    },
    async correct({ sections }, signal) {
      signal.throwIfAborted();
      const answer = { asks: true, message: 'Nothing was changed. What should be changed?' };
      return { sections: [...sections], changes: [], undoes: false, answer };
    },
  }),
});
