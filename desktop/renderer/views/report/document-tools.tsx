/** Occasional tools for a report: versions, copy, print, export, delete. */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { exportFormats } from '../../../../src/contract/export.ts';
import type { ExportFormat } from '../../../../src/contract/export.ts';
import { files } from '../../../bridge/files.ts';
import { t } from '../../i18n/index.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import type { MenuItem } from '../../parts/menu.tsx';
import { asBridgeError, bridge } from '../../state/bridge.ts';
import { isSigned } from '../../state/report/document-state.ts';
import type { ReadyReport } from '../../state/report/document.ts';
import { notifyError } from '../../state/notices.ts';
import { selectedWords } from '../../state/report/selected-words.ts';
import { onKey } from '../../state/keys.ts';
import { go, openSheet } from '../../state/route.ts';
import { copyText } from '../app/copy-text.ts';
import { Versions } from './versions.tsx';

export function DocumentTools({ document }: { document: ReadyReport }) {
  const [showsVersions, setShowsVersions] = useState(false);
  const [asksToRemove, setAsksToRemove] = useState(false);
  const record = document.record.value;
  useLayoutEffect(() => onKey('to_versions', () => (go({ pane: 'document' }), setShowsVersions(true))), []);
  return (
    <>
      <span class="document-head-space" />
      <IconButton icon="clock" label={t('document.versions')} onClick={() => setShowsVersions(true)} />
      <Menu
        label={t('document.more')}
        button={<Icon name="more" />}
        items={buildMenu(document, record, () => setAsksToRemove(true))}
      />
      <Versions document={document} open={showsVersions} onClose={() => setShowsVersions(false)} />
      <Dialog
        open={asksToRemove}
        size="s"
        title={t('document.remove_title')}
        onClose={() => setAsksToRemove(false)}
        footer={
          <>
            <Button onClick={() => setAsksToRemove(false)}>{t('app.cancel')}</Button>
            <Button
              kind="danger"
              icon="trash"
              onClick={() => {
                setAsksToRemove(false);
                document.remove().catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
              }}
            >
              {t('document.remove')}
            </Button>
          </>
        }
      >
        <p>{t('document.remove_text')}</p>
      </Dialog>
    </>
  );
}

function buildMenu(document: ReadyReport, record: MedicalRecord, remove: () => void): (MenuItem | 'line')[] {
  const others = document.all.value.filter(({ id }) => id !== record.id);
  return [
    { label: t('document.copy'), icon: 'copy', run: () => void copy(record) },
    { label: t('document.print'), icon: 'print', run: () => window.print() },
    ...(isSigned(record)
      ? []
      : [
          {
            label: t(document.showsOrigins.value ? 'document.origins_hide' : 'document.origins_show'),
            icon: 'info' as const,
            run: () => (document.showsOrigins.value = !document.showsOrigins.peek()),
          },
          {
            label: t('document.save_macro'),
            icon: 'template' as const,
            disabled: selectedWords.value === null,
            run: () => void saveAsMacro(record),
          },
          {
            label: t('document.add_term'),
            icon: 'plus' as const,
            disabled: selectedWords.value === null,
            run: () => void addToVocabulary(record),
          },
        ]),
    'line',
    ...(Object.keys(exportFormats) as ExportFormat[]).map((format) => ({
      label: t('document.export', { format: format.toUpperCase() }),
      icon: 'download' as const,
      run: () => download(bridge().address(files.export(record.id, format))),
    })),
    ...(others.length === 0 ? [] : (['line'] as const)),
    ...others.map(({ id, title, version }) => ({
      label: `${title}, ${t('document.version', { n: version })}`,
      icon: 'document' as const,
      run: () => void document.show(id),
    })),
    ...(isSigned(record) || record.status !== 'draft'
      ? []
      : (['line', { label: t('document.remove'), icon: 'trash', danger: true, run: remove }] as const)),
  ];
}

/** Starts an autotext with the words selected in the report. */
async function saveAsMacro({ language }: MedicalRecord): Promise<void> {
  const words = selectedWords.peek();
  if (!words) return;
  try {
    const { macros } = await import('../../state/wordbook/macros.ts');
    macros.start({ ...words, language });
    openSheet('macros');
  } catch (thrown) {
    notifyError(asBridgeError(thrown));
  }
}

/** Starts a vocabulary entry with the words selected in the report. */
async function addToVocabulary({ language }: MedicalRecord): Promise<void> {
  const words = selectedWords.peek();
  if (!words) return;
  try {
    const { startTerm: startHeard } = await import('../../state/wordbook/vocabulary.ts');
    startHeard(words.text, language);
    openSheet('vocabulary');
  } catch (thrown) {
    notifyError(asBridgeError(thrown));
  }
}

async function copy(record: MedicalRecord): Promise<void> {
  const text = record.sections
    .filter((section) => section.text !== '')
    .map((section) => `${section.title}\n${section.text}`);
  await copyText([record.title, ...text].join('\n\n'));
}

function download(address: string): void {
  const link = window.document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
