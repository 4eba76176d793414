/** Which templates there are for whom. Whoever hears or writes is given the template that was chosen. */
import type { Language } from '../../src/contract/shared.ts';
import { entryOf } from '../../src/domain/entry-of.ts';
import { chooseTemplate } from '../../src/domain/templates/choose.ts';
import type { ExamToWrite } from '../../src/domain/templates/choose.ts';
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
  /** The template with that id; where there is none, or no id, the one that fits the exam best, else the usual one. */
  choose(user: TemplateUser, wanted: Wanted): Promise<ReportTemplate>;
}

/** What a template is chosen by. */
export interface Wanted {
  readonly id: string | undefined;
  readonly language: Language;
  readonly exam: ExamToWrite | null;
}

/** Throws where test clients, or all others, would have no template at all. */
export function createTemplates(shipped: Readonly<Record<string, TemplateData>>): Templates {
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

  const list = async (user: TemplateUser, language: Language): Promise<ReportTemplate[]> =>
    Object.entries(listed(user)).map(([id, data]) => templateIn(language, id, data));
  const find = async (user: TemplateUser, id: string, language: Language): Promise<ReportTemplate | undefined> => {
    const data = entryOf(user.test_mode ? forTests : shipped, id);
    return data && templateIn(language, id, data);
  };
  return {
    list,
    find,
    async choose(user, { id, language, exam }) {
      const named = id === undefined ? undefined : await find(user, id, language);
      if (named) return named;
      const known = listed(user);
      const fitting = exam ? chooseTemplate(exam, known) : Object.keys(known)[0]!;
      return templateIn(language, fitting, known[fitting]!);
    },
  };
}
