/** Who may use which template, in which order people are shown them, and what stands in the templates that come along. */
import { describe, expect, it, test } from 'vitest';
import { createMemoryStore } from '../../../../server/storage/memory/memory-documents.ts';
import { createTemplates } from '../../../../server/records/templates/templates.ts';
import type { TemplateUser } from '../../../../server/records/templates/templates.ts';
import { languages } from '../../../../src/contract/shared.ts';
import { shippedTemplates } from '../../../../src/reporting/templates/shipped/index.ts';
import { inLanguages } from '../../../../src/reporting/templates/template.ts';
import type { TemplateData } from '../../../../src/reporting/templates/template.ts';

const testClient = { space: 'test', test_mode: true };
const hospital = { space: 'hospital', test_mode: false };

const kneeMr: TemplateData = {
  name: inLanguages('RM de joelho', 'MR knee', 'RM de rodilla'),
  specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
  title: inLanguages('RM de joelho', 'MR of the knee', 'RM de rodilla'),
  sections: [['findings'], ['impression']],
};

describe('the templates that come along', () => {
  const templates = createTemplates(shippedTemplates, createMemoryStore());

  it.each(languages)('are those of test mode for test clients in %s, the general one first', async (language) => {
    // Specification, section 1.
    expect((await templates.list(testClient, language)).map(({ id }) => id)).toEqual([
      'test_template_general',
      'test_template_cardiology',
      'test_template_dermatology',
    ]);
  });

  it('are chosen by the exam, but for test clients', async () => {
    const exam = { modality: 'MR', exam_description: 'RM JOELHO DIREITO' };
    const choose = (user: TemplateUser, id?: string) => templates.choose(user, { id, language: 'pt-BR', exam });
    expect(await choose(hospital)).toMatchObject({ id: 'knee_mr', name: 'Ressonância de joelho' });
    expect((await choose(hospital, 'chest_ct')).id).toBe('chest_ct');
    expect((await choose(testClient)).id).toBe('test_template_general');
  });

  it.each(languages)('are whole in %s', async (language) => {
    for (const template of await templates.list(hospital, language)) {
      expect(template).toEqual(await templates.find(hospital, { id: template.id }, language));
      expect(template.language).toBe(language);
      expect(template.sections.length).toBeGreaterThan(2);
      expect(new Set(template.sections.map(({ key }) => key)).size).toBe(template.sections.length);
      for (const { key, title } of template.sections) expect(title, key).not.toBe(key);
    }
  });
});

describe('a template that is not for test mode', () => {
  const templates = createTemplates({ our_knee_mr: kneeMr, ...shippedTemplates }, createMemoryStore());

  it('is there for everybody but test clients', async () => {
    expect(await templates.find(hospital, { id: 'our_knee_mr' }, 'pt-BR')).toMatchObject({ name: 'RM de joelho' });
    expect(await templates.find(testClient, { id: 'our_knee_mr' }, 'pt-BR')).toBeUndefined();
    expect((await templates.list(testClient, 'pt-BR')).map(({ id }) => id)).not.toContain('our_knee_mr');
  });

  it('is the usual one for whom it is listed first', async () => {
    const chosen = async (user: TemplateUser, id?: string): Promise<string> =>
      (await templates.choose(user, { id, language: 'en-US', exam: null })).id;
    expect(await chosen(hospital)).toBe('our_knee_mr');
    expect(await chosen(testClient)).toBe('test_template_general');
    expect(await chosen(testClient, 'our_knee_mr')).toBe('test_template_general');
    expect(await chosen(hospital, 'test_template_cardiology')).toBe('test_template_cardiology');
  });
});

test.each(['', 'nope', '__proto__', 'constructor'])('there is no template %j', async (id) => {
  expect(await createTemplates(shippedTemplates, createMemoryStore()).find(hospital, { id }, 'en-US')).toBeUndefined();
});

test('a server cannot be put together whose test clients have no template', () => {
  expect(() => createTemplates({ our_knee_mr: kneeMr }, createMemoryStore())).toThrow(/test mode/);
});

test('nor one where all others have none', () => {
  const forTests = Object.entries(shippedTemplates).filter(([, { inTestMode }]) => inTestMode);
  expect(() => createTemplates(Object.fromEntries(forTests), createMemoryStore())).toThrow(/real exams/);
});
