/** What to look at in a section, each with a way to its words and a way to let them stand; a field is filled in instead. */
import type { Section } from '../../../../src/contract/document.ts';
import type { Finding } from '../../../../src/contract/finding.ts';
import { fieldsIn } from '../../../../src/domain/report/macros.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import type { OpenDocument } from '../../state/report/document.ts';
import type { Listening } from '../../state/report/listening.ts';
import { openFields } from '../../state/report/marks.ts';
import { notifyError } from '../../state/notices.ts';

export function Findings({
  document,
  findings,
  section,
  onShow,
}: {
  document: OpenDocument;
  findings: readonly Finding[];
  /** Absent, as the way to its words: the report has no such section. */
  section?: Section;
  onShow?: (finding: Finding) => void;
}) {
  const { language } = document.record.value!;
  const decide = ({ id }: Finding, status: 'dismissed' | 'open'): void =>
    void document.decide(id, status).catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
  const fields = openFields(findings);
  const listening = document.listening.value;
  const decided = findings.filter((finding) => !fields.includes(finding));
  return (
    <>
      {section &&
        onceEach(fields).map((finding) => (
          <OpenField key={finding.id} document={document} section={section} finding={finding} onShow={onShow} />
        ))}
      {onceEach(decided.filter(({ status }) => status === 'open')).map((finding) => (
        <div class="document-warning" key={finding.id} data-severity={finding.severity} lang={language}>
          <Icon name="warn" />
          <span>{finding.message}</span>
          <span class="document-warning-ways">
            {onShow && finding.end > finding.start && (
              <Button kind="bare" onClick={() => onShow(finding)}>
                {t('document.finding_show')}
              </Button>
            )}
            <HearIt listening={listening} finding={finding} />
            {finding.kind !== 'critical_not_communicated' && (
              <Button kind="bare" onClick={() => decide(finding, 'dismissed')}>
                {t('document.finding_dismiss')}
              </Button>
            )}
          </span>
        </div>
      ))}
      {decided
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

/** The way to the second of the sound, where that is known. */
function HearIt({ listening, finding }: { listening: Listening | null; finding: Finding }) {
  const second = listening?.secondOf(finding);
  if (!listening || second === undefined) return null;
  return (
    <Button kind="bare" icon="play" onClick={() => listening.hear(second)}>
      {t('document.hear')}
    </Button>
  );
}

/** A field that nobody has filled in: a choice by one press, a blank by typing over it. */
function OpenField({
  document,
  section: { key, text },
  finding,
  onShow,
}: {
  document: OpenDocument;
  section: Section;
  finding: Finding;
  onShow: ((finding: Finding) => void) | undefined;
}) {
  const { start, end, message } = finding;
  // While the checks are under way the words may have moved: only what is a field there is replaced.
  const field = fieldsIn(text).find((each) => each.start === start && each.end === end);
  const choices = (field?.choices ?? []).filter((choice) => choice !== '');
  const fill = (choice: string): void => document.setText(key, `${text.slice(0, start)}${choice}${text.slice(end)}`);
  return (
    <div class="document-warning document-open-field" lang={document.record.value?.language}>
      <Icon name="edit" />
      <span>{message}</span>
      <span class="document-warning-ways">
        {choices.map((choice) => (
          <Button key={choice} onClick={() => fill(choice)}>
            {choice}
          </Button>
        ))}
        <Button kind="bare" onClick={() => onShow?.(finding)}>
          {t('document.field_show')}
        </Button>
      </span>
    </div>
  );
}

/** What would be said again in the same words, of the same words, is said once. */
function onceEach(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(
    ({ message, start }, at) =>
      findings.findIndex((other) => other.message === message && other.start === start) === at,
  );
}
