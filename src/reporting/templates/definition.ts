/** Rules for custom templates, beyond the shape that the contract gives them. */
import type { Language } from '../../contract/shared.ts';
import { validationFailed } from '../../contract/errors.ts';
import type { AppError, DetailCode } from '../../contract/errors.ts';
import { fileMessage } from '../../contract/messages/files.ts';
import type { Message } from '../../contract/messages/message.ts';
import { bodyRegions } from '../../contract/template.ts';
import type { TemplateDefinition } from '../../contract/template.ts';
import { modalityCodes } from '../../contract/modalities.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { addendumKey } from '../../domain/record-state.ts';
import { isCommand } from '../vocabulary/macro-names.ts';
import { fieldsIn, macroKey } from '../vocabulary/macros.ts';
import { phraseAt } from '../words/phrases.ts';
import { findRules } from '../rules.ts';
import { tokenise } from '../words/token.ts';
import { wordsOfPhrase } from './choose.ts';
import { isMergeField, mergeFields, mergeFieldsIn } from './merge-fields.ts';

/** `field`: a dotted path such as `sections.0.text`; `message` says what is wrong with it. */
interface DefinitionProblem {
  readonly field: string;
  readonly message: Message;
  readonly code: DetailCode;
}

/** VALIDATION_FAILED with all problems; `undefined` for a definition that can be stored. */
export function definitionError(definition: TemplateDefinition): AppError | undefined {
  const problems = checkDefinition(definition);
  if (problems.length === 0) return undefined;
  return validationFailed(
    problems.map(({ field, message, code }) => ({ field, message: `${field} ${message.text}`, code })),
  );
}

/** The problems of a definition; none for one that can be stored. */
export function checkDefinition(definition: TemplateDefinition): DefinitionProblem[] {
  const { sections, macros = [], exams = {}, language } = definition;
  const problems: DefinitionProblem[] = [];
  const problem = (field: string, message: Message, code: DetailCode = 'INVALID_VALUE'): void =>
    void problems.push({ field, message, code });

  repeated(sections.map(({ key }) => key)).forEach((at) =>
    problem(`sections.${at}.key`, fileMessage('template_same_key')),
  );
  sections.forEach(({ key, text }, at) => {
    if (key === addendumKey) problem(`sections.${at}.key`, fileMessage('template_addendum'));
    if (text !== undefined && stated(text, key, language).length > 0) {
      problem(`sections.${at}.text`, fileMessage('template_states'));
    }
    const unknown = mergeFieldsIn(text ?? '').filter((name) => !isMergeField(name));
    if (unknown.length > 0) {
      const known = mergeFields.map((name) => `{${name}}`).join(', ');
      problem(`sections.${at}.text`, fileMessage('template_merge', { name: `{${unknown[0]}}`, known }));
    }
  });

  repeated(macros.map(({ name }) => macroKey(name))).forEach((at) =>
    problem(`macros.${at}.name`, fileMessage('template_same_macro')),
  );
  macros.forEach(({ name, section }, at) => {
    if (macroKey(name) === '') problem(`macros.${at}.name`, fileMessage('template_no_word'));
    if (isCommand(name, language)) problem(`macros.${at}.name`, fileMessage('template_command'));
    if (sections.every(({ key }) => key !== section))
      problem(`macros.${at}.section`, fileMessage('template_no_section'));
  });

  exams.modalities?.forEach((modality, at) => {
    if (!modalityCodes.includes(modality)) {
      problem(`exams.modalities.${at}`, fileMessage('template_modality'), 'INVALID_MODALITY');
    }
  });
  exams.regions?.forEach((region, at) => {
    if (!bodyRegions.some((known) => known === region))
      problem(`exams.regions.${at}`, fileMessage('template_region', { known: bodyRegions.join(', ') }));
  });
  exams.words?.forEach((phrase, at) => {
    if (wordsOfPhrase(phrase).length === 0) problem(`exams.words.${at}`, fileMessage('template_no_word'));
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
