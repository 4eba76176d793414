/** Imports worklist files that are dropped on the page or chosen, and shows the result. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { worklistFormats } from '../../../../src/domain/worklist-formats.ts';
import { maxWorklistBytes } from '../../../bridge/worklist-import.ts';
import type { ImportResult } from '../../../bridge/worklist-import.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Banner, Progress } from '../../parts/states.tsx';
import { t } from '../../i18n/index.ts';
import { asBridgeError } from '../../state/bridge.ts';
import { fileErrorWords } from '../../state/file-words.ts';
import { importWorklist } from '../../state/worklist/worklist.ts';
import { ImportAccount } from './import-account.tsx';

type ImportState =
  | { readonly step: 'idle' }
  | { readonly step: 'running'; readonly name: string }
  | { readonly step: 'done'; readonly result: ImportResult }
  | { readonly step: 'failed'; readonly why: string };

const state = signal<ImportState>({ step: 'idle' });
/** Types beside the endings, for systems without file endings. */
const accepted = [
  ...new Set(Object.values(worklistFormats).flatMap(({ endings }) => endings.map((ending) => `.${ending}`))),
  '.gz',
  'application/json',
  'text/csv',
  'application/dicom',
].join(',');

async function importFile(file: File): Promise<void> {
  if (file.size > maxWorklistBytes) {
    const message = t('worklist.import_too_large', { n: maxWorklistBytes / 2 ** 20 });
    state.value = { step: 'failed', why: message };
    return;
  }
  state.value = { step: 'running', name: file.name };
  try {
    state.value = { step: 'done', result: await importWorklist(await file.arrayBuffer()) };
  } catch (thrown) {
    state.value = { step: 'failed', why: fileErrorWords(asBridgeError(thrown)) };
  }
}

/** Asks for a file by the platform's own dialog. */
export function chooseFile(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accepted;
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file !== undefined) void importFile(file);
  });
  input.click();
}

const over = signal(false);
const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/** Takes files dropped anywhere on the page. */
export function DropZone() {
  useEffect(() => {
    const onOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      over.value = true;
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) over.value = false;
    };
    const onDrop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      over.value = false;
      const dropped = [...(event.dataTransfer?.files ?? [])];
      const [file] = dropped;
      if (dropped.length > 1) state.value = { step: 'failed', why: t('worklist.import_one') };
      else if (file !== undefined) void importFile(file);
    };
    addEventListener('dragover', onOver);
    addEventListener('dragleave', onLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onOver);
      removeEventListener('dragleave', onLeave);
      removeEventListener('drop', onDrop);
    };
  }, []);
  const close = () => (state.value = { step: 'idle' });
  const now = state.value;
  return (
    <>
      {over.value && (
        <div class="drop" role="region" aria-label={t('worklist.drop_here')}>
          <Icon name="upload" size={32} />
          <strong>{t('worklist.drop_here')}</strong>
          <span>{t('worklist.drop_hint')}</span>
        </div>
      )}
      <Dialog
        open={now.step !== 'idle'}
        size="s"
        title={
          now.step === 'failed' || (now.step === 'done' && tookNothing(now.result))
            ? t('worklist.import_failed')
            : now.step === 'running'
              ? t('worklist.importing', { name: now.name })
              : t('worklist.import_title')
        }
        onClose={close}
        footer={
          now.step === 'running' ? undefined : (
            <>
              {now.step === 'failed' && <Button onClick={chooseFile}>{t('app.try_again')}</Button>}
              <Button kind="primary" onClick={close}>
                {t('app.close')}
              </Button>
            </>
          )
        }
      >
        {now.step === 'running' && <Progress value={null} label={t('worklist.importing', { name: now.name })} />}
        {now.step === 'done' && <ImportAccount result={now.result} />}
        {now.step === 'failed' && (
          <Banner tone="warn" icon="warn" alert>
            {now.why}
          </Banner>
        )}
      </Dialog>
    </>
  );
}

const tookNothing = ({ inserted, updated, deduped }: ImportResult): boolean => inserted + updated + deduped === 0;
