/** The versions of a report, with related saves grouped into steps, and their differences from the current one. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { RecordVersion } from '../../../../src/contract/record-version.ts';
import { ago } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import type { OpenReport } from '../../state/report/document.ts';
import { mayChange } from '../../state/report/report-rights.ts';
import { findChanges, groupVersions } from '../../state/report/version-groups.ts';
import type { SectionChanges, VersionGroup } from '../../state/report/version-groups.ts';
import { createLatestRequest } from '../../state/time/latest-request.ts';
import { notify, notifyError } from '../../state/notices.ts';
import { now } from '../../state/time/now.ts';
import { Difference } from './difference.tsx';

export function Versions({ document, open, onClose }: { document: OpenReport; open: boolean; onClose: () => void }) {
  const [list, setList] = useState<readonly RecordVersion[] | null>(null);
  const [shown, setShown] = useState<MedicalRecord | null>(null);
  useEffect(() => {
    if (!open) return;
    setShown(null);
    document.versions().then(setList, (error: unknown) => {
      notifyError(asBridgeError(error));
      onClose();
    });
  }, [open]);
  /** A version never changes, so each is read once while the dialog is open. */
  const read = useMemo(() => {
    const asked = new Map<number, Promise<MedicalRecord>>();
    return (n: number): Promise<MedicalRecord> => {
      const known = asked.get(n) ?? document.version(n);
      asked.set(n, known);
      return known;
    };
  }, [document, open]);
  const last = useMemo(createLatestRequest, []);
  const show = (n: number): void =>
    void last(read(n)).then(
      (version) => version && setShown(version),
      (error: unknown) => notifyError(asBridgeError(error)),
    );
  const restore = async (version: MedicalRecord): Promise<void> => {
    onClose();
    await document.restore(version);
    if (document.error.peek() === null) notify({ tone: 'done', text: t('document.restored', { n: version.version }) });
  };
  const present = document.record.value;
  return (
    <Dialog open={open} size="l" title={t('document.versions')} onClose={onClose}>
      {list === null ? (
        <Skeleton rows={3} label={t('app.loading')} />
      ) : (
        <div class="document-versions">
          <ol>
            {groupVersions(list).map((group) => (
              <Step
                key={group.versions[0].version}
                group={group}
                present={present?.version ?? null}
                shown={shown?.version ?? null}
                read={read}
                onShow={show}
              />
            ))}
          </ol>
          {shown !== null && present !== null && (
            <div class="document-compared">
              <p>{t('document.compared')}</p>
              <Compared before={shown} after={present} />
              {mayChange(present) && shown.version !== present.version && (
                <Button icon="undo" onClick={() => void restore(shown)}>
                  {t('document.restore')}
                </Button>
              )}
            </div>
          )}
        </div>
      )}
    </Dialog>
  );
}

interface StepProps {
  readonly group: VersionGroup;
  /** Number of the current version. */
  readonly present: number | null;
  /** Number of the version on the screen. */
  readonly shown: number | null;
  readonly read: (version: number) => Promise<MedicalRecord>;
  readonly onShow: (version: number) => void;
}

/** The saves of one person in one session: who, when, and how many words changed in which sections. */
function Step({ group: { versions }, ...rest }: StepProps) {
  const [showsEach, setShowsEach] = useState(false);
  const [newest] = versions;
  const oldest = versions.at(-1) ?? newest;
  const several = versions.length > 1;
  return (
    <li>
      <Version {...rest} version={newest} since={oldest.version - 1}>
        {several && `, ${t('versions.steps', { n: versions.length })}`}
      </Version>
      {several && (
        <details onToggle={(event) => setShowsEach(event.currentTarget.open)}>
          <summary>{t('versions.show_each')}</summary>
          {showsEach && (
            <ol>
              {versions.map((version) => (
                <li key={version.version}>
                  <Version {...rest} version={version} since={version.version - 1} />
                </li>
              ))}
            </ol>
          )}
        </details>
      )}
    </li>
  );
}

interface VersionProps extends Omit<StepProps, 'group'> {
  readonly version: RecordVersion;
  /** The version before the step. */
  readonly since: number;
  readonly children?: ComponentChildren;
}

function Version({ version, since, present, shown, read, onShow, children }: VersionProps) {
  const { version: n, at, who, change, open_findings: open = [] } = version;
  return (
    <button type="button" aria-pressed={shown === n} onClick={() => onShow(n)}>
      <strong>{t('document.version', { n })}</strong>
      <span>
        {t(`document.change_${change}`)}, {ago(at, now.value)}
        {who !== null && `, ${who}`}
        {open.length > 0 && `, ${t('document.signed_over', { n: open.length })}`}
        {children}
      </span>
      {since > 0 && <Changed read={read} since={since} version={n} />}
      {n === present && <em>{t('document.version_now')}</em>}
    </button>
  );
}

/** Read when shown: versions are listed without their text. */
function Changed({ read, since, version }: Pick<StepProps, 'read'> & { since: number; version: number }) {
  const [changes, setChanges] = useState<readonly SectionChanges[] | null>(null);
  useEffect(() => {
    let isOver = false;
    Promise.all([read(since), read(version)]).then(
      ([before, after]) => isOver || setChanges(findChanges(before, after)),
      // The list is useful without it.
      () => undefined,
    );
    return () => void (isOver = true);
  }, [read, since, version]);
  if (changes === null) return null;
  const words = changes.map(({ heading, added, removed }) =>
    t('versions.words', { section: heading === '' ? t('versions.title_of_report') : heading, added, removed }),
  );
  return <span>{words.length === 0 ? t('versions.unchanged') : words.join(', ')}</span>;
}

export function Compared({ before, after }: { before: MedicalRecord; after: MedicalRecord }) {
  const keys = [...new Set([...before.sections, ...after.sections].map(({ key }) => key))];
  const findSection = (record: MedicalRecord, key: string) => record.sections.find((section) => section.key === key);
  const differing = keys.filter((key) => findSection(before, key)?.text !== findSection(after, key)?.text);
  if (differing.length === 0) return <p>{t('document.no_difference')}</p>;
  return (
    <>
      {differing.map((key) => (
        <div key={key}>
          <h3>{findSection(after, key)?.title ?? findSection(before, key)?.title}</h3>
          <Difference before={findSection(before, key)?.text ?? ''} after={findSection(after, key)?.text ?? ''} />
        </div>
      ))}
    </>
  );
}
