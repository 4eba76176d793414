/** Which section of ours a section of an MRRT template is: by its code, else by its name in any of our languages. */
import { languages } from '../../../contract/shared.ts';
import type { Language } from '../../../contract/shared.ts';
import type { SectionCode } from '../../../contract/template.ts';
import { normalForm } from '../../../domain/normal-form.ts';
import { phraseWords } from '../../../reporting/words/phrases.ts';
import { findRules } from '../../../reporting/rules.ts';
import { sectionCodes } from '../../../reporting/sections/section-codes.ts';
import { sectionNameAt } from '../../../reporting/sections/section-names.ts';
import { tokenise } from '../../../reporting/words/token.ts';

/** Codes of published templates, in addition to those that Laudio writes: system and code → key. */
const codes: ReadonlyMap<string, string> = new Map([
  ...Object.entries(sectionCodes).map(([key, { system, code }]) => [`${system} ${code}`, key] as const),
  ['LN 55752-0', 'indication'],
  ['LN 55115-0', 'indication'],
  ['LN 59768-2', 'indication'],
  ['RADLEX RID13166', 'indication'],
  ['RADLEX RID1559', 'technique'],
  ['RADLEX RID28483', 'comparison'],
  ['RADLEX RID13170', 'impression'],
]);

/** Names of published templates (folded) that nobody says. */
const names: Readonly<Record<string, string>> = {
  procedure: 'technique',
  'procedure information': 'technique',
  'procedure description': 'technique',
  'imaging procedure': 'technique',
  'imaging procedure description': 'technique',
  'patient information': 'patient',
  'clinical data': 'indication',
  observations: 'findings',
  observation: 'findings',
  'dados clinicos': 'indication',
  'datos clinicos': 'indication',
};

/** The key of our kind of section; `undefined` where the section is of none. */
export function findSectionKind(name: string, code: SectionCode | undefined, language: Language): string | undefined {
  const byCode = code && codes.get(`${code.system} ${code.code}`);
  if (byCode !== undefined) return byCode;
  const folded = phraseWords(name).join(' ');
  const byName = Object.hasOwn(names, folded) ? names[folded] : undefined;
  return byName ?? [language, ...languages].map((each) => keyIn(each, folded)).find((key) => key !== undefined);
}

function keyIn(language: Language, name: string): string | undefined {
  const tokens = tokenise(normalForm(name));
  const found = sectionNameAt(tokens, 0, findRules(language).sections);
  return found?.to === tokens.length ? found.value.key : undefined;
}
