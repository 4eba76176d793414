import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { files } from '../../../bridge/files.ts';
import { t } from '../../i18n/index.ts';
import { bridge } from '../../state/bridge.ts';

/** The dictated sound and the transcript or written text, beside the report. */
export function SpokenSource({ record }: { record: MedicalRecord }) {
  const isSpoken = record.source.kind === 'audio';
  if (!isSpoken && record.transcript === null) return null;
  return (
    <details class="document-source">
      <summary>{t(isSpoken ? 'document.audio' : 'document.text')}</summary>
      {isSpoken && <audio controls preload="none" src={bridge().address(files.audio(record.id))} />}
      {record.transcript !== null && (
        <>
          {isSpoken && <h2>{t('document.transcript')}</h2>}
          <p lang={record.language}>{record.transcript}</p>
        </>
      )}
    </details>
  );
}
