import { Button } from '../../parts/button.tsx';
import { Notices } from '../../parts/notices.tsx';
import { Empty } from '../../parts/states.tsx';
import { t } from '../../i18n/index.ts';
import { login } from '../../state/bridge.ts';
import { openedReport } from '../../state/report/opened-report.ts';
import { isReportWindow } from '../../state/route.ts';
import { isAppAway, session } from '../../state/session.ts';
import { waitingSound } from '../../state/recorder/waiting-sound.ts';
import { lazily, screenLazily } from '../../parts/lazily.tsx';
import { Mark } from './top-bar.tsx';
import { Workplace } from './workplace.tsx';

const Login = screenLazily(() => import('../login/login.tsx').then((module) => module.Login), Waiting);
const PrintSheet = lazily(() => import('../report/print-sheet.tsx').then((module) => module.PrintSheet));
const Lock = screenLazily(() => import('../lock/lock.tsx').then((module) => module.Lock), Waiting);

const ReportWindow = screenLazily(
  () => import('../report/report-window.tsx').then((module) => module.ReportWindow),
  Waiting,
);

/** The page: its screen depends on who is logged in. */
export function App() {
  return (
    <>
      <Screen />
      <Notices />
      {openedReport.value !== null && <PrintSheet />}
    </>
  );
}

function Screen() {
  const phase = session.value?.phase;
  if (isAppAway.value && phase === undefined) {
    return (
      <main class="away">
        <Empty
          icon="offline"
          title="Laudio"
          level="h1"
          action={
            <Button kind="primary" icon="retry" onClick={() => location.reload()}>
              {t('app.reload')}
            </Button>
          }
        >
          {t('app.app_away')} {waitingSound.value.length > 0 && t('app.rest_of_others')}
        </Empty>
      </main>
    );
  }
  if (phase === undefined) return <Waiting />;
  if (isReportWindow.value) return <ReportWindow key={login.value.id} />;
  if (phase === 'logged-out') return <Login />;
  if (phase === 'locked') return <Lock />;
  // Nothing opened under another login stays on the screen.
  return <Workplace key={login.value.id} />;
}

function Waiting() {
  return (
    <main class="away" aria-busy="true">
      <h1 class="sr-only">{t('app.loading')}</h1>
      <Mark />
    </main>
  );
}
