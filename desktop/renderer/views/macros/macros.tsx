/** The autotexts of the wordbook. */
import { sectionTitle } from '../../../../src/reporting/sections/section-titles.ts';
import type { MacroWords } from '../../../bridge/macros.ts';
import { shownLanguage, t } from '../../i18n/index.ts';
import { Select } from '../../parts/field.tsx';
import { macros, sectionsOf } from '../../state/wordbook/macros.ts';
import { orNull, EntryList } from '../wordbook/entry-list.tsx';
import { WordbookSheet } from '../wordbook/wordbook-sheet.tsx';
import { MacroForm } from './macro-form.tsx';

const sheet = { state: macros, texts: 'macros' } as const;

/** Maximum length of one line in the list. */
const lineLength = 120;
const lineOf = ({ section, text }: MacroWords): string =>
  `${section === null ? '' : `${sectionTitle(shownLanguage(), section)}: `}${text.slice(0, lineLength)}`;

export const Macros = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <WordbookSheet
    {...sheet}
    open={open}
    onClose={onClose}
    form={(items, draft) => <MacroForm key={macros.open.value} items={items} draft={draft} />}
    list={(items) => (
      <EntryList
        {...sheet}
        items={items}
        lineOf={lineOf}
        filters={
          <Select
            label={t('macros.section')}
            labelHidden
            value={macros.filter.value.section ?? ''}
            choices={[
              { value: '', label: t('macros.section_all') },
              ...sectionsOf(items).map((value) => ({ value, label: sectionTitle(shownLanguage(), value) })),
            ]}
            onValue={(value) => (macros.filter.value = { ...macros.filter.peek(), section: orNull(value) })}
          />
        }
      />
    )}
  />
);
