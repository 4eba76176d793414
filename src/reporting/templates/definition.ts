/** Rules for custom templates, beyond the shape that the contract gives them. */
import { languages } from '../../contract/shared.ts';
import type { Language } from '../../contract/shared.ts';
import type { DetailCode, FieldError } from '../../contract/errors.ts';
import type { TemplateDefinition } from '../../contract/template.ts';
import { modalityCodes } from '../../contract/modalities.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { addendumKey } from '../../domain/record-state.ts';
import { tables } from '../languages/index.ts';
import { isCommand } from '../vocabulary/macro-names.ts';
import { fieldsIn, macroKey } from '../vocabulary/macros.ts';
import { phraseAt } from '../words/phrases.ts';
import { findRules } from '../rules.ts';
import { tokenise } from '../words/token.ts';
import { wordsOfPhrase } from './choose.ts';
import { isMergeField, mergeFields, mergeFieldsIn } from './merge-fields.ts';

/** The parts of the body by which a template may be chosen. */
export const knownRegions: readonly string[] = [
  ...new Set(languages.flatMap((language) => Object.keys(tables[language].lexicon.regions))),
];

/** The problems of a definition; none for one that can be stored. */
export function checkDefinition(definition: TemplateDefinition): FieldError[] {
  const { sections, macros = [], exams = {}, language } = definition;
  const problems: FieldError[] = [];
  const problem = (field: string, message: string, code: DetailCode = 'INVALID_VALUE'): void =>
    void problems.push({ field, message: `${field} ${message}`, code });

  repeated(sections.map(({ key }) => key)).forEach((at) =>
    problem(`sections.${at}.key`, 'is the key of a section above'),
  );
  sections.forEach(({ key, text }, at) => {
    if (key === addendumKey) problem(`sections.${at}.key`, 'is kept for what is added after signing');
    if (text !== undefined && stated(text, key, language).length > 0) {
      problem(`sections.${at}.text`, 'states what was seen, which nobody has said yet: make it a macro of the section');
    }
    const unknown = mergeFieldsIn(text ?? '').filter((name) => !isMergeField(name));
    if (unknown.length > 0) {
      const known = mergeFields.map((name) => `{${name}}`).join(', ');
      problem(`sections.${at}.text`, `has a field that nothing fills in, {${unknown[0]}}: use ${known}`);
    }
  });

  repeated(macros.map(({ name }) => macroKey(name))).forEach((at) =>
    problem(`macros.${at}.name`, 'is the name of a macro above'),
  );
  macros.forEach(({ name, section }, at) => {
    if (macroKey(name) === '') problem(`macros.${at}.name`, 'holds no word');
    if (isCommand(name, language)) problem(`macros.${at}.name`, 'is a spoken command: add a word');
    if (sections.every(({ key }) => key !== section)) problem(`macros.${at}.section`, 'is the key of no section');
  });

  exams.modalities?.forEach((modality, at) => {
    if (!modalityCodes.includes(modality)) {
      problem(`exams.modalities.${at}`, 'is not a DICOM modality', 'INVALID_MODALITY');
    }
  });
  exams.regions?.forEach((region, at) => {
    if (!knownRegions.includes(region)) problem(`exams.regions.${at}`, `must be one of ${knownRegions.join(', ')}`);
  });
  exams.words?.forEach((phrase, at) => {
    if (wordsOfPhrase(phrase).length === 0) problem(`exams.words.${at}`, 'holds no word');
  });
  return problems;
}

/** The indices of values that occur earlier too. */
const repeated = (values: readonly string[]): number[] =>
  values.flatMap((value, at) => (values.indexOf(value) < at ? [at] : []));

/** Sections about the indication, the technique and recommendations: a default there is no finding. */
const withoutFindings: ReadonlySet<string> = new Set([
  'notice',
  'patient',
  'indication',
  'history',
  'technique',
  'comparison',
  'plan',
  'recommendations',
]);

/** Whether a section holds findings, or conclusions from them. */
export const isSeen = (section: string): boolean => !withoutFindings.has(section);

/**
 * The sentences of a section's default that state findings. Nobody has said them, so a report may hold them only as a
 * macro. Names with a colon state nothing, nor do sentences with a field to fill in, unless they deny something or call
 * it normal.
 */
export function stated(text: string, section: string, language: Language): string[] {
  if (!isSeen(section)) return [];
  const {
    facts: { negations },
    lexicon: { normal },
  } = findRules(language);
  return text.split(/(?<=[.!?;])\s+|\n/).filter((sentence) => {
    const rest = withoutFields(sentence);
    if (!/\p{L}/u.test(rest) || /:\s*$/.test(rest)) return false;
    if (rest === sentence) return true;
    const tokens = tokenise(normalForm(rest));
    return tokens.some((_, at) => phraseAt(tokens, at, negations) ?? phraseAt(tokens, at, normal));
  });
}

function withoutFields(sentence: string): string {
  let rest = '';
  let at = 0;
  for (const { start, end } of fieldsIn(sentence)) {
    rest += sentence.slice(at, start);
    at = end;
  }
  return rest + sentence.slice(at);
}
