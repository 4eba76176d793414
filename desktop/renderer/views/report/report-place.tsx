/** The report in the pane next to the exam, or a line about the window that has it. */
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/states.tsx';
import { returnReport, hasReportHere } from '../../state/report-window.ts';
import { keys } from '../../state/keys.ts';
import { keyName } from '../app/key-name.ts';
import { DocumentView, useReport } from './document-view.tsx';

export function ReportPlace({ itemId }: { itemId: string }) {
  return hasReportHere.value ? <DocumentView itemId={itemId} /> : <ReportAway key={itemId} itemId={itemId} />;
}

function ReportAway({ itemId }: { itemId: string }) {
  // The exam's pane shows whether it is reported, and what may be recorded.
  useReport(itemId, true);
  return (
    <Empty
      icon="window"
      level="h1"
      title={t('app.report_window_away')}
      action={
        <Button icon="undo" keyHint={keyName(keys.value.report_window)} onClick={() => void returnReport()}>
          {t('app.report_window_back')}
        </Button>
      }
    >
      {t('app.report_window_away_hint')}
    </Empty>
  );
}
