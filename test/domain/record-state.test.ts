import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import { AppError } from '../../src/contract/errors.ts';
import type { RecordUpdate } from '../../src/contract/record.ts';
import { addendumKey, changeContent } from '../../src/domain/record-state.ts';
import type { Content } from '../../src/domain/record-state.ts';

const section = fc.record({
  key: fc.constantFrom('findings', 'impression', addendumKey),
  title: fc.constantFrom('A', 'B'),
  text: fc.constantFrom('x', 'y'),
});
const sections = fc.array(section, { minLength: 1, maxLength: 4 });
const update: fc.Arbitrary<RecordUpdate> = fc.record(
  {
    title: fc.constantFrom('t', 'u'),
    sections,
    status: fc.constantFrom('draft' as const, 'final' as const),
    metadata: fc.constantFrom({}, { a: 1 }),
  },
  { requiredKeys: [] },
);

test('whatever is requested, a signed document keeps all its text, and every change is recorded', () => {
  fc.assert(
    fc.property(sections, fc.array(update, { maxLength: 8 }), (first, updates) => {
      let content: Content = { title: 't', sections: first, status: 'draft', metadata: {} };
      for (const wish of updates) {
        let changed;
        try {
          changed = changeContent(content, wish, 'nobody');
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          continue;
        }
        if (!changed) continue;
        expect(changed.content).not.toEqual(content);
        if (content.status === 'final') {
          expect(changed.change).toBe('addendum');
          expect(changed.content.sections.slice(0, content.sections.length)).toEqual(content.sections);
          expect({ ...changed.content, sections: [] }).toEqual({ ...content, sections: [] });
        } else {
          expect(changed.change).toBe(changed.content.status === 'final' ? 'signed' : 'edited');
        }
        content = changed.content;
      }
    }),
  );
});

test('a document has a length that all its sections share', () => {
  const long = (text: string, parts: number) =>
    Array.from({ length: parts }, (_, at) => ({ key: `part_${at}`, title: 'A', text }));
  const before: Content = { title: 't', sections: long('x', 1), status: 'draft', metadata: {} };
  const half = 'x'.repeat(750_000);
  expect(changeContent(before, { sections: long(half, 2) }, 'nobody')?.content.sections).toHaveLength(2);
  const longer = [...long(half, 2), { key: 'more', title: 'A', text: 'x' }];
  expect(() => changeContent(before, { sections: longer }, 'nobody')).toThrow(
    expect.objectContaining({
      code: 'VALIDATION_FAILED',
      details: { errors: [expect.objectContaining({ code: 'TOO_LONG' })] },
    }),
  );
});
