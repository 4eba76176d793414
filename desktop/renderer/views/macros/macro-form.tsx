/** The form of one autotext: its text, its options, and conflicts with others. */
import { maxMacroCharacters } from '../../../../src/contract/macro.ts';
import { sectionKinds } from '../../../../src/reporting/sections/section-kinds.ts';
import { sectionTitle } from '../../../../src/reporting/sections/section-titles.ts';
import type { KeptMacro, MacroWords } from '../../../bridge/macros.ts';
import { shownLanguage, t } from '../../i18n/index.ts';
import { Select, TextField } from '../../parts/field.tsx';
import type { Draft } from '../../state/wordbook/drafts.ts';
import { macros, findNamesake, sectionsOf, spokenWords } from '../../state/wordbook/macros.ts';
import { EntryOptions, EntryForm, Rival } from '../wordbook/entry-form.tsx';
import { MacroPreview } from './macro-preview.tsx';
import { TextWithFields } from './text-with-fields.tsx';

export function MacroForm({ items, draft }: { items: readonly KeptMacro[]; draft: Draft<MacroWords, KeptMacro> }) {
  const { words, of } = draft;
  const rival = macros.rivalOf(words, of?.id ?? null, items);
  const disabled = of?.waits === true;
  return (
    <EntryForm
      state={macros}
      texts="macros"
      draft={draft}
      textOf={({ text }) => text}
      canSave={!rival && spokenWords(words.name) > 0 && words.text.trim() !== ''}
      onDuplicate={() => macros.start({ ...words, name: t('macros.copy_of', { name: words.name }), owner: 'person' })}
    >
      <TextField
        label={t('macros.name')}
        hint={nameHint(words, items)}
        error={rival && t('macros.name_taken', { name: rival.name })}
        value={words.name}
        maxLength={80}
        autocomplete="off"
        disabled={disabled}
        onValue={(name) => macros.edit({ name })}
      />
      {rival && <Rival state={macros} rival={rival} text={rival.text} />}
      <EntryOptions state={macros} words={words} disabled={disabled}>
        <SectionField words={words} items={items} disabled={disabled} />
      </EntryOptions>
      <TextWithFields
        label={t('macros.text')}
        hint={t('macros.fields_hint')}
        value={words.text}
        language={words.language ?? undefined}
        maxLength={maxMacroCharacters}
        disabled={disabled}
        onValue={(text) => macros.edit({ text })}
      />
      <MacroPreview words={words} />
    </EntryForm>
  );
}

function nameHint(words: MacroWords, items: readonly KeptMacro[]): string {
  const namesake = findNamesake(words, items);
  if (namesake) return t(words.owner === 'person' ? 'macros.name_namesake_mine' : 'macros.name_namesake_theirs');
  return spokenWords(words.name) === 1 ? t('macros.name_one', { name: words.name.trim() }) : t('macros.name_hint');
}

function SectionField({
  words,
  items,
  disabled,
}: {
  words: MacroWords;
  items: readonly KeptMacro[];
  disabled: boolean;
}) {
  const sections = [...new Set([...sectionKinds.map(({ key }) => key), ...sectionsOf(items)])];
  return (
    <Select
      label={t('macros.section')}
      value={words.section ?? ''}
      disabled={disabled}
      choices={[
        { value: '', label: t('macros.section_none') },
        ...sections.map((value) => ({ value, label: sectionTitle(shownLanguage(), value) })),
      ]}
      onValue={(value) => macros.edit({ section: value === '' ? null : value })}
    />
  );
}
