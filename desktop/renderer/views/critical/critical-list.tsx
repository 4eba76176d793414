/** The critical results that have not been communicated, each with a link to its report. */
import { t } from '../../i18n/index.ts';
import { ago } from '../../i18n/format.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty } from '../../parts/states.tsx';
import { openResults } from '../../../../src/reporting/critical.ts';
import { criticalRecords } from '../../state/critical.ts';
import { go } from '../../state/route.ts';
import { now } from '../../state/time/now.ts';
import { items } from '../../state/worklist/worklist.ts';

export function CriticalList({ open, onClose }: { open: boolean; onClose: () => void }) {
  const records = criticalRecords.value;
  return (
    <Dialog open={open} title={t('clinical.critical_list')} onClose={onClose}>
      {records.length === 0 ? (
        <Empty icon="check" title={t('clinical.critical_list_none')}>
          {t('clinical.critical_list_hint')}
        </Empty>
      ) : (
        <ul class="jobs">
          {records.map((record) => {
            const itemId = record.worklist_item_id;
            const item = itemId === null ? undefined : items.value?.get(itemId);
            const results = openResults(record);
            return (
              <li class="job" key={record.id}>
                <span class="job-icon">
                  <Icon name="warn" />
                </span>
                <div class="job-text">
                  <strong lang={record.language}>{results.map(({ words }) => words).join(', ')}</strong>
                  <span>
                    {item === undefined ? record.title : `${item.display_name} · ${item.exam_description}`}
                    {results[0] && ` · ${ago(results[0].since, now.value)}`}
                  </span>
                </div>
                <div class="job-actions">
                  {itemId !== null && (
                    <Button onClick={() => go({ itemId, pane: 'document', sheet: null })}>{t('app.open')}</Button>
                  )}
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </Dialog>
  );
}
