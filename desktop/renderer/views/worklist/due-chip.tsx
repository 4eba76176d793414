/** The urgency of an exam and the time left for its report: a word, a time and a shape, which colour only repeats. */
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { readPriority } from '../../../../src/domain/worklist-order.ts';
import { findTarget, computeTurnaround } from '../../../../src/domain/turnaround.ts';
import { shortTime } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { Icon } from '../../parts/icon.tsx';
import { settings } from '../../state/settings.ts';
import { minute } from '../../state/time/now.ts';

const names = [
  { short: 'worklist.stat_short', long: 'worklist.stat' },
  { short: 'worklist.high_short', long: 'worklist.high' },
] as const;
const kinds = ['stat', 'high', 'plain'] as const;

/** Lateness is counted up to here, in minutes: beyond, only that it is late matters. */
const countedLateness = 7 * 24 * 60;

/**
 * The chip of an exam that waits for its report. It re-renders each minute, without the row and the list around it. `isShort`:
 * without its time, which stays in the title.
 */
export function DueChip({ item, isShort }: { item: WorklistItem; isShort: boolean }) {
  const priority = readPriority(item);
  const target = findTarget(item, settings.value?.list.targets ?? []);
  const { pace, minutes } = computeTurnaround(Date.parse(item.exam_datetime), target, minute.value);
  const hurries = pace === 'near' || pace === 'late';
  const name = priority === 2 ? undefined : names[priority];
  // An exam that is not urgent shows its clock only when it needs attention.
  if (name === undefined && !hurries) return null;
  const isLate = pace === 'late';
  const counted = shortTime(isLate ? Math.min(minutes, countedLateness) : minutes);
  const time = isLate && minutes > countedLateness ? `${counted}+` : counted;
  const shown = pace === 'ahead' || isShort ? '' : isLate ? `+${counted}` : counted;
  const seen = [name && t(name.short), shown].filter(Boolean).join(' ');
  const spoken = [
    name && t(name.long),
    pace !== 'ahead' && t(isLate ? 'worklist.late_long' : 'worklist.due_in', { time }),
    t('worklist.target', { time: shortTime(target) }),
  ];
  const words = spoken.filter(Boolean).join(', ');
  return (
    <span class={`due due-${kinds[priority]} due-${pace}`} title={words}>
      {hurries ? (
        <Icon name={isLate ? 'warn' : 'clock'} size={12} />
      ) : (
        priority === 0 && <Icon name="urgent" size={12} />
      )}
      {seen !== '' && <span aria-hidden="true">{seen}</span>}
      <span class="sr-only">{words}</span>
    </span>
  );
}
