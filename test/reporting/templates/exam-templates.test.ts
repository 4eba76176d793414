/** The templates for kinds of exams: which one an exam gets, and that their texts are what the writer can read. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { sectionCodes } from '../../../src/reporting/sections/section-codes.ts';
import { languages } from '../../../src/contract/shared.ts';
import { prepareChecks } from '../../../src/reporting/checks/check.ts';
import { fieldsIn, macrosOfTemplate } from '../../../src/reporting/vocabulary/macros.ts';
import { sectionKind } from '../../../src/reporting/sections/section-kinds.ts';
import { write } from '../../../src/reporting/write.ts';
import { chooseTemplate } from '../../../src/reporting/templates/choose.ts';
import { shippedTemplates } from '../../../src/reporting/templates/shipped/index.ts';
import { stated } from '../../../src/reporting/templates/definition.ts';
import { templateIn } from '../../../src/reporting/templates/template.ts';

/** All but those of test mode. */
const examTemplates = Object.fromEntries(Object.entries(shippedTemplates).filter(([, { inTestMode }]) => !inTestMode));

describe('an exam gets', () => {
  it.each([
    ['CR', 'RX TÓRAX PA E PERFIL', null, 'chest_xray'],
    ['DX', 'Chest 2 views', null, 'chest_xray'],
    ['CT', 'TC de tórax com contraste', null, 'chest_ct'],
    ['CT', '', 'CHEST', 'chest_ct'],
    ['CT', 'CT ABDOMEN AND PELVIS W CONTRAST', null, 'abdomen_pelvis_ct'],
    ['CT', 'TC CRÁNEO SIN CONTRASTE', null, 'head_ct'],
    ['CT', 'ANGIOTOMOGRAFIA DE TÓRAX PARA TEP', null, 'pulmonary_cta'],
    ['CT', 'CTA chest PE protocol', null, 'pulmonary_cta'],
    ['CT', 'CTA carotid', null, 'general'],
    ['MR', 'RM ENCÉFALO', null, 'brain_mr'],
    ['MR', 'MRI LUMBAR SPINE WO', null, 'lumbar_spine_mr'],
    ['MR', 'MR', 'LSPINE', 'lumbar_spine_mr'],
    ['MR', 'RM JOELHO DIREITO', null, 'knee_mr'],
    ['MR', 'RM HOMBRO DCHO', null, 'shoulder_mr'],
    ['MR', 'MR PROSTATE', null, 'prostate_mr'],
    ['US', 'US ABDOME TOTAL', null, 'abdomen_us'],
    ['US', 'US obstétrico morfológico', null, 'obstetric_us'],
    ['US', 'US THYROID', null, 'thyroid_us'],
    ['US', 'Doppler de carótidas', null, 'carotid_doppler'],
    ['US', 'Ecocardiograma transtorácico', null, 'echocardiogram'],
    ['MG', 'Mamografia bilateral', null, 'mammography'],
    ['ECG', 'ECG', null, 'ecg'],
    ['CR', 'RX punho esquerdo', null, 'extremity_xray'],
    ['CR', 'Ankle 3 views left', null, 'extremity_xray'],
    ['NM', 'Cintilografia óssea', null, 'general'],
    ['', '', null, 'general'],
  ] as const)('%s %s (%s): %s', (modality, exam_description, body_part, id) =>
    expect(chooseTemplate({ modality, exam_description, body_part }, examTemplates)).toBe(id),
  );
});

it('has twenty, each with sections that are known, coded and required', () => {
  expect(Object.keys(examTemplates)).toHaveLength(20);
  for (const { sections, required = [], macros = [] } of Object.values(examTemplates)) {
    const keys = sections.map(([key]) => key);
    expect(keys.filter((key) => !sectionKind(key) || !sectionCodes[key])).toEqual([]);
    expect(required.filter((key) => !keys.includes(key))).toEqual([]);
    expect(macros.filter(({ section }) => !keys.includes(section))).toEqual([]);
  }
});

describe.each(Object.entries(examTemplates))('%s', (id, data) => {
  it.each(languages)('writes its texts where they are named, and nothing else, in %s', (language) => {
    const { sections, macros: own } = templateIn(language, id, data);
    const macros = macrosOfTemplate(own);
    const unsaid = write({ heard: { text: '' }, language, sections, macros });
    for (const { key, text } of unsaid.sections) {
      expect(text).toBe(sections.find((section) => section.key === key)?.text ?? '');
      expect(stated(text, key, language)).toEqual([]);
    }
    expect(unsaid.provenance.words.every(({ origin }) => origin === 'template')).toBe(true);
    for (const { name, section, text } of own) {
      const report = write({ heard: { text: name }, language, sections, macros });
      expect(report.sections.find(({ key }) => key === section)?.text).toBe(text);
      const words = report.provenance.words.filter((run) => run.section === section);
      expect(words.map(({ origin }) => origin)).toEqual(['macro']);
      const found = prepareChecks({ language, template: sections, heard: { text: name }, macros })(report.sections);
      const warnings = found.filter(
        (each) => each.severity === 'warning' && each.section === section && !each.kind.startsWith('section_'),
      );
      const fields = fieldsIn(text).length;
      // Each field of the text is there to be filled in; there is nothing else to warn of.
      expect(warnings.map(({ kind }) => kind)).toEqual(Array.from({ length: fields }, () => 'field_open'));
      expect(fields).toBe(text.split('[').length - 1);
    }
  });
});

/** Changes with every text, section, code and name of a template. */
const fingerprint = (template: unknown): string =>
  createHash('sha256').update(JSON.stringify(template)).digest('hex').slice(0, 12);

test('a version of a template stays as it is, since documents were made by it', () => {
  const versions = Object.entries(shippedTemplates).flatMap(([id, data]) =>
    [...(data.previous ?? []), data].map((_, at) => [
      `${id} ${at + 1}`,
      fingerprint(languages.map((language) => templateIn(language, id, data, at + 1))),
    ]),
  );
  const kept = JSON.parse(readFileSync(new URL('versions.json', import.meta.url), 'utf8')) as Record<string, string>;
  // Where one differs: put what it was under `former`, and add the line of the next version. No line is ever changed.
  expect(Object.fromEntries(versions)).toEqual(kept);
});
