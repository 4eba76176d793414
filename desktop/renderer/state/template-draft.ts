/** The template that is being edited in the settings: it stays while the dialog is closed, until the login ends. */
import { signal } from '@preact/signals';
import type { Language } from '../../../src/contract/shared.ts';
import type { Template, TemplateDefinition } from '../../../src/contract/template.ts';
import { fold } from '../../../src/domain/fold.ts';
import { idFromName } from '../../../src/reporting/templates/id-from-name.ts';
import { sectionKinds } from '../../../src/reporting/sections/section-kinds.ts';
import { sectionTitle } from '../../../src/reporting/sections/section-titles.ts';
import type { Message } from '../../../src/contract/messages/message.ts';
import type { BridgeError } from '../../bridge/bridge.ts';
import { asBridgeError, bridge, login } from './bridge.ts';

/** A definition with a value for all lists, so that a form need not ask. */
export type EditedTemplate = TemplateDefinition & Required<Pick<TemplateDefinition, 'macros' | 'exams'>>;
export type EditedSection = EditedTemplate['sections'][number];
export type EditedMacro = EditedTemplate['macros'][number];

export interface TemplateDraft {
  readonly definition: EditedTemplate;
  /** The definition before any edit. */
  readonly original: EditedTemplate;
  /** Version of the stored template that it changes; `null`: a new one. */
  readonly replaces: number | null;
  /** The version that somebody else saved since; `deleted`: somebody else removed the template. */
  readonly theirs: Template | 'deleted' | null;
  /** Why saving failed. */
  readonly error: BridgeError | null;
}

export const templateDraft = signal<TemplateDraft | null>(null);

/** Begins to edit: a stored template (`replaces` is its version), or a new one. */
export function startTemplate(from: TemplateDefinition, replaces: number | null): void {
  const { origin: _origin, version: _version, ...rest } = from;
  const definition: EditedTemplate = { ...rest, macros: rest.macros ?? [], exams: rest.exams ?? {} };
  templateDraft.value = { definition, original: definition, replaces, theirs: null, error: null };
  login.peek().ended.addEventListener('abort', () => (templateDraft.value = null), { once: true });
}

/** A template with findings and an impression, to begin with. */
export const blankTemplate = (language: Language): TemplateDefinition => ({
  name: '',
  language,
  sections: ['findings', 'impression'].map((key) => ({ key, title: sectionTitle(language, key), required: true })),
});

const change = (next: Partial<TemplateDraft>): void => {
  const draft = templateDraft.peek();
  if (draft) templateDraft.value = { ...draft, ...next };
};

/** Changes fields of the definition. Marks of an earlier attempt to save go: they may be wrong now. */
export function editTemplate(fields: Partial<EditedTemplate>): void {
  const draft = templateDraft.peek();
  if (draft) change({ definition: { ...draft.definition, ...fields }, error: null });
}

/** The key of a new section with that title: a known kind's if it has its title, unlike that of the others. */
export function keyForTitle(title: string, { language, sections }: EditedTemplate): string {
  const isTitle = (key: string): boolean => fold(sectionTitle(language, key)) === fold(title.trim());
  const made = idFromName(title)
    .replace(/^(?![a-z])/, 's_')
    .slice(0, 60);
  const key = sectionKinds.find((kind) => kind.key !== 'addendum' && isTitle(kind.key))?.key ?? made;
  const isTaken = (wanted: string): boolean => sections.some((section) => section.key === wanted);
  if (!isTaken(key)) return key;
  let number = 2;
  while (isTaken(`${key}_${number}`)) number += 1;
  return `${key}_${number}`;
}

/** Stores the draft; `true` once it is stored. Another person's version is fetched for comparison. */
export async function saveTemplate(): Promise<boolean> {
  const draft = templateDraft.peek();
  if (!draft) return false;
  const { definition, replaces } = draft;
  try {
    await bridge().call('templates.add', { definition, replaces });
    if (templateDraft.peek()?.definition === definition) templateDraft.value = null;
    return true;
  } catch (thrown) {
    const error = asBridgeError(thrown);
    const isOthers = error.code === 'VERSION_CONFLICT' || (error.code === 'NOT_FOUND' && replaces !== null);
    change({ error, ...(isOthers && { theirs: await readTheirs(definition.id) }) });
    return false;
  }
}

const readTheirs = (id: string | undefined): Promise<TemplateDraft['theirs']> =>
  bridge()
    .call('templates.own', {})
    .then(
      ({ items }) => items.find((template) => template.id === id) ?? 'deleted',
      () => null,
    );

/** Decides between the draft and the version of another person. */
export function settleTemplate(choice: 'mine' | 'theirs'): void {
  const { theirs } = templateDraft.peek() ?? {};
  if (!theirs) return;
  if (choice === 'theirs') {
    if (theirs === 'deleted') templateDraft.value = null;
    else startTemplate(theirs, theirs.version);
    return;
  }
  change({ theirs: null, error: null, replaces: theirs === 'deleted' ? null : theirs.version });
}

/** A problem of the definition, at a dotted path such as `sections.0.text`. */
export interface TemplateProblem {
  readonly field: string;
  readonly message: Message;
}

/** The problems that the app named when it refused the draft. */
export const problemsIn = (error: BridgeError | null): readonly TemplateProblem[] =>
  (error?.details?.['problems'] as readonly TemplateProblem[] | undefined) ?? [];

/** All texts of a template, one after the other, to compare two. */
export const templateText = ({ name, sections, macros = [] }: TemplateDefinition): string =>
  [
    name,
    ...sections.map(({ title, text = '' }) => `${title}\n${text}`.trim()),
    ...macros.map((macro) => `${macro.name}\n${macro.text}`),
  ].join('\n\n');
