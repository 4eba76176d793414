/** The list of exams: search, tabs, filters, rows. */
import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button, IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { lazily } from '../../parts/lazily.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Empty, Skeleton } from '../../parts/states.tsx';
import { ago, shortNumber } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { keys, onKey } from '../../state/keys.ts';
import { now } from '../../state/time/now.ts';
import { isOnline, isTestMode, session } from '../../state/session.ts';
import {
  asOf,
  addSampleDay,
  clearFilters,
  cursorId,
  filters,
  isAddingExam,
  isNarrowed,
  isRefreshing,
  isWhole,
  items,
  listView,
  moveCursor,
  openAtCursor,
  refreshWorklist,
  setFilters,
} from '../../state/worklist/worklist.ts';
import { tabs } from '../../../bridge/list-settings.ts';
import { listSettings, findSavedList } from '../../state/worklist/saved-lists.ts';
import { noFilters } from '../../state/worklist/worklist-view.ts';
import { keyName } from '../app/key-name.ts';
import { FilterPanel, filtersSet } from './filters.tsx';
import { chooseFile } from './import.tsx';
import { Rows } from './rows.tsx';

const NewExam = lazily(() => import('./new-exam.tsx').then((module) => module.NewExam));
const addExam = (): void => void (isAddingExam.value = true);

export function Worklist() {
  const list = useRef<HTMLDivElement>(null);
  const filtering = useSignal(false);
  const search = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const endings = [
      onKey('search', () => search.current?.select()),
      onKey('next', () => moveCursor(1)),
      onKey('previous', () => moveCursor(-1)),
      onKey('open', openAtCursor),
    ];
    return () => {
      // The next person begins with a closed form.
      isAddingExam.value = false;
      endings.forEach((end) => end());
    };
  }, []);
  return (
    <>
      <header class="list-head">
        <Head filtering={filtering} />
        <Search
          input={search}
          toList={() => list.current?.focus()}
          // Without results there is no list.
          leave={() => (list.current ?? search.current?.closest<HTMLElement>('.pane'))?.focus()}
        />
        <SavedLists />
        <Tabs />
        {filtering.value && <FilterPanel />}
      </header>
      <Age />
      {isAddingExam.value && <NewExam />}
      <div class="list-body">
        {items.value === undefined ? (
          <Skeleton rows={9} label={t('worklist.loading')} />
        ) : listView.value.items.length === 0 ? (
          <NoRows />
        ) : (
          <Rows element={list} />
        )}
      </div>
    </>
  );
}

function Head({ filtering }: { filtering: Signal<boolean> }) {
  const set = filtersSet();
  return (
    <div class="list-title">
      <h1>{t('worklist.title')}</h1>
      {isWhole.value && <span>{t('worklist.summary', { n: listView.value.counts.open })}</span>}
      <div class="spacer" />
      <button
        type="button"
        class={set > 0 ? 'icon-button icon-button-on' : 'icon-button'}
        aria-expanded={filtering.value}
        aria-label={set > 0 ? t('worklist.filters_on', { n: set }) : t('worklist.filters')}
        title={t('worklist.filters')}
        onClick={() => (filtering.value = !filtering.value)}
      >
        <Icon name="filter" />
        {set > 0 && <span class="badge">{set}</span>}
      </button>
      <Menu
        label={t('worklist.more')}
        button={<Icon name="more" />}
        items={[
          { label: `${t('worklist.new_exam')}…`, icon: 'plus', run: addExam },
          { label: t('worklist.import'), icon: 'upload', run: chooseFile },
          ...(isTestMode.value ? [sampleDayItem()] : []),
          { label: t('worklist.refresh'), icon: 'retry', run: () => void refreshWorklist() },
        ]}
      />
    </div>
  );
}

const sampleDayItem = () =>
  ({ label: t('worklist.sample_day'), icon: 'flask', run: () => void addSampleDay() }) as const;

