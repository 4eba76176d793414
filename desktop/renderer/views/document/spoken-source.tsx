import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { files } from '../../../bridge.ts';
import { t } from '../../i18n/index.ts';
import { bridge } from '../../state/bridge.ts';

/** What was dictated, to hear and to read beside the text. */
export function SpokenSource({ record }: { record: MedicalRecord }) {
  if (record.source.kind !== 'audio' && record.transcript === null) return null;
  return (
    <details class="document-source">
      <summary>{t('document.audio')}</summary>
      {record.source.kind === 'audio' && (
        <audio controls preload="none" src={bridge().address(files.audio(record.id))} />
      )}
      {record.transcript !== null && (
        <>
          <h2>{t('document.transcript')}</h2>
          <p lang={record.language}>{record.transcript}</p>
        </>
      )}
    </details>
  );
}
