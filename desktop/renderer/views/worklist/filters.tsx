import { Button } from '../../parts/button.tsx';
import { Select } from '../../parts/field.tsx';
import { t } from '../../i18n/index.ts';
import { clearFilters, facets, filters, isNarrowed, setFilters } from '../../state/worklist/worklist.ts';
import { dayFilters, sortings } from '../../state/worklist/worklist-view.ts';

/** How many filters differ from the usual choice. */
export function filtersSet(): number {
  const { modality, hospital, day, sort } = filters.value;
  return [modality !== null, hospital !== null, day !== 'any', sort !== 'usual'].filter(Boolean).length;
}

/** The platform's lists have strings as values; the empty string means no choice. */
const orNull = (value: string): string | null => (value === '' ? null : value);

export function FilterPanel() {
  const { modality, hospital, day, sort } = filters.value;
  const { modalities, hospitals } = facets.value;
  const named = (values: readonly string[], any: string) => [
    { value: '', label: any },
    ...values.map((value) => ({ value, label: value })),
  ];
  return (
    <div class="filters">
      <Select
        label={t('worklist.modality')}
        value={modality ?? ''}
        choices={named(modalities, t('worklist.any_modality'))}
        onValue={(value) => setFilters({ modality: orNull(value) })}
      />
      <Select
        label={t('worklist.day')}
        value={day}
        choices={dayFilters.map((value) => ({ value, label: t(`worklist.day_${value}`) }))}
        onValue={(value) => setFilters({ day: value })}
      />
      <Select
        label={t('worklist.hospital')}
        value={hospital ?? ''}
        choices={named(hospitals, t('worklist.any_hospital'))}
        onValue={(value) => setFilters({ hospital: orNull(value) })}
      />
      <Select
        label={t('worklist.sort')}
        value={sort}
        choices={sortings.map((value) => ({ value, label: t(`worklist.sort_${value}`) }))}
        onValue={(value) => setFilters({ sort: value })}
      />
      {isNarrowed.value && (
        <Button kind="bare" onClick={clearFilters}>
          {t('worklist.clear_filters')}
        </Button>
      )}
    </div>
  );
}
