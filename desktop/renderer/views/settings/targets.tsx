/** How soon the exams of a hospital need their report: the targets of the clocks in the list. */
import { useSignal } from '@preact/signals';
import { priorityTerms } from '../../../../src/contract/priority.ts';
import type { PriorityTerm } from '../../../../src/contract/priority.ts';
import type { Target } from '../../../../src/domain/turnaround.ts';
import { minutesIn, timeWords, defaultTargets } from '../../../../src/domain/turnaround.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { listSettings, setTarget } from '../../state/worklist/saved-lists.ts';
import { facets } from '../../state/worklist/worklist.ts';

/** Represents every hospital without a separate target: no hospital has an empty name. */
const everywhere = '';

export function Targets() {
  const chosen = useSignal(everywhere);
  const { targets } = listSettings.value;
  const named = targets.flatMap(({ hospital }) => hospital ?? []);
  const hospitals = [...new Set([...facets.value.hospital, ...named])].filter((name) => name !== everywhere);
  const hospital = chosen.value === everywhere ? null : chosen.value;
  const own = targets.filter((target) => target.hospital === hospital);
  return (
    <>
      <p class="field-note">{t('settings.targets_lead')}</p>
      <Select
        label={t('worklist.hospital')}
        value={chosen.value}
        choices={[
          { value: everywhere, label: t('settings.targets_everywhere') },
          ...hospitals.map((name) => ({ value: name, label: name })),
        ]}
        onValue={(value) => (chosen.value = value)}
      />
      <div class="targets" key={chosen.value}>
        {priorityTerms.map((priority) => (
          <TargetField key={priority} {...{ priority, hospital, targets }} />
        ))}
      </div>
      {own.length > 0 && (
        <Button
          icon="undo"
          onClick={() => {
            for (const { priority } of own) setTarget({ hospital, priority, minutes: null });
          }}
        >
          {t('settings.targets_usual')}
        </Button>
      )}
    </>
  );
}

/** One target. Input takes effect as soon as it is valid; an empty field follows the other targets. */
function TargetField({
  priority,
  hospital,
  targets,
}: {
  priority: PriorityTerm;
  hospital: string | null;
  targets: readonly Target[];
}) {
  const minutesOf = (at: string | null) =>
    targets.find((target) => target.priority === priority && target.hospital === at)?.minutes;
  const present = minutesOf(hospital);
  const otherwise = (hospital === null ? undefined : minutesOf(null)) ?? defaultTargets[priority];
  /** `undefined`: the field is not being edited. */
  const typed = useSignal<string | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  const type = (value: string): void => {
    typed.value = value;
    const minutes = value.trim() === '' ? null : minutesIn(value);
    if (minutes === undefined) error.value = t('settings.targets_error');
    else error.value = setTarget({ hospital, priority, minutes }) ? undefined : t('settings.targets_full');
  };
  const isStored = typed.value !== undefined && error.value === undefined;
  return (
    <div
      onFocusOut={() => {
        if (isStored) typed.value = undefined;
      }}
    >
      <TextField
        label={t(`settings.targets_${priority}`)}
        error={error.value}
        value={typed.value ?? (present === undefined ? '' : timeWords(present))}
        placeholder={timeWords(otherwise)}
        maxLength={40}
        autocomplete="off"
        verbatim
        onValue={type}
      />
    </div>
  );
}
