/** The vocabulary of the wordbook. */
import type { KeptTerm, TermWords } from '../../../bridge/vocabulary.ts';
import { t } from '../../i18n/index.ts';
import { Field, TextField } from '../../parts/field.tsx';
import type { Draft } from '../../state/wordbook/drafts.ts';
import { vocabulary } from '../../state/wordbook/vocabulary.ts';
import { EntryOptions, EntryForm, Rival } from '../wordbook/entry-form.tsx';
import { EntryList } from '../wordbook/entry-list.tsx';
import { WordbookSheet } from '../wordbook/wordbook-sheet.tsx';

const sheet = { state: vocabulary, texts: 'vocabulary' } as const;

export const Vocabulary = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <WordbookSheet
    {...sheet}
    open={open}
    onClose={onClose}
    list={(items) => <EntryList {...sheet} items={items} lineOf={({ for: forms }) => forms.join(' · ')} />}
    form={(items, draft) => <TermForm key={vocabulary.open.value} items={items} draft={draft} />}
  />
);

function TermForm({ items, draft }: { items: readonly KeptTerm[]; draft: Draft<TermWords, KeptTerm> }) {
  const { words, of } = draft;
  const rival = vocabulary.rivalOf(words, of?.id ?? null, items);
  const disabled = of?.waits === true;
  return (
    <EntryForm
      {...sheet}
      draft={draft}
      textOf={({ for: forms }) => forms.join('\n')}
      canSave={!rival && words.write.trim() !== ''}
      // A personal copy of a personal word would conflict with it.
      onDuplicate={words.owner === 'space' ? () => vocabulary.start({ ...words, owner: 'person' }) : undefined}
    >
      <TextField
        label={t('vocabulary.write')}
        hint={t('vocabulary.write_hint')}
        error={rival && t('vocabulary.taken', { name: rival.write })}
        value={words.write}
        maxLength={80}
        autocomplete="off"
        verbatim
        disabled={disabled}
        onValue={(write) => vocabulary.edit({ write })}
      />
      {rival && <Rival state={vocabulary} rival={rival} text={[rival.write, ...rival.for].join(' · ')} />}
      <Field label={t('vocabulary.for')} hint={t('vocabulary.for_hint')}>
        {({ id, describedBy }) => (
          <textarea
            id={id}
            class="input term-forms"
            rows={4}
            spellcheck={false}
            value={words.for.join('\n')}
            disabled={disabled}
            aria-describedby={describedBy}
            onInput={({ currentTarget: { value } }) => vocabulary.edit({ for: value === '' ? [] : value.split('\n') })}
          />
        )}
      </Field>
      <EntryOptions state={vocabulary} words={words} disabled={disabled} />
    </EntryForm>
  );
}
