/** The list of autotexts: search, filters, rows. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { owners } from '../../../../src/contract/owned.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { sectionTitle } from '../../../../src/domain/report/section-titles.ts';
import type { KeptMacro } from '../../../bridge/macros.ts';
import { shownLanguage, t } from '../../i18n/index.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Segmented, Select } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { listed, noFilter, sectionsOf } from '../../state/macros/macro-list.ts';
import { drafts, macroFilter, openMacro, startMacro, unsavedMacros } from '../../state/macros/macros.ts';
import { languageChoices } from '../settings/choices.ts';

/** The platform's lists have strings as values; the empty string means no choice. */
const orNull = <V extends string>(value: V | ''): V | null => (value === '' ? null : value);

/** Rows that are drawn at once: whoever has more of them searches. */
const mostRows = 150;

export function MacroList({ items }: { items: readonly KeptMacro[] }) {
  const filter = macroFilter.value;
  const shown = useMemo(() => listed(items, filter), [items, filter]);
  const drawn = useSignal({ filter, most: mostRows });
  // The open one is among those that are drawn.
  const openAt = shown.findIndex(({ id }) => id === openMacro.value);
  const most = Math.max(openAt + 1, drawn.value.filter === filter ? drawn.value.most : mostRows);
  const list = useRef<HTMLUListElement>(null);
  const rows = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>('.macro-row') ?? [])];
  const narrow = (change: Partial<typeof filter>): void => void (macroFilter.value = { ...filter, ...change });

  /** Arrow keys go from row to row, as in every list. */
  const move = (event: KeyboardEvent): void => {
    const all = rows();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[Math.min(Math.max(to, 0), all.length - 1)]?.focus();
  };
  const open = openMacro.value;
  useEffect(() => {
    list.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' });
  }, [open, items]);
  const first = shown.some(({ id }) => id === open) ? open : (shown[0]?.id ?? null);
  return (
    <section class="macros-list" aria-label={t('macros.list')}>
      <div class="macros-tools">
        <div class="search" role="search">
          <Icon name="search" size={16} />
          <input
            type="search"
            aria-label={t('macros.search_label')}
            placeholder={t('macros.search')}
            value={filter.query}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => narrow({ query: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key === 'ArrowDown') {
                event.preventDefault();
                rows()[0]?.focus();
              }
              if (event.key === 'Enter' && shown[0]) openMacro.value = shown[0].id;
            }}
          />
          {filter.query !== '' && (
            <IconButton icon="close" label={t('macros.clear_search')} onClick={() => narrow({ query: '' })} />
          )}
        </div>
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
      <ul ref={list} class="macros-rows" onKeyDown={move}>
        <FreshRows />
        {shown.slice(0, most).map((macro) => (
          <li key={macro.id}>
            <Row {...macro} tab={macro.id === first ? 0 : -1}>
              {macro.waits && <Chip tone="busy">{t('macros.waits')}</Chip>}
              {unsavedMacros.value.has(macro.id) && <Chip tone="warn">{t('macros.unsaved')}</Chip>}
              {macro.owner === 'space' && <Chip>{t('macros.owner_space')}</Chip>}
              {macro.language !== null && <Chip>{macro.language.slice(0, 2).toUpperCase()}</Chip>}
            </Row>
          </li>
        ))}
        {shown.length > most && (
          <li>
            <Button kind="bare" wide onClick={() => (drawn.value = { filter, most: shown.length })}>
              {t('macros.more', { n: shown.length - most })}
            </Button>
          </li>
        )}
      </ul>
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
    <button
      type="button"
      class="macro-row"
      tabIndex={tab}
      aria-current={id === openMacro.value}
      onClick={() => (openMacro.value = id)}
    >
      <strong>{name}</strong>
      <span class="macro-facts">{children}</span>
      <span class="macro-line">{`${where}${text.slice(0, lineLength)}`}</span>
    </button>
  );
}
