/** The filters and order of the list, and saved lists. */
import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { t } from '../../i18n/index.ts';
import { dayFilters, sortings, statusFilters } from '../../../bridge/list-settings.ts';
import type { SavedList } from '../../../bridge/list-settings.ts';
import { listSettings, openFirst, removeList, findSavedList, saveList } from '../../state/worklist/saved-lists.ts';
import { clearFilters, facets, filters, isNarrowed, setFilters } from '../../state/worklist/worklist.ts';

/** Number of filters that differ from the default. */
export function filtersSet(): number {
  const { modality, hospital, subspecialty, status, day, starred, sort } = filters.value;
  const lists = [modality, hospital, subspecialty, status, day].filter((values) => values.length > 0);
  return lists.length + (starred ? 1 : 0) + (sort === 'usual' ? 0 : 1);
}

export function FilterPanel() {
  const { modality, hospital, subspecialty, status, day, starred, sort } = filters.value;
  const found = facets.value;
  return (
    <div class="filters">
      <Choices
        label={t('worklist.status')}
        values={statusFilters}
        chosen={status}
        nameOf={(value) => t(`worklist.status_${value}`)}
        onChosen={(values) => setFilters({ status: values })}
      />
      <Choices
        label={t('worklist.day')}
        values={dayFilters}
        chosen={day}
        nameOf={(value) => t(`worklist.day_${value}`)}
        onChosen={(values) => setFilters({ day: values })}
      />
      <Choices
        label={t('worklist.modality')}
        values={found.modality}
        chosen={modality}
        nameOf={(value) => value}
        onChosen={(values) => setFilters({ modality: values })}
      />
      <Choices
        label={t('worklist.subspecialty')}
        values={found.subspecialty}
        chosen={subspecialty}
        nameOf={(value) => t(`worklist.sub_${value}`)}
        onChosen={(values) => setFilters({ subspecialty: values })}
      />
      <Choices
        label={t('worklist.hospital')}
        values={found.hospital}
        chosen={hospital}
        nameOf={(value) => (value === '' ? t('worklist.no_hospital') : value)}
        onChosen={(values) => setFilters({ hospital: values })}
      />
      <div class="filter-chips">
        <Toggle on={starred} label={t('worklist.only_starred')} onToggle={() => setFilters({ starred: !starred })} />
      </div>
      <Select
        label={t('worklist.sort')}
        value={sort}
        choices={sortings.map((value) => ({ value, label: t(`worklist.sort_${value}`) }))}
        onValue={(value) => setFilters({ sort: value })}
      />
      <SaveList />
      {isNarrowed.value && (
        <Button kind="bare" onClick={clearFilters}>
          {t('worklist.clear_filters')}
        </Button>
      )}
    </div>
  );
}

/** Any of several values; none chosen: all. */
function Choices<V extends string>({
  label,
  values,
  chosen,
  nameOf,
  onChosen,
}: {
  label: string;
  values: readonly V[];
  chosen: readonly V[];
  nameOf: (value: V) => string;
  onChosen: (values: V[]) => void;
}) {
  // A chosen value that no exam has any more can still be removed.
  const shown = [...values, ...chosen.filter((value) => !values.includes(value))];
  if (shown.length < 2 && chosen.length === 0) return null;
  return (
    <fieldset class="filter-group">
      <legend>{label}</legend>
      <div class="filter-chips">
        {shown.map((value) => {
          const on = chosen.includes(value);
          const others = chosen.filter((each) => each !== value);
          return (
            <Toggle
              key={value}
              on={on}
              label={nameOf(value)}
              onToggle={() => onChosen(on ? others : [...others, value])}
            />
          );
        })}
      </div>
    </fieldset>
  );
}

function Toggle({ on, label, onToggle }: { on: boolean; label: string; onToggle: () => void }) {
  return (
    <button type="button" class="filter-chip" aria-pressed={on} onClick={onToggle}>
      {on && <Icon name="check" size={12} />}
      <span>{label}</span>
    </button>
  );
}

/** Saves the current list under a name. For a saved list, sets when it opens, or deletes it. */
function SaveList() {
  const name = useSignal('');
  const kept = findSavedList(filters.value);
  if (kept) return <SavedListOptions list={kept} />;
  const save = (): void => {
    if (name.value.trim() !== '' && saveList(name.value.trim(), filters.value)) name.value = '';
  };
  return (
    <div class="keep-list">
      <TextField
        label={t('worklist.list_name')}
        value={name.value}
        maxLength={60}
        onValue={(value) => (name.value = value)}
        onKeyDown={(event) => event.key === 'Enter' && save()}
      />
      <Button disabled={name.value.trim() === ''} onClick={save}>
        {t('worklist.keep_list')}
      </Button>
    </div>
  );
}

function SavedListOptions({ list: { id, name } }: { list: SavedList }) {
  const isFirst = listSettings.value.first === id;
  return (
    <fieldset class="filter-group">
      <legend>{t('worklist.kept_list', { name })}</legend>
      <div class="filter-chips">
        <Toggle on={isFirst} label={t('worklist.opens_first')} onToggle={() => openFirst(isFirst ? null : id)} />
        <button type="button" class="filter-chip" onClick={() => removeList(id)}>
          <Icon name="trash" size={12} />
          <span>{t('worklist.remove_list')}</span>
        </button>
      </div>
    </fieldset>
  );
}
