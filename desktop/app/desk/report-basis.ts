/**
 * The service's inputs to the report of a dictation, as far as the app knows them: template, autotexts and vocabulary.
 */
import type { Template } from '../../../src/contract/template.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { macrosIn } from '../../../src/reporting/vocabulary/macros.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { termsIn } from '../../../src/reporting/vocabulary/vocabulary.ts';
import type { Term } from '../../../src/reporting/vocabulary/vocabulary.ts';
import { listProcedureCodes } from '../../../src/domain/procedure-codes.ts';
import { chooseTemplate, fittingTemplate } from '../../../src/reporting/templates/choose.ts';
import type { LiveChoices } from '../dictations/live/following.ts';
import type { KeptMacro } from '../../bridge/macros.ts';
import type { KeptTerm } from '../../bridge/vocabulary.ts';
import type { CallInput } from '../../bridge/calls.ts';
import type { HandlersOf, Service } from '../service.ts';

export interface ReportBasisDeps {
  readonly templates: HandlersOf<'templates'>;
  readonly macros: { recent(): Promise<readonly KeptMacro[]> };
  readonly vocabulary: { recent(): Promise<readonly KeptTerm[]> };
  examOf(itemId: string): WorklistItem | undefined;
}

/** `item_id: null`: the words are about no exam, so no template has a part in them. */
type BasisInput = Omit<CallInput<'report.basis'>, 'item_id'> & { readonly item_id: string | null };

export interface ReportBases extends Service<'report'> {
  readonly of: (asked: BasisInput) => ReturnType<LiveChoices['report']>;
}

export function createReportBasis({ templates, macros, vocabulary, examOf }: ReportBasisDeps): ReportBases {
  const termsOf = rememberedTerms();
  const known = async ({ language, template_id, item_id }: BasisInput) => {
    const [{ items }, own] = await Promise.all([
      templates['templates.list']({ language }),
      macros.recent().catch(() => []),
    ]);
    const template =
      item_id === null ? undefined : (items.find(({ id }) => id === template_id) ?? chosen(items, examOf(item_id)));
    return { template, macros: macrosIn(language, own, template?.macros ?? []) };
  };
  return {
    async of(asked) {
      const [basis, terms] = await Promise.all([known(asked), vocabulary.recent().catch(() => [])]);
      return { ...basis, terms: termsOf(asked.language, terms) };
    },
    handlers: {
      async 'report.basis'(asked) {
        const { template, macros: callable } = await known(asked);
        return {
          sections: (template?.sections ?? []).map(({ key, title, text = null }) => ({ key, title, text })),
          macros: callable.map(({ name, owner = 'person', text, section = null }) => ({ name, owner, text, section })),
        };
      },
    },
    close: async () => {},
  };
}

/** The terms of a language: the same array while no word changed, so that it is indexed once. */
function rememberedTerms(): (language: Language, kept: readonly KeptTerm[]) => readonly Term[] {
  let last: { readonly of: string; readonly terms: readonly Term[] } | undefined;
  return (language, kept) => {
    const of = JSON.stringify([language, kept.map(({ id, version, updated_at }) => [id, version, updated_at])]);
    if (last?.of !== of) last = { of, terms: termsIn(language, kept) };
    return last.terms;
  };
}

/** Templates of the space take precedence, as in the service. */
function chosen(items: readonly Template[], exam: WorklistItem | undefined): Template | undefined {
  const [own, shipped] = [items.filter(isOwn), items.filter((template) => !isOwn(template))];
  if (!exam) return shipped[0];
  const facts = { ...exam, procedure_codes: listProcedureCodes(exam) };
  const id =
    fittingTemplate(facts, byId(own)) ?? (shipped.length > 0 ? chooseTemplate(facts, byId(shipped)) : undefined);
  return items.find((template) => template.id === id);
}

const isOwn = ({ origin }: Template): boolean => origin === 'own';
const byId = (items: readonly Template[]) => Object.fromEntries(items.map((template) => [template.id, template]));
