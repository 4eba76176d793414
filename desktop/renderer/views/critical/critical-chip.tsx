/** Shows in the top bar how many reports have a critical result that has not been communicated. */
import { useEffect } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { Chip } from '../../parts/chip.tsx';
import { criticalRecords, followCritical } from '../../state/critical.ts';
import { openSheet } from '../../state/route.ts';
import { login } from '../../state/bridge.ts';

export function CriticalChip() {
  useEffect(() => {
    const ended = new AbortController();
    followCritical(ended.signal);
    return () => ended.abort();
  }, [login.value.id]);
  const n = criticalRecords.value.length;
  if (n === 0) return null;
  const text = t('clinical.critical_count', { n });
  return (
    <button type="button" class="top-jobs" aria-label={text} onClick={() => openSheet('critical')}>
      <Chip tone="warn" icon="warn">
        <span class="top-detail">{text}</span>
        <span class="top-short">{n}</span>
      </Chip>
    </button>
  );
}
