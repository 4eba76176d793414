/** Which templates there are for whom. Whoever hears or writes is given the template that was chosen. */
import type { Language } from '../../src/contract/shared.ts';
import { entryOf } from '../../src/domain/entry-of.ts';
import { templateIn } from '../../src/domain/templates/template.ts';
import type { ReportTemplate, TemplateData } from '../../src/domain/templates/template.ts';

/** On whose behalf a template is looked for. */
export interface TemplateUser {
  readonly space: string;
  readonly test_mode: boolean;
}

export interface Templates {
  /** In the order in which people are shown them; the first is the usual one. */
  list(user: TemplateUser, language: Language): Promise<readonly ReportTemplate[]>;
  /** `undefined` where the user has no template with that id. */
  find(user: TemplateUser, id: string, language: Language): Promise<ReportTemplate | undefined>;
  /** The template with that id; the usual one where there is none, or no id. */
  choose(user: TemplateUser, id: string | undefined, language: Language): Promise<ReportTemplate>;
}

/** Throws where test clients would have no template at all. */
export function createTemplates(shipped: Readonly<Record<string, TemplateData>>): Templates {
  const forTests = Object.fromEntries(Object.entries(shipped).filter(([, data]) => data.inTestMode));
  if (Object.keys(forTests).length === 0) throw new Error('There is no template for test mode.');
  const templatesOf = ({ test_mode: isTest }: TemplateUser) => (isTest ? forTests : shipped);

  const list = async (user: TemplateUser, language: Language): Promise<ReportTemplate[]> =>
    Object.entries(templatesOf(user)).map(([id, data]) => templateIn(language, id, data));
  const find = async (user: TemplateUser, id: string, language: Language): Promise<ReportTemplate | undefined> => {
    const data = entryOf(templatesOf(user), id);
    return data && templateIn(language, id, data);
  };
  return {
    list,
    find,
    choose: async (user, id, language) =>
      (id === undefined ? undefined : await find(user, id, language)) ?? (await list(user, language))[0]!,
  };
}
