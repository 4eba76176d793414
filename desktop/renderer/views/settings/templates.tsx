/** The templates of the department and those that come with Laudio: to read, to try, to copy, to edit, and from files. */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Language } from '../../../../src/contract/shared.ts';
import type { Template } from '../../../../src/contract/template.ts';
import { fold } from '../../../../src/domain/fold.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import type { ReadTemplate } from '../../../bridge/reference.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Select } from '../../parts/field.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Banner } from '../../parts/states.tsx';
import { languageChoices, t } from '../../i18n/index.ts';
import { errorParagraph } from '../../state/explain.ts';
import { asBridgeError, bridge } from '../../state/bridge.ts';
import { settings } from '../../state/settings.ts';
import { blankTemplate, startTemplate, templateDraft } from '../../state/template-draft.ts';
import { TemplateEditor } from './template-editor.tsx';
import { describeExams, TemplateFacts } from './template-facts.tsx';
import { noteWords } from './template-notes.ts';
import { TemplateTry } from './template-try.tsx';

type Step =
  | { readonly name: 'list' }
  | { readonly name: 'open'; readonly template: Template }
  /** A parsed file; `file` allows parsing it again in another language. */
  | { readonly name: 'read'; readonly file: File; readonly read: ReadTemplate };

interface Lists {
  readonly own: readonly Template[];
  readonly shipped: readonly Template[];
}

export function Templates() {
  const lists = useSignal<Lists>({ own: [], shipped: [] });
  const language = useSignal<Language>(settings.peek()?.document_language ?? 'en-US');
  const query = useSignal('');
  const step = useSignal<Step>({ name: 'list' });
  const error = useSignal<BridgeError | null>(null);
  const isBusy = useSignal(false);
  const isSaved = useSignal(false);
  const frame = useRef<HTMLDivElement>(null);
  const go = (next: Step): void => {
    error.value = null;
    isSaved.value = false;
    step.value = next;
  };
  const load = async (): Promise<void> => {
    const chosen = language.peek();
    const [own, all] = await Promise.all([
      bridge().call('templates.own', {}),
      bridge().call('templates.list', { language: chosen }),
    ]);
    if (chosen === language.peek())
      lists.value = { own: own.items, shipped: all.items.filter(({ origin }) => origin === 'shipped') };
  };
  const during = async (work: () => Promise<void>): Promise<void> => {
    isBusy.value = true;
    await work().catch((thrown: unknown) => (error.value = asBridgeError(thrown)));
    isBusy.value = false;
  };
  useEffect(() => void during(load), [language.value]);

  const readFile = (file: File, wanted: Language | null = null): Promise<void> =>
    during(async () => {
      go({ name: 'list' });
      const read = await bridge().call('templates.read', { language: wanted }, await file.arrayBuffer());
      go({ name: 'read', file, read });
    });
  const change = (call: () => Promise<unknown>): Promise<void> =>
    during(async () => {
      await call();
      go({ name: 'list' });
      await load();
    });
  const add = ({ definition, replaces }: ReadTemplate): Promise<void> =>
    change(() => bridge().call('templates.add', { definition, replaces }));
  const remove = (id: string): Promise<void> => change(() => bridge().call('templates.remove', { id }));
  const copy = ({ id: _id, ...template }: Template): void =>
    startTemplate({ ...template, name: t('templates.copy_of', { name: template.name }) }, null);

  const draft = templateDraft.value;
  const now = step.value;
  const place = draft ? 'edit' : now.name;
  // The control that led here is gone, and the focus with it.
  useLayoutEffect(() => {
    if (place === 'open' || place === 'read') frame.current?.querySelector<HTMLElement>('h4')?.focus();
  }, [place]);
  return (
    <div
      ref={frame}
      class="own-templates"
      onDragOver={(event) => (event.preventDefault(), event.stopPropagation())}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        const file = event.dataTransfer?.files[0];
        if (file && !draft) void readFile(file);
      }}
    >
      {error.value && (
        <Banner tone="warn" icon="warn" alert>
          {errorParagraph(error.value)}
        </Banner>
      )}
      {draft ? (
        <TemplateEditor
          key={draft.original}
          draft={draft}
          onSaved={() => {
            go({ name: 'list' });
            isSaved.value = true;
            void during(load);
          }}
        />
      ) : now.name === 'read' ? (
        <Understood
          read={now.read}
          isBusy={isBusy.value}
          onLanguage={(wanted) => void readFile(now.file, wanted)}
          onAdd={() => void add(now.read)}
          onCancel={() => go({ name: 'list' })}
        />
      ) : now.name === 'open' ? (
        <OpenTemplate
          template={now.template}
          onBack={() => go({ name: 'list' })}
          onCopy={() => copy(now.template)}
          onRemove={() => void remove(now.template.id)}
        />
      ) : (
        <>
          <Beginning
            isSaved={isSaved.value}
            isBusy={isBusy.value}
            onNew={() => startTemplate(blankTemplate(language.peek()), null)}
            onFile={(file) => void readFile(file)}
          />
          <TemplateLists
            lists={lists.value}
            query={query.value}
            onQuery={(value) => (query.value = value)}
            language={language.value}
            onLanguage={(value) => (language.value = value)}
            onOpen={(template) => go({ name: 'open', template })}
          />
        </>
      )}
    </div>
  );
}

