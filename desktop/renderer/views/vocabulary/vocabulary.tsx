/** Vocabulary: words found in a list, added and changed beside it. */
import { useEffect, useRef } from 'preact/hooks';
import { owners } from '../../../../src/contract/owned.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { Term } from '../../../../src/contract/vocabulary.ts';
import { t } from '../../i18n/index.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Segmented, Select, TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ListRow, enterRows, RowList } from '../../parts/row-list.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Empty, Skeleton } from '../../parts/states.tsx';
import { keyOf } from '../../state/keys.ts';
import { isOnline } from '../../state/session.ts';
import {
  closeTerm,
  deleteTerm,
  draftError,
  editTerm,
  isTermSaving,
  listedTerms,
  loadTerms,
  openTerm,
  saveTerm,
  startTerm,
  termDraft,
  termQuery,
  terms,
  termsError,
} from '../../state/vocabulary/vocabulary.ts';
import type { TermDraft } from '../../state/vocabulary/vocabulary.ts';
import { keyName } from '../app/key-name.ts';
import { reasonText } from '../recorder/reason.ts';
import { languageChoices } from '../settings/choices.ts';

export function Vocabulary({ open, onClose }: { open: boolean; onClose: () => void }) {
  useEffect(() => void loadTerms(), [isOnline.value]);
  const draft = termDraft.value;
  return (
    <Dialog open={open} title={t('vocabulary.title')} size="xl" onClose={onClose}>
      <div class="macros-frame">
        <div class="macros" data-pane={draft ? 'form' : 'list'}>
          <List />
          <section class="macros-form" aria-label={t('vocabulary.title')}>
            {draft ? <Form key={draft.of?.id ?? 'new'} draft={draft} /> : <Nothing />}
          </section>
        </div>
      </div>
    </Dialog>
  );
}

function List() {
  const list = useRef<HTMLUListElement>(null);
  const shown = listedTerms.value;
  const open = termDraft.value?.of?.id ?? null;
  return (
    <section class="macros-list" aria-label={t('vocabulary.list')}>
      <div class="macros-tools">
        <SearchField
          label={t('vocabulary.search')}
          placeholder={t('vocabulary.search')}
          clear={t('vocabulary.clear_search')}
          value={termQuery.value}
          onValue={(query) => (termQuery.value = query)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            enterRows(list.current);
          }}
        />
      </div>
      {terms.value === undefined && termsError.value === null && <Skeleton rows={7} label={t('app.loading')} />}
      <RowList
        list={list}
        items={shown}
        search={termQuery.value}
        open={open}
        more={(n) => t('vocabulary.more', { n })}
        row={(term, tab) => (
          <ListRow
            name={term.write}
            line={term.for.join(' · ')}
            isOpen={term.id === open}
            tab={tab}
            onOpen={() => openTerm(term)}
          >
            {term.owner === 'space' && <Chip>{t('vocabulary.owner_space')}</Chip>}
            {term.language !== null && <Chip>{term.language.slice(0, 2).toUpperCase()}</Chip>}
          </ListRow>
        )}
      />
      <footer class="macros-foot">
        <span role="status">{t('vocabulary.count', { n: shown.length })}</span>
        <Button icon="plus" onClick={() => startTerm()}>
          {t('vocabulary.new')}
        </Button>
      </footer>
    </section>
  );
}

function Form({ draft: { words, of } }: { draft: TermDraft }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.querySelector('input')?.focus(), []);
  const canSave = words.write.trim() !== '';
  return (
    <>
      <div
        ref={frame}
        class="macro-fields"
        onKeyDown={(event) => {
          if (keyOf(event) !== 'Mod+Enter') return;
          event.preventDefault();
          if (canSave) void saveTerm();
        }}
      >
        <div class="macro-back">
          <Button kind="bare" icon="left" onClick={closeTerm}>
            {t('vocabulary.back')}
          </Button>
        </div>
        <TextField
          label={t('vocabulary.write')}
          hint={t('vocabulary.write_hint')}
          value={words.write}
          maxLength={80}
          autocomplete="off"
          verbatim
          onValue={(write) => editTerm({ write })}
        />
        <Field label={t('vocabulary.for')} hint={t('vocabulary.for_hint')}>
          {({ id, describedBy }) => (
            <textarea
              id={id}
              class="input term-forms"
              rows={4}
              spellcheck={false}
              value={words.for.join('\n')}
              aria-describedby={describedBy}
              onInput={(event) => editTerm({ for: event.currentTarget.value.split('\n') })}
            />
          )}
        </Field>
        <div class="macro-choices">
          <div class="field">
            <span class="field-label">{t('vocabulary.owner')}</span>
            <Segmented
              label={t('vocabulary.owner')}
              value={words.owner}
              choices={owners.map((value) => ({ value, label: t(`vocabulary.owner_${value}`) }))}
              onValue={(owner) => editTerm({ owner })}
            />
          </div>
          <Select
            label={t('vocabulary.language')}
            value={words.language ?? ''}
            choices={[{ value: '', label: t('vocabulary.language_all') }, ...languageChoices]}
            onValue={(value: Language | '') => editTerm({ language: value === '' ? null : value })}
          />
        </div>
      </div>
      <Foot of={of} canSave={canSave} />
    </>
  );
}

function Foot({ of, canSave }: { of: Term | null; canSave: boolean }) {
  const error = draftError.value;
  return (
    <footer class="macros-foot macro-foot">
      <p class={error ? 'document-saving document-saving-failed' : 'document-saving'} role={error ? 'alert' : 'status'}>
        {error && <Icon name="warn" size={15} />}
        <span>{error ? (refusalOf(error.code) ?? reasonText(error)) : ''}</span>
      </p>
      {of && (
        <IconButton
          icon="trash"
          label={t('vocabulary.delete')}
          disabled={isTermSaving.value}
          onClick={() => void deleteTerm(of)}
        />
      )}
      <Button onClick={closeTerm}>{t('app.cancel')}</Button>
      <Button
        kind="primary"
        busy={isTermSaving.value}
        disabled={!canSave}
        keyHint={keyName('Mod+Enter')}
        onClick={() => void saveTerm()}
      >
        {t('vocabulary.save')}
      </Button>
    </footer>
  );
}

/** What the service refuses of a word, and what to do about it. */
function refusalOf(code: string): string | undefined {
  switch (code) {
    case 'VALIDATION_FAILED':
      return t('vocabulary.not_like_that');
    case 'IDENTIFIER_CONFLICT':
      return t('vocabulary.taken');
    case 'VERSION_CONFLICT':
      return t('vocabulary.changed');
    case 'INSUFFICIENT_SCOPE':
      return t('vocabulary.old_login');
    case 'PAYLOAD_TOO_LARGE':
      return t('vocabulary.too_many');
    default:
      return undefined;
  }
}

function Nothing() {
  const error = termsError.value;
  if (error)
    return (
      <Empty
        icon="warn"
        level="h3"
        title={t('vocabulary.not_read')}
        action={
          <Button icon="retry" onClick={() => void loadTerms()}>
            {t('app.try_again')}
          </Button>
        }
      >
        {reasonText(error)}
      </Empty>
    );
  return (
    <Empty icon="template" level="h3" title={t(terms.value?.length === 0 ? 'vocabulary.none' : 'vocabulary.choose')}>
      {t('vocabulary.none_hint')}
    </Empty>
  );
}
