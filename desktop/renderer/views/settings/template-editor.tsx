/** Edits a template: its sections, normal texts and exams. Another person's version is shown for comparison. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { translateSentence, errorParagraph } from '../../state/explain.ts';
import { languageChoices, t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useSignal } from '@preact/signals';
import { formatKey } from '../../state/keys.ts';
import {
  editTemplate,
  problemsIn,
  saveTemplate,
  settleTemplate,
  templateDraft,
  templateText,
} from '../../state/template-draft.ts';
import type { EditedTemplate, TemplateDraft } from '../../state/template-draft.ts';
import { keyName } from '../app/key-name.ts';
import { Difference } from '../report/difference.tsx';
import { TemplateExamsForm } from './template-exams.tsx';
import { TemplateNormals, TemplateSections } from './template-sections.tsx';
import { TemplateTry } from './template-try.tsx';

const saveKeys: readonly string[] = ['Mod+Enter', 'Mod+s'];

/** Empty fields that a template needs, by path. */
function missingIn({ name, sections, macros }: EditedTemplate): Map<string, string> {
  const missing = new Map<string, string>();
  const need = (path: string, value: string, error: string): void => {
    if (value.trim() === '') missing.set(path, error);
  };
  need('name', name, t('templates.name_needed'));
  sections.forEach(({ title }, at) => need(`sections.${at}.title`, title, t('templates.section_needed')));
  macros.forEach((macro, at) => {
    need(`macros.${at}.name`, macro.name, t('templates.normal_needed'));
    need(`macros.${at}.text`, macro.text, t('templates.normal_text_needed'));
  });
  return missing;
}

export function TemplateEditor({ draft, onSaved }: { draft: TemplateDraft; onSaved: () => void }) {
  const { definition, theirs, error } = draft;
  const frame = useRef<HTMLDivElement>(null);
  /** Empty fields are marked once somebody tried to save. */
  const isTried = useSignal(false);
  const isSaving = useSignal(false);
  const isAsking = useSignal(false);
  /** Attempts to save that failed. */
  const refused = useSignal(0);
  useLayoutEffect(() => frame.current?.querySelector('input')?.focus(), []);
  useLayoutEffect(() => {
    if (refused.value > 0) frame.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [refused.value]);
  const missing = missingIn(definition);
  const problems = problemsIn(error);
  const errorAt = (path: string): string | undefined => {
    const problem = problems.find(({ field }) => field === path);
    return (isTried.value ? missing.get(path) : undefined) ?? translateSentence(problem?.message);
  };
  const errorIn = (path: string): string | undefined =>
    translateSentence(problems.find(({ field }) => field.startsWith(`${path}.`))?.message);
  const save = async (): Promise<void> => {
    isTried.value = true;
    if (isSaving.peek()) return;
    isSaving.value = true;
    if (missing.size === 0 && (await saveTemplate())) onSaved();
    else refused.value += 1;
    isSaving.value = false;
  };
  const isTaken = error?.code === 'IDENTIFIER_CONFLICT' && draft.replaces === null;
  return (
    <div
      ref={frame}
      class="template-fields"
      onKeyDown={(event) => {
        if (!saveKeys.includes(formatKey(event) ?? '')) return;
        event.preventDefault();
        if (theirs === null) void save();
      }}
    >
      {theirs !== null && <Conflict draft={draft} theirs={theirs} />}
      <TextField
        label={t('templates.name')}
        hint={t('templates.name_hint')}
        error={isTaken ? t('templates.taken') : errorAt('name')}
        value={definition.name}
        maxLength={200}
        autocomplete="off"
        onValue={(name) => editTemplate({ name })}
      />
      <Select
        label={t('templates.language')}
        value={definition.language}
        choices={languageChoices}
        onValue={(language) => editTemplate({ language })}
      />
      <TemplateSections definition={definition} errorAt={errorAt} />
      <TemplateNormals definition={definition} errorAt={errorAt} />
      <TemplateExamsForm exams={definition.exams} errorIn={errorIn} />
      <TemplateTry definition={definition} />
      {theirs === null && (
        <div class="template-actions">
          {isAsking.value ? (
            <>
              <Button kind="danger" onClick={() => (templateDraft.value = null)}>
                {t('templates.discard')}
              </Button>
              <Button onClick={() => (isAsking.value = false)}>{t('app.cancel')}</Button>
            </>
          ) : (
            <>
              <Button kind="primary" busy={isSaving.value} keyHint={keyName('Mod+Enter')} onClick={() => void save()}>
                {t('templates.save')}
              </Button>
              <Button
                onClick={() => (definition === draft.original ? (templateDraft.value = null) : (isAsking.value = true))}
              >
                {t('templates.discard')}
              </Button>
            </>
          )}
          <SaveState draft={draft} isMarked={(isTried.value && missing.size > 0) || problems.length > 0 || isTaken} />
        </div>
      )}
    </div>
  );
}

function SaveState({ draft: { error, definition, original }, isMarked }: { draft: TemplateDraft; isMarked: boolean }) {
  if (isMarked || error)
    return (
      <p class="document-saving document-saving-failed" role="alert">
        <Icon name="warn" size={15} />
        <span>{isMarked || !error ? t('templates.fix') : errorParagraph(error)}</span>
      </p>
    );
  return (
    <p class="document-saving" role="status">
      {definition !== original && t('templates.changed')}
    </p>
  );
}

function Conflict({ draft, theirs }: { draft: TemplateDraft; theirs: NonNullable<TemplateDraft['theirs']> }) {
  const before = templateText(draft.original);
  const isGone = theirs === 'deleted';
  return (
    <section class="document-conflict wordbook-conflict" role="alert">
      <h3>
        <Icon name="warn" />
        {t(isGone ? 'templates.gone' : 'templates.conflict')}
      </h3>
      <p>{t(isGone ? 'templates.gone_hint' : 'templates.conflict_hint')}</p>
      {!isGone && (
        <div class="document-sides">
          <div>
            <h4>{t('templates.mine')}</h4>
            <Difference before={before} after={templateText(draft.definition)} />
          </div>
          <div>
            <h4>{t('templates.theirs', { n: theirs.version })}</h4>
            <Difference before={before} after={templateText(theirs)} />
          </div>
        </div>
      )}
      <div class="document-choices">
        <Button onClick={() => settleTemplate('theirs')}>
          {t(isGone ? 'templates.discard' : 'templates.take_theirs')}
        </Button>
        <Button kind="primary" onClick={() => settleTemplate('mine')}>
          {t(isGone ? 'templates.save_new' : 'templates.keep_mine')}
        </Button>
      </div>
    </section>
  );
}