/** The ways to a new template. */
function Beginning({
  isSaved,
  isBusy,
  onNew,
  onFile,
}: {
  isSaved: boolean;
  isBusy: boolean;
  onNew: () => void;
  onFile: (file: File) => void;
}) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <p class="field-note" role="status">
        {t(isSaved ? 'templates.saved' : 'templates.hint')}
      </p>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".html,.htm,.xhtml,.json,text/html,application/json"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
      <div class="template-actions-top">
        <Button icon="plus" onClick={onNew}>
          {t('templates.new')}
        </Button>
        <Button icon="upload" disabled={isBusy} onClick={() => picker.current?.click()}>
          {t('templates.add')}
        </Button>
      </div>
    </>
  );
}

function TemplateLists({
  lists: { own, shipped },
  query,
  onQuery,
  language,
  onLanguage,
  onOpen,
}: {
  lists: Lists;
  query: string;
  onQuery: (query: string) => void;
  language: Language;
  onLanguage: (language: Language) => void;
  onOpen: (template: Template) => void;
}) {
  const terms = fold(query).split(/\s+/).filter(Boolean);
  const isFound = (template: Template): boolean => {
    const words = fold(`${template.name} ${template.id} ${template.specialty} ${describeExams(template.exams)}`);
    return terms.every((term) => words.includes(term));
  };
  const found = { own: own.filter(isFound), shipped: shipped.filter(isFound) };
  return (
    <>
      <SearchField
        label={t('templates.search_label')}
        placeholder={t('templates.search')}
        clear={t('templates.clear_search')}
        value={query}
        onValue={onQuery}
      />
      {terms.length > 0 && found.own.length + found.shipped.length === 0 && (
        <p class="field-note" role="status">
          {t('templates.no_match')}
        </p>
      )}
      <section class="template-group" aria-label={t('templates.own')}>
        <h4>{t('templates.own')}</h4>
        {own.length === 0 ? (
          <p class="field-note">{t('templates.none')}</p>
        ) : (
          <Rows templates={found.own} onOpen={onOpen} />
        )}
      </section>
      <section class="template-group" aria-label={t('templates.shipped')}>
        <h4>{t('templates.shipped')}</h4>
        <Select
          label={t('templates.texts')}
          labelHidden
          value={language}
          choices={languageChoices}
          onValue={onLanguage}
        />
        <Rows templates={found.shipped} onOpen={onOpen} />
      </section>
    </>
  );
}

