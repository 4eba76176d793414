/** The templates of the space, and the import of files as new ones. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Language } from '../../../../src/contract/shared.ts';
import type { Template } from '../../../../src/contract/template.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import type { ReadTemplate } from '../../../bridge/reference.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Select } from '../../parts/field.tsx';
import { Banner } from '../../parts/states.tsx';
import { languageChoices, t } from '../../i18n/index.ts';
import { errorParagraph } from '../../state/explain.ts';
import { asBridgeError, bridge } from '../../state/bridge.ts';
import { noteWords } from './template-notes.ts';

type Step =
  | { readonly name: 'list' }
  /** A parsed file; `file` allows parsing it again in another language. */
  | { readonly name: 'read'; readonly file: File; readonly read: ReadTemplate }
  | { readonly name: 'failed'; readonly file: File | undefined; readonly error: BridgeError };

export function Templates() {
  const own = useSignal<readonly Template[]>([]);
  const step = useSignal<Step>({ name: 'list' });
  const isBusy = useSignal(false);
  const picker = useRef<HTMLInputElement>(null);
  const fail = (thrown: unknown, file?: File): void =>
    void (step.value = { name: 'failed', file, error: asBridgeError(thrown) });
  const load = (): Promise<void> =>
    bridge()
      .call('templates.own', {})
      .then(({ items }) => void (own.value = items), fail);
  useEffect(() => void load(), []);

  const during = async (work: () => Promise<void>, file?: File): Promise<void> => {
    isBusy.value = true;
    await work().catch((thrown: unknown) => fail(thrown, file));
    isBusy.value = false;
  };
  const readFile = (file: File, language: Language | null = null): Promise<void> =>
    during(async () => {
      const read = await bridge().call('templates.read', { language }, await file.arrayBuffer());
      step.value = { name: 'read', file, read };
    }, file);
  const add = ({ definition, replaces }: ReadTemplate): Promise<void> =>
    during(async () => {
      await bridge().call('templates.add', { definition, replaces });
      step.value = { name: 'list' };
      await load();
    });
  const remove = (id: string): Promise<void> =>
    during(async () => {
      await bridge().call('templates.remove', { id });
      await load();
    });
  const now = step.value;
  return (
    <div
      class="own-templates"
      onDragOver={(event) => (event.preventDefault(), event.stopPropagation())}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        const file = event.dataTransfer?.files[0];
        if (file) void readFile(file);
      }}
    >
      <input
        ref={picker}
        type="file"
        hidden
        accept=".html,.htm,.xhtml,.json,text/html,application/json"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (file) void readFile(file);
        }}
      />
      {now.name === 'failed' && (
        <Banner tone="warn" icon="warn" alert>
          {errorParagraph(now.error)}
        </Banner>
      )}
      {now.name === 'read' ? (
        <Understood
          read={now.read}
          isBusy={isBusy.value}
          onLanguage={(language) => void readFile(now.file, language)}
          onAdd={() => void add(now.read)}
          onCancel={() => (step.value = { name: 'list' })}
        />
      ) : (
        <>
          <p class="field-note">{t('settings.templates_hint')}</p>
          <Button icon="upload" disabled={isBusy.value} onClick={() => picker.current?.click()}>
            {t('settings.templates_add')}
          </Button>
          {own.value.length === 0 ? (
            <p class="field-note">{t('settings.templates_none')}</p>
          ) : (
            <ul class="template-list">
              {own.value.map((template) => (
                <OwnTemplate key={template.id} template={template} onRemove={() => void remove(template.id)} />
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  );
}

function OwnTemplate({ template, onRemove }: { template: Template; onRemove: () => void }) {
  const isAsking = useSignal(false);
  const { name, id, language, exams } = template;
  const facts = [id, language, exams.modalities?.join(' '), t('settings.templates_version', { n: template.version })];
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <span>{facts.filter(Boolean).join(' · ')}</span>
      </div>
      {isAsking.value ? (
        <>
          <Button kind="danger" onClick={onRemove}>
            {t('settings.templates_remove')}
          </Button>
          <Button onClick={() => (isAsking.value = false)}>{t('app.cancel')}</Button>
        </>
      ) : (
        <IconButton
          icon="trash"
          label={t('settings.templates_remove_named', { name })}
          onClick={() => (isAsking.value = true)}
        />
      )}
    </li>
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
  const { name, language, sections, macros = [] } = definition;
  return (
    <>
      <div class="profile">
        <div>
          <strong>{name}</strong>
          <span>{definition.id}</span>
        </div>
      </div>
      {replaces !== null && <p class="field-note">{t('settings.templates_replaces')}</p>}
      <Select
        label={t('settings.templates_language')}
        value={language}
        choices={languageChoices}
        onValue={onLanguage}
      />
      <dl class="facts-list template-facts">
        {sections.map(({ key, title, required, text }) => (
          <div key={key}>
            <dt>
              {title}
              {required === true && <small> · {t('settings.templates_required')}</small>}
            </dt>
            <dd>{text ?? t('settings.templates_empty')}</dd>
          </div>
        ))}
        {macros.map((macro) => (
          <div key={`macro ${macro.name}`}>
            <dt>{t('settings.templates_said', { name: macro.name })}</dt>
            <dd>{macro.text}</dd>
          </div>
        ))}
      </dl>
      {notes.length > 0 && (
        <details class="remarks" open={notes.length <= 8}>
          <summary>{t('settings.templates_notes')}</summary>
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
          {t(replaces === null ? 'settings.templates_take' : 'settings.templates_replace')}
        </Button>
        <Button onClick={onCancel}>{t('app.cancel')}</Button>
      </div>
    </>
  );
}
