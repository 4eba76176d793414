/** Changes made offline that the service refused: why, and the written words, so that none are lost. */
import { useState } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Banner } from '../../parts/states.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import { notifyError } from '../../state/notices.ts';
import { errorWords } from '../../state/error-words.ts';
import { dismissRefused, refusedChanges, writtenText } from '../../state/refused.ts';
import { copyText } from './copy-text.ts';

export function RefusedChanges() {
  const [looks, setLooks] = useState(false);
  const [change, ...others] = refusedChanges.value;
  if (change === undefined) return null;
  const text = writtenText(change);
  const dismiss = (): void => {
    setLooks(false);
    dismissRefused(change.id).catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
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
            {text !== '' && (
              <Button icon="copy" onClick={() => void copyText(text)}>
                {t('app.refused_copy')}
              </Button>
            )}
            <Button kind="primary" icon="check" onClick={dismiss}>
              {t('app.refused_seen')}
            </Button>
          </>
        }
      >
        <p>{errorWords(change).text}</p>
        {text !== '' && <pre class="refused-text">{text}</pre>}
      </Dialog>
    </>
  );
}
