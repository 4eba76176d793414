/** What somebody types into the sections of a template stands in the same sections of the document. */
import { expect, test } from 'vitest';
import { layOutSections, isBegun, writtenSections } from '../../../desktop/renderer/state/report/typed-report.ts';
import { languages } from '../../../src/contract/shared.ts';
import { withText } from '../../../src/reporting/versions/with-text.ts';
import { writeTyped } from '../../../src/reporting/typed-report.ts';
import { shippedTemplates } from '../../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../../src/reporting/templates/template.ts';

const words = ['alfa', 'bravo', 'delta', 'foxtrot', 'golf', 'hotel', 'kilo', 'lima', 'oscar', 'papa', 'romeo', 'tango'];

test.each(languages)('each section of every template of Laudio keeps its typed text, in %s', (language) => {
  for (const [id, data] of Object.entries(shippedTemplates)) {
    const { sections } = templateIn(language, id, data);
    const begun = layOutSections(
      sections.map(({ key, title }) => ({ key, title, text: null })),
      [],
    );
    expect(isBegun(begun)).toBe(false);
    const typed = begun.reduce((all, { key }, at) => withText(all, key, `Xyz ${words[at]}.`), begun);
    const written = writeTyped({ sections: writtenSections(typed), by: 'Dr. A' }, { language, sections });
    for (const [at, { key }] of begun.entries()) {
      const text = written.sections.find((section) => section.key === key)?.text;
      expect(text, `${id} ${key}`).toBe(`Xyz ${words[at]}.`);
    }
  }
});

test('text typed under another template stays, after the sections of this one', () => {
  const typed = [{ key: 'measurements', title: 'Measurements', text: '12 mm' }];
  const sections = layOutSections([{ key: 'findings', title: 'Findings', text: null }], typed);
  expect(sections.map(({ key }) => key)).toEqual(['findings', 'measurements']);
  expect(writtenSections(sections)).toEqual(typed);
});
