/** One autotext: its words, how they come into a report, and what stands in their way. */
import { useEffect, useRef } from 'preact/hooks';
import { longestMacro } from '../../../../src/contract/macro.ts';
import { owners } from '../../../../src/contract/owned.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { sectionKinds } from '../../../../src/domain/report/section-kinds.ts';
import { sectionTitle } from '../../../../src/domain/report/section-titles.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import type { KeptMacro, MacroWords } from '../../../bridge/macros.ts';
import { shownLanguage, t } from '../../i18n/index.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Field, Segmented, Select, TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { namesakeOf, rivalOf, sectionsOf, spokenWords } from '../../state/macros/macro-list.ts';
import {
  deleteMacro,
  discardDraft,
  drafts,
  editMacro,
  openMacro,
  savedNow,
  saveMacro,
  shownDraft,
  startMacro,
} from '../../state/macros/macros.ts';
import type { Draft } from '../../state/macros/macros.ts';
import { keyOf } from '../../state/keys.ts';
import { keyName } from '../app/key-name.ts';
import { reasonText } from '../recorder/reason.ts';
import { languageChoices } from '../settings/choices.ts';
import { MacroConflict } from './macro-conflict.tsx';
import { MacroPreview } from './macro-preview.tsx';

const saveKeys: readonly string[] = ['Mod+Enter', 'Mod+s'];

export function MacroForm({ items }: { items: readonly KeptMacro[] }) {
  const draft = shownDraft.value!;
  const { words, of } = draft;
  const rival = rivalOf(words, of?.id ?? null, items);
  const isChanged = drafts.value.has(openMacro.value ?? '');
  const canSave =
    isChanged && !rival && draft.theirs === null && spokenWords(words.name) > 0 && words.text.trim() !== '';
  const frame = useRef<HTMLDivElement>(null);
  // Whoever begins a new one writes its name first.
  useEffect(() => {
    if (of === null) frame.current?.querySelector('input')?.focus();
  }, []);
  const disabled = of?.waits === true;
  return (
    <>
      <div
        ref={frame}
        class="macro-fields"
        // Fields that cannot be changed take no focus, and the text may be longer than the screen.
        tabIndex={disabled ? 0 : undefined}
        onKeyDown={(event) => {
          if (!saveKeys.includes(keyOf(event) ?? '')) return;
          event.preventDefault();
          if (canSave) void saveMacro();
        }}
      >
        <div class="macro-back">
          <Button kind="bare" icon="left" onClick={() => (openMacro.value = null)}>
            {t('macros.back')}
          </Button>
        </div>
        {draft.theirs !== null && <MacroConflict draft={draft} theirs={draft.theirs} />}
        <TextField
          label={t('macros.name')}
          hint={nameHint(words, items)}
          error={rival && t('macros.name_taken', { name: rival.name })}
          value={words.name}
          maxLength={80}
          autocomplete="off"
          disabled={disabled}
          onValue={(name) => editMacro({ name })}
        />
        {rival && <Rival rival={rival} />}
        <Choices words={words} items={items} disabled={disabled} />
        <TextOf words={words} disabled={disabled} />
        <MacroPreview words={words} />
      </div>
      <Foot draft={draft} isChanged={isChanged} canSave={canSave} />
    </>
  );
}

function nameHint(words: MacroWords, items: readonly KeptMacro[]): string {
  const namesake = namesakeOf(words, items);
  if (namesake) return t(words.owner === 'person' ? 'macros.name_namesake_mine' : 'macros.name_namesake_theirs');
  return spokenWords(words.name) === 1 ? t('macros.name_one', { name: words.name.trim() }) : t('macros.name_hint');
}

/** The autotext that has the name already, so that nobody has to look for it. */
const Rival = ({ rival }: { rival: KeptMacro }) => (
  <div class="macro-rival">
    <p>{rival.text}</p>
    <Button onClick={() => (openMacro.value = rival.id)}>{t('macros.open_other')}</Button>
  </div>
);

