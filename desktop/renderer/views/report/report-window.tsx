/** The page of the window that shows the report alone. The list, the recorder and the messages of the app are in the other one. */
import { useEffect } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Empty, Skeleton } from '../../parts/states.tsx';
import { isRecording } from '../../state/jobs.ts';
import { keys } from '../../state/keys.ts';
import { hasReportHere, leaveReportWindow, returnReport } from '../../state/report-window.ts';
import { openItemId } from '../../state/route.ts';
import { session } from '../../state/session.ts';
import { keyName } from '../app/key-name.ts';
import { Sheets } from '../app/sheets.tsx';
import { Mark, TestSign } from '../app/top-bar.tsx';
import { VoiceCommands } from '../voice/voice-commands.tsx';
import { DocumentView } from './document-view.tsx';

export function ReportWindow() {
  const phase = session.value?.phase;
  useEffect(() => {
    if (phase === 'logged-out') leaveReportWindow();
  }, [phase]);
  const isOpen = phase === 'ready' || phase === 'expired';
  return (
    <div class="workplace">
      <header class="top">
        <Mark />
        <TestSign />
        {isRecording.value && (
          <Chip tone="live" dot>
            {t('app.live')}
          </Chip>
        )}
        <div class="spacer" />
        <Button icon="undo" keyHint={keyName(keys.value.report_window)} onClick={() => void returnReport()}>
          {t('app.report_window_back')}
        </Button>
      </header>
      <main class="panes panes-report">
        <section class="pane pane-document" tabIndex={-1} aria-label={t('app.pane_document')}>
          {isOpen ? <Content /> : <Empty icon="lock" level="h1" title={t('app.report_window_locked')} />}
        </section>
      </main>
      {isOpen && <Sheets />}
      {isOpen && <VoiceCommands />}
    </div>
  );
}

function Content() {
  const itemId = openItemId.value;
  if (!hasReportHere.value) return <Skeleton rows={4} label={t('app.loading')} />;
  if (itemId === null)
    return (
      <Empty icon="document" level="h1" title={t('app.nothing_open')}>
        {t('app.report_window_nothing')}
      </Empty>
    );
  return <DocumentView itemId={itemId} />;
}
