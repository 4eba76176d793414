/** The form of a wordbook entry: its fields, conflicts with another person's version, and its actions. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { owners } from '../../../../src/contract/wordbook.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { languageChoices, t } from '../../i18n/index.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Segmented, Select } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { formatKey } from '../../state/keys.ts';
import type { Draft } from '../../state/wordbook/drafts.ts';
import type { WordbookEditor } from '../../state/wordbook/editor.ts';
import { keyName } from '../app/key-name.ts';
import { Difference } from '../report/difference.tsx';
import type { EntryItem, WordbookTexts, EntryFields, SheetProps } from './entry-kind.ts';
import { refusalText } from './entry-kind.ts';

const saveKeys: readonly string[] = ['Mod+Enter', 'Mod+s'];

export function EntryForm<Words extends EntryFields, Kept extends Words & EntryItem>({
  state,
  texts,
  draft,
  textOf,
  canSave: isWhole,
  onDuplicate,
  children,
}: SheetProps<Words, Kept> & {
  draft: Draft<Words, Kept>;
  /** The text that a conflict shows in both versions. */
  textOf: (words: Words) => string;
  /** Whether the entry could be saved as it is. */
  canSave: boolean;
  /** Absent: a copy makes no sense. */
  onDuplicate?: (() => void) | undefined;
  children: ComponentChildren;
}) {
  const { of, theirs } = draft;
  const isChanged = state.drafts.value.has(state.open.value ?? '');
  const canSave = isWhole && isChanged && theirs === null;
  const frame = useRef<HTMLDivElement>(null);
  // A new entry starts with its name.
  useLayoutEffect(() => {
    if (of === null) frame.current?.querySelector('input')?.focus();
  }, []);
  return (
    <>
      <div
        ref={frame}
        class="wordbook-fields"
        // Read-only fields take no focus, and the text may be longer than the screen.
        tabIndex={of?.waits ? 0 : undefined}
        onKeyDown={(event) => {
          if (!saveKeys.includes(formatKey(event) ?? '')) return;
          event.preventDefault();
          if (canSave) void state.save();
        }}
      >
        <div class="wordbook-back">
          <Button kind="bare" icon="left" onClick={() => (state.open.value = null)}>
            {t(`${texts}.back`)}
          </Button>
        </div>
        {theirs !== null && <Conflict state={state} texts={texts} draft={draft} theirs={theirs} textOf={textOf} />}
        {children}
      </div>
      <footer class="wordbook-foot wordbook-form-foot">
        <SaveState texts={texts} error={draft.error} of={of} isChanged={isChanged} />
        {of && theirs === null && (
          <>
            {onDuplicate && <IconButton icon="copy" label={t('owned.duplicate')} onClick={onDuplicate} />}
            <IconButton
              icon="trash"
              label={t('owned.delete')}
              disabled={of.waits}
              onClick={() => void state.remove(of)}
            />
          </>
        )}
        {isChanged && theirs === null && (
          <Button onClick={state.discard}>{t(of ? 'owned.discard' : 'owned.discard_new')}</Button>
        )}
        {theirs === null && (
          <Button
            kind="primary"
            busy={state.saving.value === state.open.value}
            disabled={!canSave}
            keyHint={keyName('Mod+Enter')}
            onClick={() => void state.save()}
          >
            {t('owned.save')}
          </Button>
        )}
      </footer>
    </>
  );
}

function SaveState({
  texts,
  error,
  of,
  isChanged,
}: {
  texts: WordbookTexts;
  error: BridgeError | null;
  of: EntryItem | null;
  isChanged: boolean;
}) {
  if (error)
    return (
      <p class="document-saving document-saving-failed" role="alert">
        <Icon name="warn" size={15} />
        <span>{refusalText(texts, error)}</span>
      </p>
    );
  return (
    <p class="document-saving" role="status">
      {of?.waits ? t('owned.saved_waits') : isChanged ? t('owned.changed') : of && t('owned.saved', { n: of.version })}
    </p>
  );
}

/** The owner and the language of an entry. */
export function EntryOptions<Words extends EntryFields, Kept extends Words>({
  state,
  words,
  disabled,
  children,
}: {
  state: WordbookEditor<Words, Kept>;
  words: Words;
  disabled: boolean;
  children?: ComponentChildren;
}) {
  const edit = (change: Partial<EntryFields>): void => state.edit(change as Partial<Words>);
  return (
    <div class="wordbook-choices">
      <div class="field">
        <span class="field-label">{t('owned.owner')}</span>
        <Segmented
          label={t('owned.owner')}
          value={words.owner}
          disabled={disabled}
          choices={owners.map((value) => ({ value, label: t(`owned.owner_${value}`) }))}
          onValue={(owner) => edit({ owner })}
        />
      </div>
      <Select
        label={t('owned.language')}
        value={words.language ?? ''}
        disabled={disabled}
        choices={[{ value: '', label: t('owned.language_all') }, ...languageChoices]}
        onValue={(value: Language | '') => edit({ language: value === '' ? null : value })}
      />
      {children}
    </div>
  );
}

/** Shows the conflicting entry, so that the person need not search for it. */
export const Rival = <Words, Kept extends { readonly id: string }>({
  state,
  rival,
  text,
}: {
  state: WordbookEditor<Words, Kept>;
  rival: Kept;
  text: string;
}) => (
  <div class="wordbook-rival">
    <p>{text}</p>
    <Button onClick={() => (state.open.value = rival.id)}>{t('owned.open_other')}</Button>
  </div>
);

/** A conflict with another person's version: shows both texts, so that neither is lost. */
function Conflict<Words, Kept extends Words & EntryItem>({
  state,
  texts,
  draft: { words, of },
  theirs,
  textOf,
}: SheetProps<Words, Kept> & {
  draft: Draft<Words, Kept>;
  theirs: Omit<Kept, 'waits'> | 'deleted';
  textOf: (words: Words) => string;
}) {
  const isGone = theirs === 'deleted';
  const before = of ? textOf(of) : '';
  const other = theirs as Kept;
  return (
    <section class="document-conflict wordbook-conflict" role="alert">
      <h3>
        <Icon name="warn" />
        {t(isGone ? `${texts}.gone` : `${texts}.conflict`)}
      </h3>
      <p>{t(isGone ? 'owned.gone_hint' : 'owned.conflict_hint')}</p>
      {!isGone && (
        <div class="document-sides">
          <div>
            <h4>{t('owned.mine', { name: state.nameOf(words) })}</h4>
            <Difference before={before} after={textOf(words)} />
          </div>
          <div>
            <h4>{t('owned.theirs', { n: other.version, name: state.nameOf(other) })}</h4>
            <Difference before={before} after={textOf(other)} />
          </div>
        </div>
      )}
      <div class="document-choices">
        <Button onClick={isGone ? state.discard : () => void state.settle('theirs')}>
          {t(isGone ? 'owned.let_go' : 'owned.take_theirs')}
        </Button>
        <Button kind="primary" onClick={() => void state.settle('mine')}>
          {t(isGone ? 'owned.save_new' : 'owned.keep_mine')}
        </Button>
      </div>
    </section>
  );
}
