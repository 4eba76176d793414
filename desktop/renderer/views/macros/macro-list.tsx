/** The list of autotexts: search, filters, rows. */
import { useMemo, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { owners } from '../../../../src/contract/owned.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { sectionTitle } from '../../../../src/domain/report/section-titles.ts';
import type { KeptMacro } from '../../../bridge/macros.ts';
import { shownLanguage, t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Segmented, Select } from '../../parts/field.tsx';
import { enterRows, ListRow, RowList } from '../../parts/row-list.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { listed, noFilter, sectionsOf } from '../../state/macros/macro-list.ts';
import { drafts, macroFilter, openMacro, startMacro, unsavedMacros } from '../../state/macros/macros.ts';
import { languageChoices } from '../settings/choices.ts';

/** The platform's lists have strings as values; the empty string means no choice. */
const orNull = <V extends string>(value: V | ''): V | null => (value === '' ? null : value);

export function MacroList({ items }: { items: readonly KeptMacro[] }) {
  const filter = macroFilter.value;
  const shown = useMemo(() => listed(items, filter), [items, filter]);
  const list = useRef<HTMLUListElement>(null);
  const narrow = (change: Partial<typeof filter>): void => void (macroFilter.value = { ...filter, ...change });
  return (
    <section class="macros-list" aria-label={t('macros.list')}>
      <div class="macros-tools">
        <SearchField
          label={t('macros.search_label')}
          placeholder={t('macros.search')}
          clear={t('macros.clear_search')}
          value={filter.query}
          onValue={(query) => narrow({ query })}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') {
              event.preventDefault();
              enterRows(list.current);
            }
            if (event.key === 'Enter' && shown[0]) openMacro.value = shown[0].id;
          }}
        />
        <Segmented
          label={t('macros.owner')}
          value={filter.owner ?? ''}
          choices={[
            { value: '', label: t('macros.owner_all') },
            ...owners.map((value) => ({ value, label: t(`macros.owner_${value}`) })),
          ]}
          onValue={(value) => narrow({ owner: orNull(value) })}
        />
        <div class="macros-selects">
          <Select
            label={t('macros.language')}
            labelHidden
            value={filter.language ?? ''}
            choices={[{ value: '', label: t('macros.language_all') }, ...languageChoices]}
            onValue={(value) => narrow({ language: orNull<Language>(value) })}
          />
          <Select
            label={t('macros.section')}
            labelHidden
            value={filter.section ?? ''}
            choices={[
              { value: '', label: t('macros.section_all') },
              ...sectionsOf(items).map((value) => ({ value, label: sectionTitle(shownLanguage(), value) })),
            ]}
            onValue={(value) => narrow({ section: orNull(value) })}
          />
        </div>
      </div>
      <RowList
        list={list}
        items={shown}
        search={filter}
        open={openMacro.value}
        more={(n) => t('macros.more', { n })}
        before={<FreshRows />}
        row={(macro, tab) => (
          <Row {...macro} tab={tab}>
            {macro.waits && <Chip tone="busy">{t('macros.waits')}</Chip>}
            {unsavedMacros.value.has(macro.id) && <Chip tone="warn">{t('macros.unsaved')}</Chip>}
            {macro.owner === 'space' && <Chip>{t('macros.owner_space')}</Chip>}
            {macro.language !== null && <Chip>{macro.language.slice(0, 2).toUpperCase()}</Chip>}
          </Row>
        )}
      />
      {shown.length === 0 && items.length > 0 && (
        <p class="macros-none" role="status">
          {t('macros.no_match')}
          <Button kind="bare" onClick={() => (macroFilter.value = noFilter)}>
            {t('macros.clear_filters')}
          </Button>
        </p>
      )}
      <footer class="macros-foot">
        <span role="status">{t('macros.count', { n: shown.length })}</span>
        <Button icon="plus" onClick={() => startMacro({ owner: filter.owner ?? 'person', language: filter.language })}>
          {t('macros.new')}
        </Button>
      </footer>
    </section>
  );
}

/** Those that are new and not saved yet. */
const FreshRows = () =>
  [...drafts.value]
    .filter(([, { of }]) => of === null)
    .map(([key, { words }]) => (
      <li key={key}>
        <Row name={words.name || t('macros.unnamed')} text={words.text} id={key} tab={0}>
          <Chip tone="warn">{t('macros.unsaved')}</Chip>
        </Row>
      </li>
    ));

/** What fits into one line of the list. */
const lineLength = 120;

function Row({
  id,
  name,
  text,
  section,
  tab,
  children,
}: {
  id: string;
  name: string;
  text: string;
  section?: string | null;
  tab: number;
  children: ComponentChildren;
}) {
  const where = section ? `${sectionTitle(shownLanguage(), section)}: ` : '';
  return (
    <ListRow
      name={name}
      line={`${where}${text.slice(0, lineLength)}`}
      isOpen={id === openMacro.value}
      tab={tab}
      onOpen={() => (openMacro.value = id)}
    >
      {children}
    </ListRow>
  );
}
