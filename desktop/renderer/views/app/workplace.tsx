/** The frame: top bar, list, exam, report. Panes that don't fit are only hidden, so that nothing in them is lost. */
import { useEffect } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { IconName } from '../../parts/icon.tsx';
import { lazily } from '../../parts/lazily.tsx';
import { Empty, Skeleton } from '../../parts/states.tsx';
import { t } from '../../i18n/index.ts';
import { go, openItem, openItemId, panes, route } from '../../state/route.ts';
import type { Pane } from '../../state/route.ts';
import { items, nextExam } from '../../state/worklist/worklist.ts';
import { priorColumn } from '../priors/prior-column.ts';
import { DropZone } from '../worklist/import.tsx';
import { Worklist } from '../worklist/worklist.tsx';
import { Banners } from './banners.tsx';
import { isFirstPaintDone } from './first-paint.ts';
import { RefusedChanges } from './refused-changes.tsx';
import { Sheets } from './sheets.tsx';
import { TopBar } from './top-bar.tsx';

const loadExam = async () => {
  const [{ ExamView }, { startRecorders }] = await Promise.all([
    import('../exam/exam-view.tsx'),
    import('../../state/recorder/recorders.ts'),
  ]);
  // A recorder reports a dictation as completely saved only once it knows that no audio waits.
  await startRecorders();
  return ExamView;
};
const loadDocument = () => import('../report/report-place.tsx').then((module) => module.ReportPlace);
const LoadingPane = () => <Skeleton rows={4} label={t('app.loading')} />;
const ExamView = lazily(loadExam, LoadingPane);
const ReportPlace = lazily(loadDocument, LoadingPane);
const RecordingBanners = lazily(() =>
  import('../recorder/recording-banners.tsx').then((module) => module.RecordingBanners),
);
const ViewerBanner = lazily(() => import('./viewer-link.tsx').then((module) => module.ViewerBanner));
const VoiceCommands = lazily(() => import('../voice/voice-commands.tsx').then((module) => module.VoiceCommands));

/** The first exam opens without delay, even if the network fails meanwhile. */
function fetchAhead(): void {
  // A pane whose code fails to load is loaded again when it is shown, and reports the failure then.
  void Promise.allSettled([loadExam(), loadDocument()]);
}

export function Workplace() {
  const isLater = isFirstPaintDone.value;
  useEffect(() => (isLater ? fetchAhead() : undefined), [isLater]);
  const itemId = openItemId.value;
  const { pane } = route.value;
  // Without an exam, a screen with one pane shows the list.
  const shown: Pane = itemId === null ? 'list' : pane;
  return (
    <div class="workplace" data-pane={shown} data-open={itemId !== null}>
      <a
        class="skip"
        href="#exam"
        onClick={(event) => (event.preventDefault(), document.getElementById('exam')?.focus())}
      >
        {t('app.skip_to_exam')}
      </a>
      <TopBar />
      <div class="banners">
        <Banners />
        <RefusedChanges />
        {isLater && <ViewerBanner />}
        {isLater && <RecordingBanners itemId={itemId} />}
      </div>
      <main class="panes">
        <nav class="pane pane-list" tabIndex={-1} aria-label={t('app.pane_list')}>
          <Worklist />
        </nav>
        {itemId === null ? (
          <section class="pane pane-exam pane-none" id="exam" tabIndex={-1} aria-label={t('app.pane_exam')}>
            <NothingOpen />
          </section>
        ) : (
          <div class="work">
            <PaneSwitch panes={['exam', 'document']} shown={shown === 'list' ? 'exam' : shown} place="tabs" />
            <section class="pane pane-exam" id="exam" tabIndex={-1} aria-label={t('app.pane_exam')}>
              <ExamView itemId={itemId} />
            </section>
            {priorColumn.value && <div class="pane pane-prior">{priorColumn.value}</div>}
            <section class="pane pane-document" tabIndex={-1} aria-label={t('app.pane_document')}>
              <ReportPlace itemId={itemId} />
            </section>
          </div>
        )}
      </main>
      {itemId !== null && <PaneSwitch panes={panes} shown={shown} place="bottom" />}
      {isLater && <VoiceCommands />}
      <DropZone />
      <Sheets />
    </div>
  );
}

const names = { list: 'app.pane_list', exam: 'app.pane_exam', document: 'app.pane_document' } as const;
const icons: Readonly<Record<Pane, IconName>> = { list: 'list', exam: 'microphone', document: 'document' };

function PaneSwitch({ panes, shown, place }: { panes: readonly Pane[]; shown: Pane; place: 'tabs' | 'bottom' }) {
  return (
    <nav class={`switch switch-${place}`} aria-label={t('app.panes')}>
      {panes.map((pane) => (
        <button key={pane} type="button" aria-current={pane === shown} onClick={() => go({ pane })}>
          {place === 'bottom' && <Icon name={icons[pane]} size={20} />}
          <span>{t(names[pane])}</span>
        </button>
      ))}
    </nav>
  );
}

function NothingOpen() {
  if (items.value === undefined) return <LoadingPane />;
  const next = nextExam.value;
  // The list next to it explains that there are no exams, and what to do.
  if (items.value.size === 0) return <Empty icon="exam" title={t('app.nothing_yet')} />;
  if (next === undefined)
    return (
      <Empty icon="check" title={t('app.nothing_left')}>
        {t('app.nothing_left_hint')}
      </Empty>
    );
  return (
    <Empty
      icon="list"
      title={t('app.nothing_open')}
      action={
        <Button kind="primary" onClick={() => openItem(next.id)}>
          {t('app.open_next')}
        </Button>
      }
    >
      {t('app.nothing_open_hint')}
    </Empty>
  );
}
