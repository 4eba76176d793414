/** The templates of each caller: those that come with Laudio and those of the space. */
import type { Language } from '../../../src/contract/shared.ts';
import type { Template } from '../../../src/contract/template.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import { suggestWord } from '../../../src/domain/nearest-word.ts';
import type { ExamToWrite } from '../../../src/reporting/templates/choose.ts';
import { forLanguage, templateIn } from '../../../src/reporting/templates/template.ts';
import type { TemplateData } from '../../../src/reporting/templates/template.ts';
import type { Reader } from '../../storage/store.ts';
import { findLast, findOwn, listCurrent } from './own-templates.ts';
import { elementAt, findElement } from '../../../src/domain/elements.ts';

/** On whose behalf a template is looked up. */
export interface TemplateUser {
  readonly space: string;
  readonly test_mode: boolean;
}

/** A template by id, at a version or the current one. */
export interface TemplateRef {
  readonly id: string;
  readonly version?: number | undefined;
}

export interface Templates {
  /** In display order; the first is the default. The space's own ones are in their own language. */
  list(user: TemplateUser, language: Language): Promise<readonly Template[]>;
  /** `undefined` if the user has no such template. `language` applies to those that come with Laudio. */
  find(user: TemplateUser, named: TemplateRef, language: Language): Promise<Template | undefined>;
  /**
   * The template with that id in that language, even if it was deleted while a job waited; without one, the best fit
   * for the exam, or else the default.
   */
  choose(user: TemplateUser, wanted: TemplateCriteria): Promise<Template>;
  /** Whether a template with that id comes with Laudio, for any caller. */
  isShipped(id: string): boolean;
}

/** Criteria for a template. */
export interface TemplateCriteria {
  readonly id: string | undefined;
  readonly version?: number | undefined;
  readonly language: Language;
  readonly exam: ExamToWrite | null;
}

/** `. Did you mean ID?` of the user's most similar template, or nothing. */
export async function suggestTemplate(templates: Templates, user: TemplateUser, id: string): Promise<string> {
  const known = (await templates.list(user, 'en-US')).map((each) => each.id);
  const suggestion = suggestWord(id, known);
  return suggestion === undefined ? '' : `. ${suggestion}`;
}

/** Throws if test clients, or all others, would have no template. */
export function createTemplates(shipped: Readonly<Record<string, TemplateData>>, store: Reader): Templates {
  const [forTests, forOthers] = [true, false].map((isTest) =>
    Object.fromEntries(Object.entries(shipped).filter(([, { inTestMode }]) => (inTestMode === true) === isTest)),
  ) as [Readonly<Record<string, TemplateData>>, Readonly<Record<string, TemplateData>>];
  for (const [who, templates] of [
    ['test mode', forTests],
    ['real exams', forOthers],
  ] as const) {
    if (Object.keys(templates).length === 0) throw new Error(`There is no template for ${who}.`);
  }
  const listed = ({ test_mode: isTest }: TemplateUser) => (isTest ? forTests : forOthers);

  const find: Templates['find'] = async (user, { id, version }, language) => {
    const own = await findOwn(store, user.space, id, version);
    if (own) return own;
    const data = findEntry(user.test_mode ? forTests : shipped, id);
    return data && templateIn(language, id, data, version);
  };
  return {
    find,
    async list(user, language) {
      const known = Object.entries(listed(user)).map(([id, data]) => templateIn(language, id, data));
      return [...known, ...(await listCurrent(store, user.space))];
    },
    async choose(user, { id, version, language, exam }) {
      const named =
        id === undefined
          ? undefined
          : ((await find(user, { id, version }, language)) ?? (await findLast(store, user.space, id)));
      if (named) return forLanguage(named, language);
      const known = listed(user);
      if (!exam) return templateIn(language, ...elementAt(Object.entries(known), 0));
      const { chooseTemplate, fittingTemplate } = await import('../../../src/reporting/templates/choose.ts');
      const own = (await listCurrent(store, user.space)).filter((template) => template.language === language);
      const fitting = fittingTemplate(exam, Object.fromEntries(own.map((template) => [template.id, template])));
      if (fitting !== undefined) return findElement(own, (template) => template.id === fitting);
      const chosen = chooseTemplate(exam, known);
      return templateIn(language, ...findElement(Object.entries(known), ([id]) => id === chosen));
    },
    isShipped: (id) => findEntry(shipped, id) !== undefined,
  };
}
