/** Worklist files that are dropped on the page or chosen, and what became of them. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { BridgeError } from '../../../bridge.ts';
import type { IngestResult } from '../../../../src/contract/worklist.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Banner, Progress } from '../../parts/states.tsx';
import { t } from '../../i18n/index.ts';
import { asBridgeError } from '../../state/bridge.ts';
import { importWorklist } from '../../state/worklist.ts';

type ImportState =
  | { readonly step: 'idle' }
  | { readonly step: 'running'; readonly name: string }
  | { readonly step: 'done'; readonly result: IngestResult }
  | { readonly step: 'failed'; readonly error: BridgeError };

const state = signal<ImportState>({ step: 'idle' });
const maxBytes = 10_000_000;
/** More refusals than this nobody reads; the number is told. */
const shownRefusals = 20;

async function importFile(file: File): Promise<void> {
  if (file.size > maxBytes) {
    state.value = { step: 'failed', error: { code: 'PAYLOAD_TOO_LARGE', message: t('worklist.import_too_large') } };
    return;
  }
  state.value = { step: 'running', name: file.name };
  try {
    state.value = { step: 'done', result: await importWorklist(file.name, await file.text()) };
  } catch (thrown) {
    state.value = { step: 'failed', error: asBridgeError(thrown) };
  }
}

/** Asks for a file by the platform's own dialog. */
export function chooseFile(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.json,.ndjson,.jsonl,application/json';
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
      if (dropped.length > 1)
        state.value = { step: 'failed', error: { code: 'USAGE', message: t('worklist.import_one') } };
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
          now.step === 'failed'
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
        {now.step === 'done' && <Result result={now.result} />}
        {now.step === 'failed' && (
          <Banner tone="warn" icon="warn" alert>
            {now.error.message} {now.error.hint}
          </Banner>
        )}
      </Dialog>
    </>
  );
}

function Result({ result }: { result: IngestResult }) {
  const { inserted, updated, deduped, errors } = result;
  const numbers = [
    [t('worklist.imported'), inserted],
    [t('worklist.updated'), updated],
    [t('worklist.unchanged'), deduped],
    [t('worklist.refused'), errors.length],
  ] as const;
  return (
    <>
      <dl class="numbers">
        {numbers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {errors.length > 0 && (
        <details class="refusals" open={errors.length <= 3}>
          <summary>{t('worklist.refused_list')}</summary>
          <ul>
            {errors.slice(0, shownRefusals).map((error) => (
              <li key={`${error.index} ${error.field}`}>
                <b>{error.accession_number ?? t('worklist.refused_at', { index: error.index + 1 })}</b> {error.message}
              </li>
            ))}
            {errors.length > shownRefusals && (
              <li>{t('worklist.refused_more', { n: errors.length - shownRefusals })}</li>
            )}
          </ul>
        </details>
      )}
    </>
  );
}
