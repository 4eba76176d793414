/** Imports worklist files that are dropped on the page or chosen. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { worklistFormats } from '../../../../src/domain/worklist-formats.ts';
import { Icon } from '../../parts/icon.tsx';
import { lazily } from '../../parts/lazily.tsx';
import { t } from '../../i18n/index.ts';

/** The files chosen last; `null`: none yet. */
const given = signal<readonly File[] | null>(null);
const ImportDialog = lazily(() => import('./import-dialog.tsx').then((module) => module.ImportDialog));
/** Media types in addition to file extensions, for systems without extensions. */
const accepted = [
  ...new Set(Object.values(worklistFormats).flatMap(({ endings }) => endings.map((ending) => `.${ending}`))),
  '.gz',
  'application/json',
  'text/csv',
  'application/dicom',
].join(',');

/** Opens the platform's file dialog. */
export function chooseFile(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accepted;
  input.addEventListener('change', () => {
    if (input.files !== null && input.files.length > 0) given.value = [...input.files];
  });
  input.click();
}

const over = signal(false);
const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/** Accepts files dropped anywhere on the page. */
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
      if (dropped.length > 0) given.value = dropped;
    };
    addEventListener('dragover', onOver);
    addEventListener('dragleave', onLeave);
    addEventListener('drop', onDrop);
    return () => {
      // The next person must not import these files.
      given.value = null;
      removeEventListener('dragover', onOver);
      removeEventListener('dragleave', onLeave);
      removeEventListener('drop', onDrop);
    };
  }, []);
  return (
    <>
      {over.value && (
        <div class="drop" role="region" aria-label={t('worklist.drop_here')}>
          <Icon name="upload" size={32} />
          <strong>{t('worklist.drop_here')}</strong>
          <span>{t('worklist.drop_hint')}</span>
        </div>
      )}
      {given.value !== null && <ImportDialog files={given.value} chooseFile={chooseFile} />}
    </>
  );
}