function Search({
  input,
  toList,
  leave,
}: {
  input: { current: HTMLInputElement | null };
  toList: () => void;
  /** Returns the keys to the page. */
  leave: () => void;
}) {
  const { query } = filters.value;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      setFilters({ query: '' });
      leave();
    } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
      cursorId.value = listView.peek().items[0]?.id ?? null;
      toList();
      if (event.key === 'Enter') openAtCursor();
    } else return;
    event.preventDefault();
  };
  return (
    <SearchField
      input={input}
      label={t('worklist.search_label')}
      placeholder={t('worklist.search')}
      clear={t('worklist.clear_search')}
      value={query}
      onValue={(words) => setFilters({ query: words })}
      onKeyDown={onKeyDown}
    >
      <kbd aria-hidden="true">{keyName(keys.value.search)}</kbd>
    </SearchField>
  );
}

/** The saved lists: one press shows a list, the next press the default list. */
function SavedLists() {
  const { saved } = listSettings.value;
  if (saved.length === 0) return null;
  const shown = findSavedList(filters.value);
  return (
    <div class="filter-chips" role="group" aria-label={t('worklist.saved_lists')}>
      {saved.map((list) => (
        <button
          key={list.id}
          type="button"
          class="filter-chip"
          aria-pressed={shown === list}
          onClick={() => setFilters(shown === list ? noFilters : list.filters)}
        >
          {listSettings.value.first === list.id && <Icon name="star" size={12} />}
          <span>{list.name}</span>
        </button>
      ))}
    </div>
  );
}

function Tabs() {
  const { counts } = listView.value;
  return (
    <div class="tabs" role="group" aria-label={t('worklist.tabs')}>
      {tabs.map((tab) => (
        <button key={tab} type="button" aria-pressed={filters.value.tab === tab} onClick={() => setFilters({ tab })}>
          {t(`worklist.tab_${tab}`)}
          <span>{isWhole.value ? shortNumber(counts[tab]) : ''}</span>
        </button>
      ))}
    </div>
  );
}

/** The age of the list while the service is unreachable. */
function Age() {
  if (isOnline.value || session.value === undefined || items.value === undefined) return null;
  const when = asOf.value;
  return (
    <div class="list-age" role="status">
      <Icon name="offline" size={16} />
      <span>{when === null ? t('worklist.never_read') : t('worklist.as_of', { when: ago(when, now.value) })}</span>
      <IconButton
        icon="retry"
        label={t('worklist.refresh')}
        disabled={isRefreshing.value}
        onClick={() => void refreshWorklist()}
      />
    </div>
  );
}

/** The message depends on why the list is empty. */
function NoRows() {
  const { tab } = filters.value;
  const { counts } = listView.value;
  if (isNarrowed.value)
    return (
      <Empty
        icon="search"
        title={t('worklist.no_match')}
        action={
          <>
            {counts.all > 0 && (
              <Button onClick={() => setFilters({ tab: 'all' })}>{t('worklist.elsewhere', { n: counts.all })}</Button>
            )}
            <Button kind="bare" onClick={clearFilters}>
              {t('worklist.clear_filters')}
            </Button>
          </>
        }
      >
        {t('worklist.no_match_hint')}
      </Empty>
    );
  if (counts.all === 0)
    return (
      <Empty
        icon="list"
        title={t('worklist.empty_day')}
        action={
          <>
            {isTestMode.value && (
              <Button kind="primary" onClick={() => void addSampleDay()}>
                {t('worklist.sample_day')}
              </Button>
            )}
            <Button icon="plus" onClick={addExam}>
              {t('worklist.new_exam')}…
            </Button>
            <Button icon="upload" onClick={chooseFile}>
              {t('worklist.import')}
            </Button>
          </>
        }
      >
        {t('worklist.empty_day_hint')}
      </Empty>
    );
  if (tab === 'mine')
    return (
      <Empty icon="person" title={t('worklist.none_mine')}>
        {t('worklist.none_mine_hint')}
      </Empty>
    );
  if (tab === 'done') return <Empty icon="check" title={t('worklist.none_done')} />;
  return (
    <Empty icon="check" title={t('worklist.all_done')}>
      {t('worklist.all_done_hint')}
    </Empty>
  );
}