function Choices({ words, items, disabled }: { words: MacroWords; items: readonly KeptMacro[]; disabled: boolean }) {
  const sections = [...new Set([...sectionKinds.map(({ key }) => key), ...sectionsOf(items)])];
  return (
    <div class="macro-choices">
      <div class="field">
        <span class="field-label">{t('macros.owner')}</span>
        <Segmented
          label={t('macros.owner')}
          value={words.owner}
          disabled={disabled}
          choices={owners.map((value) => ({ value, label: t(`macros.owner_${value}`) }))}
          onValue={(owner) => editMacro({ owner })}
        />
      </div>
      <Select
        label={t('macros.language')}
        value={words.language ?? ''}
        disabled={disabled}
        choices={[{ value: '', label: t('macros.language_all') }, ...languageChoices]}
        onValue={(value: Language | '') => editMacro({ language: value === '' ? null : value })}
      />
      <Select
        label={t('macros.section')}
        value={words.section ?? ''}
        disabled={disabled}
        choices={[
          { value: '', label: t('macros.section_none') },
          ...sections.map((value) => ({ value, label: sectionTitle(shownLanguage(), value) })),
        ]}
        onValue={(value) => editMacro({ section: value === '' ? null : value })}
      />
    </div>
  );
}

function TextOf({ words, disabled }: { words: MacroWords; disabled: boolean }) {
  const area = useRef<HTMLTextAreaElement>(null);
  /** Puts a field where the caret is, and selects it: it is there to be changed. */
  const add = (field: string): void => {
    const element = area.current!;
    const { selectionStart: start, selectionEnd: end } = element;
    element.setRangeText(field, start, end);
    editMacro({ text: element.value });
    element.focus();
    element.setSelectionRange(start + 1, start + field.length - 1);
  };
  return (
    <Field label={t('macros.text')} hint={t('macros.fields_hint')}>
      {({ id, describedBy }) => (
        <>
          <textarea
            ref={area}
            id={id}
            class="input macro-text"
            lang={words.language ?? undefined}
            rows={6}
            spellcheck
            maxLength={longestMacro}
            value={words.text}
            disabled={disabled}
            aria-describedby={describedBy}
            onInput={(event) => editMacro({ text: event.currentTarget.value })}
          />
          <div class="macro-add" role="group" aria-label={t('macros.field_add')}>
            <Button icon="plus" disabled={disabled} onClick={() => add(t('macros.choice_text'))}>
              {t('macros.field_choice')}
            </Button>
            <Button icon="plus" disabled={disabled} onClick={() => add(t('macros.blank_text'))}>
              {t('macros.field_blank')}
            </Button>
          </div>
        </>
      )}
    </Field>
  );
}

function Foot({ draft, isChanged, canSave }: { draft: Draft; isChanged: boolean; canSave: boolean }) {
  const { of, words, error } = draft;
  const duplicate = (): void =>
    startMacro({ ...words, name: t('macros.copy_of', { name: words.name }), owner: 'person' });
  return (
    <footer class="macros-foot macro-foot">
      {error ? (
        <p class="document-saving document-saving-failed" role="alert">
          <Icon name="warn" size={15} />
          <span>{refusalText(error)}</span>
        </p>
      ) : (
        <p class="document-saving" role="status">
          {of?.waits
            ? t('macros.saved_waits')
            : isChanged
              ? t('macros.changed')
              : of && t('macros.saved', { n: of.version })}
        </p>
      )}
      {of && draft.theirs === null && (
        <>
          <IconButton icon="copy" label={t('macros.duplicate')} onClick={duplicate} />
          <IconButton
            icon="trash"
            label={t('macros.delete')}
            disabled={of.waits}
            onClick={() => void deleteMacro(of)}
          />
        </>
      )}
      {isChanged && draft.theirs === null && (
        <Button onClick={discardDraft}>{t(of ? 'macros.discard' : 'macros.discard_new')}</Button>
      )}
      {draft.theirs === null && (
        <Button
          kind="primary"
          busy={savedNow.value === openMacro.value}
          disabled={!canSave}
          keyHint={keyName('Mod+Enter')}
          onClick={() => void saveMacro()}
        >
          {t('macros.save')}
        </Button>
      )}
    </footer>
  );
}

function refusalText(error: BridgeError): string {
  if (error.code === 'PAYLOAD_TOO_LARGE') return t('macros.too_many');
  // Why is said above the list, with the way out.
  if (error.code === 'INSUFFICIENT_SCOPE') return t('document.failed');
  return reasonText(error);
}
