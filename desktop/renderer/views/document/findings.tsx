/** What to look at in a section, each with a way to its words and a way to let them stand. */
import type { Finding } from '../../../../src/contract/finding.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import type { OpenDocument } from '../../state/report/document.ts';
import { notifyError } from '../../state/notices.ts';

export function Findings({
  document,
  findings,
  onShow,
}: {
  document: OpenDocument;
  findings: readonly Finding[];
  /** Absent: there are no words to show. */
  onShow?: (finding: Finding) => void;
}) {
  const { language } = document.record.value!;
  const decide = ({ id }: Finding, status: 'dismissed' | 'open'): void =>
    void document.decide(id, status).catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
  return (
    <>
      {onceEach(findings.filter(({ status }) => status === 'open')).map((finding) => (
        <div class="document-warning" key={finding.id} data-severity={finding.severity} lang={language}>
          <Icon name="warn" />
          <span>{finding.message}</span>
          <span class="document-warning-ways">
            {onShow && finding.end > finding.start && (
              <Button kind="bare" onClick={() => onShow(finding)}>
                {t('document.finding_show')}
              </Button>
            )}
            <Button kind="bare" onClick={() => decide(finding, 'dismissed')}>
              {t('document.finding_dismiss')}
            </Button>
          </span>
        </div>
      ))}
      {findings
        .filter(({ status }) => status === 'dismissed')
        .map((finding) => (
          <p class="document-dismissed" key={finding.id}>
            <Icon name="check" size={15} />
            <span>
              <span lang={language}>{finding.message}</span>{' '}
              {t('document.finding_dismissed', { who: finding.by ?? '' })}
            </span>
            <Button kind="bare" onClick={() => decide(finding, 'open')}>
              {t('document.finding_open')}
            </Button>
          </p>
        ))}
    </>
  );
}

/** What would be said again in the same words, of the same words, is said once. */
function onceEach(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(
    ({ message, start }, at) =>
      findings.findIndex((other) => other.message === message && other.start === start) === at,
  );
}
