import { isDoubted } from '../../../../src/domain/heard-text.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import type { ReadyReport } from '../../state/report/document.ts';
import { HeardText } from './heard-text.tsx';

/** The transcript of the dictation, or the written text, next to the report. */
export function SpokenSource({ document }: { document: ReadyReport }) {
  const { source, transcript, language } = document.record.value;
  if (transcript === null) return null;
  return (
    <details class="document-source">
      <summary>{t(source.kind === 'audio' ? 'document.audio' : 'document.text')}</summary>
      {source.kind === 'audio' && <h2>{t('document.transcript')}</h2>}
      <Doubts document={document} />
      <HeardText listening={document.listening.value} section="" text={transcript} lang={language} />
    </details>
  );
}

/** The words that the recogniser doubted, each with its audio. */
function Doubts({ document }: { document: ReadyReport }) {
  const { transcript, language } = document.record.value;
  const listening = document.listening.value;
  const doubted = document.said.value.filter(isDoubted);
  if (!listening || doubted.length === 0) return null;
  return (
    <div class="document-doubts">
      <span>{t('document.doubted')}</span>
      {doubted.map((word) => (
        <Button
          key={word.start}
          kind="bare"
          icon="play"
          lang={language}
          disabled={word.from === undefined}
          onClick={() => listening.hearTranscript(word)}
        >
          {transcript?.normalize('NFC').slice(word.start, word.end)}
        </Button>
      ))}
    </div>
  );
}
