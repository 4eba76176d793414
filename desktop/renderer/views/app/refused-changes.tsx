/** Changes that the service refused: the reason, and the typed words, so that none are lost. */
import { useState } from 'preact/hooks';
import type { RefusedChange } from '../../../bridge/changes.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Banner } from '../../parts/states.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import { notifyError } from '../../state/notices.ts';
import { explainError } from '../../state/explain.ts';
import { dismissRefused, refusedChanges, retryRefused, writtenText } from '../../state/refused.ts';
import { openItem } from '../../state/route.ts';
import { items } from '../../state/worklist/worklist.ts';
import { copyText } from './copy-text.ts';

/** The person's action, by the kind of change. */
const deeds = {
  'worklist.status': 'app.refused_exam',
  'worklist.assign': 'app.refused_exam',
  'record.write': 'app.refused_words',
  'record.save': 'app.refused_words',
  'record.sign': 'app.refused_signature',
  'record.take_back': 'app.refused_take_back',
  'record.send_back': 'app.refused_step',
  'record.reopen': 'app.refused_step',
  'record.addendum': 'app.refused_addendum',
  'record.delete': 'app.refused_removal',
  'macro.create': 'app.refused_macro',
  'macro.update': 'app.refused_macro',
  'macro.delete': 'app.refused_macro',
  'term.create': 'app.refused_term',
  'term.update': 'app.refused_term',
  'term.delete': 'app.refused_term',
} as const satisfies Record<RefusedChange['kind'], string>;

export function RefusedChanges() {
  const [looks, setLooks] = useState(false);
  const [change, ...others] = refusedChanges.value;
  if (change === undefined) return null;
  const text = writtenText(change);
  const exam = change.item_id === null ? undefined : items.value?.get(change.item_id);
  /** The open dialog continues with the next refused change. */
  const settle = (act: (id: string) => Promise<void>) => (): void => {
    if (others.length === 0) setLooks(false);
    act(change.id).catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
  };
  return (
    <>
      <Banner
        tone="warn"
        icon="warn"
        alert
        action={<Button onClick={() => setLooks(true)}>{t('app.refused_look')}</Button>}
      >
        {t('app.refused', { n: others.length + 1 })}
      </Banner>
      <Dialog
        open={looks}
        title={t('app.refused_title')}
        onClose={() => setLooks(false)}
        footer={
          <>
            <Button icon="trash" onClick={settle(dismissRefused)}>
              {t('app.refused_discard')}
            </Button>
            {text !== '' && (
              <Button icon="copy" onClick={() => void copyText(text)}>
                {t('app.refused_copy')}
              </Button>
            )}
            <Button kind="primary" icon="retry" onClick={settle(retryRefused)}>
              {t('app.try_again')}
            </Button>
          </>
        }
      >
        <p>
          <strong>{t(deeds[change.kind])}</strong>
          {exam && `: ${exam.exam_description}, ${exam.display_name}`}
        </p>
        <p>{change.failed ? t('app.refused_failing') : explainError(change).text}</p>
        {text !== '' && <pre class="refused-text">{text}</pre>}
        {exam && (
          <p>
            <Button
              kind="bare"
              icon="document"
              onClick={() => {
                setLooks(false);
                openItem(exam.id);
              }}
            >
              {t('app.refused_open')}
            </Button>
          </p>
        )}
      </Dialog>
    </>
  );
}
