/** The versions of a report, and how each differs from the present one. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { RecordVersion } from '../../../../src/contract/record-version.ts';
import { ago } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import type { OpenDocument } from '../../state/report/document.ts';
import { mayChange } from '../../state/report/standing.ts';
import { createLastAsked } from '../../state/time/last-asked.ts';
import { notify, notifyError } from '../../state/notices.ts';
import { now } from '../../state/time/now.ts';
import { Difference } from './difference.tsx';

export function Versions({ document, open, onClose }: { document: OpenDocument; open: boolean; onClose: () => void }) {
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
  const last = useMemo(createLastAsked, []);
  const show = (n: number): void =>
    void last(document.version(n)).then(
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
            {list.map(({ version, at, who, change, open_findings: open = [] }) => (
              <li key={version}>
                <button type="button" aria-pressed={shown?.version === version} onClick={() => show(version)}>
                  <strong>{t('document.version', { n: version })}</strong>
                  <span>
                    {t(`document.change_${change}`)}, {ago(at, now.value)}
                    {who !== null && `, ${who}`}
                    {open.length > 0 && `, ${t('document.signed_over', { n: open.length })}`}
                  </span>
                  {version === present?.version && <em>{t('document.version_now')}</em>}
                </button>
              </li>
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

export function Compared({ before, after }: { before: MedicalRecord; after: MedicalRecord }) {
  const keys = [...new Set([...before.sections, ...after.sections].map(({ key }) => key))];
  const textOf = (record: MedicalRecord, key: string) => record.sections.find((section) => section.key === key);
  const differing = keys.filter((key) => textOf(before, key)?.text !== textOf(after, key)?.text);
  if (differing.length === 0) return <p>{t('document.no_difference')}</p>;
  return (
    <>
      {differing.map((key) => (
        <div key={key}>
          <h3>{textOf(after, key)?.title ?? textOf(before, key)?.title}</h3>
          <Difference before={textOf(before, key)?.text ?? ''} after={textOf(after, key)?.text ?? ''} />
        </div>
      ))}
    </>
  );
}
