/** Imports a worklist file, and shows the result. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { maxWorklistBytes } from '../../../bridge/worklist-import.ts';
import type { ImportResult } from '../../../bridge/worklist-import.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Banner, Progress } from '../../parts/states.tsx';
import { t } from '../../i18n/index.ts';
import { asBridgeError } from '../../state/bridge.ts';
import { errorParagraph } from '../../state/explain.ts';
import { importWorklist } from '../../state/worklist/worklist.ts';
import { ImportAccount } from './import-account.tsx';

type ImportState =
  | { readonly step: 'idle' }
  | { readonly step: 'running'; readonly name: string }
  | { readonly step: 'done'; readonly result: ImportResult }
  | { readonly step: 'failed'; readonly why: string };

const state = signal<ImportState>({ step: 'idle' });

async function importFiles([file, ...others]: readonly File[]): Promise<void> {
  if (others.length > 0) {
    state.value = { step: 'failed', why: t('worklist.import_one') };
    return;
  }
  if (file === undefined) return;
  if (file.size > maxWorklistBytes) {
    const message = t('worklist.import_too_large', { n: maxWorklistBytes / 2 ** 20 });
    state.value = { step: 'failed', why: message };
    return;
  }
  state.value = { step: 'running', name: file.name };
  try {
    state.value = { step: 'done', result: await importWorklist(await file.arrayBuffer()) };
  } catch (thrown) {
    state.value = { step: 'failed', why: errorParagraph(asBridgeError(thrown)) };
  }
}

/** `files`: the files chosen last. `chooseFile` asks for another one. */
export function ImportDialog({ files, chooseFile }: { files: readonly File[]; chooseFile: () => void }) {
  useEffect(() => void importFiles(files), [files]);
  const close = () => (state.value = { step: 'idle' });
  const now = state.value;
  return (
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
  );
}

const tookNothing = ({ inserted, updated, deduped }: ImportResult): boolean => inserted + updated + deduped === 0;
