/** The list of wordbook entries: search, filters, rows. */
import { useMemo, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { owners } from '../../../../src/contract/wordbook.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { languageChoices, t } from '../../i18n/index.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Segmented, Select } from '../../parts/field.tsx';
import { enterRows, ListRow, RowList } from '../../parts/row-list.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { noFilter } from '../../state/wordbook/entry-list.ts';
import type { WordbookEditor } from '../../state/wordbook/editor.ts';
import { isOnline } from '../../state/session.ts';
import { chooseWordbookFile } from './import-dialog.tsx';
import type { EntryItem, EntryFields, SheetProps } from './entry-kind.ts';

/** Native selects have strings as values; the empty string means no choice. */
export const orNull = <V extends string>(value: V | ''): V | null => (value === '' ? null : value);

export function EntryList<Words extends EntryFields, Kept extends Words & EntryItem>({
  state,
  texts,
  items,
  lineOf,
  filters,
}: SheetProps<Words, Kept> & {
  items: readonly Kept[];
  /** The second line of a row. */
  lineOf: (words: Words) => string;
  /** Filters next to the language. */
  filters?: ComponentChildren;
}) {
  const filter = state.filter.value;
  const shown = useMemo(() => state.listed(items, filter), [items, filter]);
  const list = useRef<HTMLUListElement>(null);
  const narrow = (change: Partial<typeof filter>): void => void (state.filter.value = { ...filter, ...change });
  const unsaved = state.unsaved.value;
  return (
    <section class="wordbook-list" aria-label={t(`${texts}.list`)}>
      <div class="wordbook-tools">
        <SearchField
          label={t(`${texts}.search_label`)}
          placeholder={t(`${texts}.search`)}
          clear={t('owned.clear_search')}
          value={filter.query}
          onValue={(query) => narrow({ query })}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') {
              event.preventDefault();
              enterRows(list.current);
            }
            if (event.key === 'Enter' && shown[0]) state.open.value = shown[0].id;
          }}
        />
        <Segmented
          label={t('owned.owner')}
          value={filter.owner ?? ''}
          choices={[
            { value: '', label: t('owned.owner_all') },
            ...owners.map((value) => ({ value, label: t(`owned.owner_${value}`) })),
          ]}
          onValue={(value) => narrow({ owner: orNull(value) })}
        />
        <div class="wordbook-selects">
          <Select
            label={t('owned.language')}
            labelHidden
            value={filter.language ?? ''}
            choices={[{ value: '', label: t('owned.language_all') }, ...languageChoices]}
            onValue={(value) => narrow({ language: orNull<Language>(value) })}
          />
          {filters}
        </div>
      </div>
      <RowList
        list={list}
        items={shown}
        search={filter}
        open={state.open.value}
        more={(n) => t('owned.more', { n })}
        before={<FreshRows state={state} unnamed={t(`${texts}.unnamed`)} lineOf={lineOf} />}
        row={(item, tab) => (
          <ListRow
            name={state.nameOf(item)}
            line={lineOf(item)}
            isOpen={item.id === state.open.value}
            tab={tab}
            onOpen={() => (state.open.value = item.id)}
          >
            {item.waits && <Chip tone="busy">{t('owned.waits')}</Chip>}
            {unsaved.has(item.id) && <Chip tone="warn">{t('owned.unsaved')}</Chip>}
            {item.owner === 'space' && <Chip>{t('owned.owner_space')}</Chip>}
            {item.language !== null && <Chip>{item.language.slice(0, 2).toUpperCase()}</Chip>}
          </ListRow>
        )}
      />
      {shown.length === 0 && items.length > 0 && (
        <p class="wordbook-none" role="status">
          {t(`${texts}.no_match`)}
          <Button kind="bare" onClick={() => (state.filter.value = noFilter)}>
            {t('owned.clear_filters')}
          </Button>
        </p>
      )}
      <footer class="wordbook-foot">
        <span role="status">{t(`${texts}.count`, { n: shown.length })}</span>
        <IconButton
          icon="upload"
          label={t('owned.import')}
          disabled={!isOnline.value}
          onClick={() => chooseWordbookFile(state)}
        />
        <Button
          icon="plus"
          onClick={() => state.start({ owner: filter.owner ?? 'person', language: filter.language } as Partial<Words>)}
        >
          {t(`${texts}.new`)}
        </Button>
      </footer>
    </section>
  );
}

/** New entries that are not saved yet. */
function FreshRows<Words, Kept>({
  state,
  unnamed,
  lineOf,
}: {
  state: WordbookEditor<Words, Kept>;
  unnamed: string;
  lineOf: (words: Words) => string;
}) {
  return [...state.drafts.value]
    .filter(([, { of }]) => of === null)
    .map(([key, { words }]) => (
      <li key={key}>
        <ListRow
          name={state.nameOf(words) || unnamed}
          line={lineOf(words)}
          isOpen={key === state.open.value}
          tab={0}
          onOpen={() => (state.open.value = key)}
        >
          <Chip tone="warn">{t('owned.unsaved')}</Chip>
        </ListRow>
      </li>
    ));
}
