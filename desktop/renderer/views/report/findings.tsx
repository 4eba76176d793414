/**
 * Below a section: the number of notes at its words, with a link to the first; findings without a position; and
 * dismissed findings.
 */
import type { MedicalRecord, Section } from '../../../../src/contract/document.ts';
import type { Finding } from '../../../../src/contract/finding.ts';
import { shownLanguage, t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import type { ReadyReport } from '../../state/report/document.ts';
import type { Listening } from '../../state/report/listening.ts';
import { notifyError } from '../../state/notices.ts';
import { mayChange } from '../../state/report/report-rights.ts';
import { startAddendum } from '../../state/report/writing.ts';
import { role } from '../../state/session.ts';
import { countNotes, hasWords, dropDuplicates, wordNotes } from '../../state/report/word-notes.ts';
import { showWords } from './keyboard-navigation.ts';
import { elementAt } from '../../../../src/domain/elements.ts';

export function Findings({
  document,
  findings,
  section,
}: {
  document: ReadyReport;
  findings: readonly Finding[];
  /** Absent: the report has no such section. */
  section?: Section;
}) {
  const record = document.record.value;
  const listening = document.listening.value;
  // It came after the signature.
  const isFinal = record.status === 'final';
  // A read-only report has no marks for notes.
  const sections = section && mayChange(record) ? [section] : [];
  const notes = wordNotes(findings, [], sections);
  const apart = findings.filter((finding) => !hasWords(finding, sections));
  return (
    <>
      {section && notes[0] && (
        <NoteCount {...countNotes(notes)} onShow={() => showWords(section, elementAt(notes, 0))} />
      )}
      {dropDuplicates(apart.filter(({ status }) => status === 'open')).map((finding) => (
        <div
          class="document-warning"
          key={finding.id}
          role={isFinal ? 'alert' : undefined}
          data-severity={finding.severity}
          lang={record.language}
        >
          <Icon name="warn" />
          <span>
            {finding.message} {isFinal && <span lang={shownLanguage()}>{t('document.finding_late')}</span>}
          </span>
          <span class="document-warning-ways">
            <PlayFinding listening={listening} finding={finding} />
            {isFinal ? <AddToSigned record={record} /> : <DismissFinding document={document} finding={finding} />}
          </span>
        </div>
      ))}
      {apart
        .filter(({ status }) => status === 'dismissed')
        .map((finding) => (
          <p class="document-dismissed" key={finding.id}>
            <Icon name="check" size={15} />
            <span>
              <span lang={record.language}>{finding.message}</span>{' '}
              {t('document.finding_dismissed', { who: finding.by ?? '' })}
            </span>
            <Button kind="bare" onClick={() => decide(document, finding, 'open')}>
              {t('document.finding_open')}
            </Button>
          </p>
        ))}
    </>
  );
}

/** The way to say something else in a signed report. */
function AddToSigned({ record: { worklist_item_id: itemId, signing } }: { record: MedicalRecord }) {
  if (itemId === null || signing !== undefined || role.value === 'resident') return null;
  return (
    <Button kind="bare" icon="edit" onClick={() => startAddendum(itemId)}>
      {t('document.addendum_add')}
    </Button>
  );
}

/** The number of notes in a section. */
function NoteCount({ fields, warnings, onShow }: { fields: number; warnings: number; onShow: () => void }) {
  return (
    <p class="document-noted">
      <Icon name={warnings > 0 ? 'warn' : 'edit'} size={15} />
      <span>
        {warnings > 0 && t('document.notes_warnings', { n: warnings })}{' '}
        {fields > 0 && t('document.notes_fields', { n: fields })}
      </span>
      <Button kind="bare" onClick={onShow}>
        {t('document.notes_first')}
      </Button>
    </p>
  );
}

/** Dismisses a finding, or opens it again. */
export const decide = (document: ReadyReport, { id }: Finding, status: 'dismissed' | 'open'): void =>
  void document.decide(id, status).catch((thrown: unknown) => notifyError(asBridgeError(thrown)));

/** Dismisses a finding; a critical one asks instead to whom it was communicated. */
export function DismissFinding({
  document,
  finding,
  shortcut,
}: {
  document: ReadyReport;
  finding: Finding;
  /** A digit, where keys choose. */
  shortcut?: string | undefined;
}) {
  if (finding.kind === 'critical_not_communicated') return null;
  const key = shortcut === undefined ? {} : { keyHint: shortcut, 'aria-keyshortcuts': shortcut };
  return (
    <Button kind="bare" {...key} onClick={() => decide(document, finding, 'dismissed')}>
      {t('document.finding_dismiss')}
    </Button>
  );
}

/** Plays the audio at the finding, if its time is known. */
export function PlayFinding({ listening, finding }: { listening: Listening | null; finding: Finding }) {
  const second = listening?.secondOf(finding);
  if (!listening || second === undefined) return null;
  return (
    <Button kind="bare" icon="play" onClick={() => listening.hear(second)}>
      {t('document.hear')}
    </Button>
  );
}
