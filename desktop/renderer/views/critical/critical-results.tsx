/** The critical results of the open report: not communicated, communicated, and those that need no communication. */
import type { CriticalResult } from '../../../../src/contract/critical.ts';
import { communicationLine } from '../../../../src/reporting/critical.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import { notifyError } from '../../state/notices.ts';
import type { ReadyReport } from '../../state/report/document.ts';

export function CriticalResults({
  document,
  onAsk,
}: {
  document: ReadyReport;
  onAsk: (asked: 'tell' | 'dismiss', result: CriticalResult) => void;
}) {
  const { critical_results: results = [], language } = document.record.value;
  const open = (id: string): void =>
    void document.decideCritical(id, { status: 'open' }).catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
  return (
    <>
      {results.map((result) => {
        const { id, words, status, communication, dismissal } = result;
        if (status === 'open')
          return (
            <div class="document-warning" key={id} role="status">
              <Icon name="warn" />
              <span>{t('clinical.critical_open', { words })}</span>
              <span class="document-warning-ways">
                <Button icon="person" onClick={() => onAsk('tell', result)}>
                  {t('clinical.critical_tell')}
                </Button>
                <Button kind="bare" onClick={() => onAsk('dismiss', result)}>
                  {t('clinical.critical_dismiss')}
                </Button>
              </span>
            </div>
          );
        return (
          <p class="document-dismissed" key={id}>
            <Icon name="check" size={15} />
            <span lang={communication ? language : undefined}>
              {communication
                ? communicationLine(words, communication, language)
                : t('clinical.critical_dismissed', {
                    words,
                    who: dismissal?.by ?? '',
                    reason: dismissal?.reason ?? '',
                  })}
            </span>
            <Button kind="bare" onClick={() => open(id)}>
              {t(communication ? 'clinical.critical_undo' : 'clinical.critical_again')}
            </Button>
          </p>
        );
      })}
    </>
  );
}
