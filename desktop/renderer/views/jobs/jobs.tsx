/** The reports being generated: their exams and progress. */
import type { Dictation } from '../../../bridge/dictation.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { IconName } from '../../parts/icon.tsx';
import { Empty, Progress } from '../../parts/states.tsx';
import { ago, duration } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { cancelJob, jobs, retryJob } from '../../state/jobs.ts';
import { now } from '../../state/time/now.ts';
import { go } from '../../state/route.ts';
import { items } from '../../state/worklist/worklist.ts';
import { dictationReason } from '../recorder/reason.ts';
import { waitText } from '../recorder/wait.ts';

export function Jobs({ open, onClose }: { open: boolean; onClose: () => void }) {
  const shown = jobs.value;
  return (
    <Dialog open={open} title={t('app.jobs')} onClose={onClose}>
      {shown.length === 0 ? (
        <Empty icon="document" title={t('jobs.none')}>
          {t('jobs.none_hint')}
        </Empty>
      ) : (
        <ul class="jobs">
          {shown.map((dictation) => (
            <Job key={dictation.id} dictation={dictation} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

type State = 'queued' | 'sending' | 'processing' | 'waiting' | 'done' | 'failed' | 'cancelled';
const icons: Readonly<Record<State, IconName>> = {
  queued: 'clock',
  sending: 'upload',
  processing: 'document',
  waiting: 'clock',
  done: 'check',
  failed: 'warn',
  cancelled: 'close',
};

/** A cancelled job has failed under that name; its audio is kept. */
function getState({ state, error, waiting_for: waiting }: Dictation): State {
  if (state === 'failed' && /CANCELLED$/i.test(error?.code ?? '')) return 'cancelled';
  return state === 'processing' && waiting ? 'waiting' : (state as State);
}

function Job({ dictation }: { dictation: Dictation }) {
  const item = items.value?.get(dictation.item_id);
  const state = getState(dictation);
  const runs = state === 'queued' || state === 'sending' || state === 'processing' || state === 'waiting';
  const title = item?.exam_description ?? t('jobs.unknown_exam');
  return (
    <li class={`job job-${state}`}>
      <span class="job-icon">
        <Icon name={icons[state]} />
      </span>
      <div class="job-text">
        <strong>{title}</strong>
        <span>
          {item?.display_name} {item !== undefined && '· '}
          {duration(dictation.seconds)} · {ago(dictation.created_at, now.value)}
        </span>
        <span class="job-state" role="status">
          {state === 'waiting' ? waitText(dictation) : t(`jobs.${state}`)}
          {state === 'failed' && dictation.error !== null && <> {dictationReason(dictation.error)}</>}
        </span>
        {(state === 'sending' || state === 'processing') && (
          <Progress
            value={dictation.progress > 0 ? dictation.progress : null}
            label={t('jobs.progress', { exam: title })}
          />
        )}
      </div>
      <div class="job-actions">
        {(state === 'failed' || state === 'cancelled') && (
          <Button icon="retry" onClick={() => void retryJob(dictation.id)}>
            {t('app.try_again')}
          </Button>
        )}
        {runs && <Button onClick={() => void cancelJob(dictation.id)}>{t('app.cancel')}</Button>}
        {!runs && (
          <Button
            kind="bare"
            onClick={() => go({ itemId: dictation.item_id, pane: state === 'done' ? 'document' : 'exam', sheet: null })}
          >
            {t('app.open')}
          </Button>
        )}
      </div>
    </li>
  );
}
