import { Chip } from '../../parts/chip.tsx';
import { lazily } from '../../parts/lazily.tsx';
import { Menu } from '../../parts/menu.tsx';
import type { MenuItem } from '../../parts/menu.tsx';
import { t } from '../../i18n/index.ts';
import { asBridgeError } from '../../state/bridge.ts';
import { failedJobs, runningJobs } from '../../state/jobs.ts';
import { keys } from '../../state/keys.ts';
import { notifyError } from '../../state/notices.ts';
import { openSheet } from '../../state/route.ts';
import {
  isAppSilent,
  isOnline,
  isOverdue,
  isTestMode,
  lock,
  logOut,
  serviceHost,
  session,
  userName,
  waitingChanges,
} from '../../state/session.ts';
import { isFirstPaintDone } from './first-paint.ts';
import { isHere } from './home-place.ts';
import { keyName } from './key-name.ts';
import { LiveSign } from './live-sign.tsx';

const CriticalChip = lazily(() => import('../critical/critical-chip.tsx').then((module) => module.CriticalChip));

const ViewerSign = lazily(() => import('./viewer-link.tsx').then((module) => module.ViewerSign));

export function TopBar() {
  return (
    <header class="top">
      <Mark />
      <TestSign />
      <LiveSign />
      <Connection />
      <div class="spacer" />
      {isFirstPaintDone.value && <CriticalChip />}
      {isFirstPaintDone.value && <ViewerSign />}
      <JobsButton />
      <Account />
    </header>
  );
}

export function TestSign() {
  if (!isTestMode.value) return null;
  return (
    <span class="top-test">
      <Chip tone="warn" icon="flask" title={t('app.test_mode_title')}>
        {t('app.test_mode')}
      </Chip>
    </span>
  );
}

export function Mark() {
  return (
    <span class="mark">
      <span class="mark-bars" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      Laudio
    </span>
  );
}

/** The service, whether it answers, and the number of changes waiting for it. */
function Connection() {
  const { phase } = session.value ?? {};
  const name = serviceHost.value ?? (isHere() ? t('login.this_computer') : location.host);
  const waiting = waitingChanges.value;
  if (isAppSilent.value)
    return (
      <Chip tone="warn" icon="offline" title={t('app.silent_title')}>
        {t('app.silent')}
      </Chip>
    );
  if (!isOnline.value)
    return (
      <Chip tone="warn" icon="offline" title={t('app.offline_title')}>
        {t('app.offline')}
        {waiting > 0 && <span class="top-detail"> · {t('app.waiting', { n: waiting })}</span>}
      </Chip>
    );
  if (isOverdue.value)
    return (
      <Chip tone="warn" icon="warn" title={t('app.overdue_title')}>
        {t('app.overdue', { n: waiting })}
      </Chip>
    );
  return (
    <span class="top-place">
      <Chip tone={waiting > 0 ? 'busy' : 'ok'} dot>
        {waiting === 0 ? name : t(phase === 'expired' ? 'app.waiting' : 'app.sending', { n: waiting })}
      </Chip>
    </span>
  );
}

function JobsButton() {
  const running = runningJobs.value.length;
  const failed = failedJobs.value.length;
  if (running === 0 && failed === 0) return null;
  const text = failed > 0 ? t('app.jobs_failed', { n: failed }) : t('app.jobs_running', { n: running });
  return (
    <button type="button" class="top-jobs" aria-label={text} onClick={() => openSheet('jobs')}>
      <Chip tone={failed > 0 ? 'warn' : 'busy'} {...(failed > 0 ? { icon: 'warn' as const } : { dot: true })}>
        <span class="top-detail">{text}</span>
        <span class="top-short">{failed > 0 ? failed : running}</span>
      </Chip>
    </button>
  );
}

function Account() {
  const name = userName.value ?? '';
  const attempt = (action: () => Promise<void>) => () =>
    void action().catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
  const items: (MenuItem | 'line')[] = [
    { label: t('app.settings'), icon: 'settings', run: () => openSheet('settings') },
    { label: t('app.macros'), icon: 'template', keyHint: keyName(keys.value.macros), run: () => openSheet('macros') },
    { label: t('app.vocabulary'), icon: 'document', run: () => openSheet('vocabulary') },
    { label: t('app.statistics'), icon: 'chart', run: () => openSheet('statistics') },
    { label: t('app.jobs'), icon: 'document', run: () => openSheet('jobs') },
    {
      label: t('app.shortcuts'),
      icon: 'keyboard',
      keyHint: keyName(keys.value.help),
      run: () => openSheet('shortcuts'),
    },
    'line',
    { label: t('app.lock'), icon: 'lock', run: attempt(lock) },
    { label: t('app.log_out'), icon: 'leave', run: attempt(logOut) },
  ];
  return (
    <Menu
      label={`${getInitials(name)}: ${t('app.account')}`}
      button={
        <span class="me" aria-hidden="true">
          {getInitials(name)}
        </span>
      }
      head={t('app.logged_in_as', { name })}
      items={items}
    />
  );
}

/** Initials of the first and the last word, without titles. */
export function getInitials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word) && !word.endsWith('.'));
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return `${first?.[0] ?? ''}${last?.[0] ?? ''}`.toUpperCase() || '?';
}