const Rows = ({ templates, onOpen }: { templates: readonly Template[]; onOpen: (template: Template) => void }) => (
  <ul class="template-list">
    {templates.map((template) => {
      const { id, name, origin, language, exams, version } = template;
      const facts =
        origin === 'own'
          ? [id, language, describeExams(exams), t('templates.version', { n: version })]
          : [describeExams(exams)];
      return (
        <li key={id}>
          <button type="button" class="template-row" onClick={() => onOpen(template)}>
            <strong>{name}</strong>
            <span>{facts.join(' · ')}</span>
          </button>
        </li>
      );
    })}
  </ul>
);

function OpenTemplate({
  template,
  onBack,
  onCopy,
  onRemove,
}: {
  template: Template;
  onBack: () => void;
  onCopy: () => void;
  onRemove: () => void;
}) {
  const isAsking = useSignal(false);
  const { name, id, origin, version } = template;
  const isOwn = origin === 'own';
  return (
    <div class="template-fields">
      <Button kind="bare" icon="left" onClick={onBack}>
        {t('templates.back')}
      </Button>
      <div class="profile">
        <div>
          <h4 tabIndex={-1}>{name}</h4>
          <span>{[id, isOwn && t('templates.version', { n: version })].filter(Boolean).join(' · ')}</span>
        </div>
      </div>
      {!isOwn && <p class="field-note">{t('templates.copy_hint')}</p>}
      <TemplateFacts definition={template} />
      <TemplateTry definition={template} />
      <div class="template-actions">
        {isAsking.value ? (
          <>
            <Button kind="danger" onClick={onRemove}>
              {t('templates.remove')}
            </Button>
            <Button onClick={() => (isAsking.value = false)}>{t('app.cancel')}</Button>
          </>
        ) : (
          <>
            {isOwn && (
              <Button kind="primary" icon="edit" onClick={() => startTemplate(template, version)}>
                {t('templates.edit')}
              </Button>
            )}
            <Button kind={isOwn ? 'plain' : 'primary'} icon="copy" onClick={onCopy}>
              {t('templates.copy')}
            </Button>
            {isOwn && (
              <IconButton
                icon="trash"
                label={t('templates.remove_named', { name })}
                onClick={() => (isAsking.value = true)}
              />
            )}
          </>
        )}
      </div>
    </div>
  );
}

interface UnderstoodProps {
  readonly read: ReadTemplate;
  readonly isBusy: boolean;
  readonly onLanguage: (language: Language) => void;
  readonly onAdd: () => void;
  readonly onCancel: () => void;
}

/** The parsed file, before anything is added. */
function Understood({ read, isBusy, onLanguage, onAdd, onCancel }: UnderstoodProps) {
  const { definition, notes, replaces } = read;
  const { name, language } = definition;
  return (
    <>
      <div class="profile">
        <div>
          <h4 tabIndex={-1}>{name}</h4>
          <span>{definition.id}</span>
        </div>
      </div>
      {replaces !== null && <p class="field-note">{t('templates.replaces')}</p>}
      <Select label={t('templates.language')} value={language} choices={languageChoices} onValue={onLanguage} />
      <TemplateFacts definition={definition} />
      {notes.length > 0 && (
        <details class="remarks" open={notes.length <= 8}>
          <summary>{t('templates.notes')}</summary>
          <ul>
            {notes.map((note, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- two notes can share a line
              <li key={at}>
                {note.line !== null && <b>{t('worklist.at_line', { n: note.line })} </b>}
                {noteWords(note)}
              </li>
            ))}
          </ul>
        </details>
      )}
      <div class="template-actions">
        <Button kind="primary" disabled={isBusy} onClick={onAdd}>
          {t(replaces === null ? 'templates.take' : 'templates.replace')}
        </Button>
        <Button onClick={onCancel}>{t('app.cancel')}</Button>
      </div>
    </>
  );
}
