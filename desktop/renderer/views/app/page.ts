/** Connects the state with the page: address, keyboard, colours, language, idle time. */
import { effect, untracked } from '@preact/signals';
import { parseExamLink } from '../../../../src/domain/exam-link.ts';
import { languages } from '../../../../src/contract/shared.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { AppSettings } from '../../../bridge/settings.ts';
import { shownLanguage, showLanguage, showLateWords } from '../../i18n/index.ts';
import { appBridge, asBridgeError, login } from '../../state/bridge.ts';
import type { PageLogin } from '../../state/person-bridge.ts';
import { liveMicrophone } from '../../state/recorder/live-microphone.ts';
import { followLinks, openLinkedExam } from '../../state/linked-exam.ts';
import { followLogin } from '../../state/follow-login.ts';
import { followJobs, isRecording } from '../../state/jobs.ts';
import { onKey, perform } from '../../state/keys.ts';
import { notifyError } from '../../state/notices.ts';
import { startClock } from '../../state/time/now.ts';
import { followPair, tellActive, toggleReportWindow } from '../../state/report-window.ts';
import { startAddendum, startWriting } from '../../state/report/writing.ts';
import { openPreviousExam } from '../../state/worklist/worklist.ts';
import { showSystemNotification } from '../../state/system-notification.ts';
import { isReportWindow, openSheet, parseRoute, route, writeRoute } from '../../state/route.ts';
import { followSession, isAppAway, lock, session } from '../../state/session.ts';
import { changeSettings, followSettings, settings } from '../../state/settings.ts';
import { flushWords, hasUnkeptWords } from '../../state/report/typed.ts';
import { followUpdates } from '../../state/updates.ts';
import { followFirstPaint, isFirstPaintDone } from './first-paint.ts';
import { keepFocus } from './keep-focus.ts';
import { restoreAddress } from './kept-address.ts';
import { followKeyboard, isCovered } from './keyboard.ts';
import { followTab } from './live-sign.tsx';

/** The browser stores only the page's appearance, so that the next start shows it before the app answers. */
const lookKey = 'laudio.look';
interface Look {
  readonly theme?: string | undefined;
  readonly locale?: string | undefined;
  /** The language chosen at the login, until the person's settings include it. */
  readonly chosenLanguage?: string | undefined;
}

function rememberedLook(): Look {
  try {
    const look: unknown = JSON.parse(localStorage.getItem(lookKey) ?? '{}');
    return typeof look === 'object' && look !== null ? look : {};
  } catch {
    return {};
  }
}

function rememberLook(look: Look): void {
  try {
    localStorage.setItem(lookKey, JSON.stringify({ ...rememberedLook(), ...look }));
  } catch {
    // Without storage, the next start shows the system's appearance for a moment.
  }
}

const known = (locale: string | undefined): Language | undefined => languages.find((language) => language === locale);
export const rememberedLanguage = (): Language | undefined => known(rememberedLook().locale);

/** Whether this page has sent the chosen language to the app. */
let isTold = false;

/** Chosen before the login, which leaves this page and returns. */
export function chooseLanguage(locale: Language): void {
  void showLanguage(locale);
  isTold = false;
  rememberLook({ locale, chosenLanguage: locale });
}

function showTheme(theme: string | undefined): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
  else delete document.documentElement.dataset['theme'];
}

/** Starts everything that runs while the page is open. */
export async function startPage(): Promise<void> {
  showTheme(rememberedLook().theme);
  restoreAddress();
  followAddress();
  followLinks((itemId) => ![undefined, null, itemId].includes(liveMicrophone.peek()?.itemId));
  followKeyboard();
  keepFocus();
  followLook();
  followTab();
  startClock();
  // In its own window the app has better data: it also sees activity in other programs.
  const noteActivity = 'laudio' in window ? undefined : watchIdle();
  if ('laudio' in window) void followUpdates();
  followPair({
    isCovered,
    requested: ({ request, itemId }) => (request === 'write' ? startWriting : startAddendum)(itemId),
    active: () => noteActivity?.(),
  });
  appBridge().on('action', ({ action }) => void perform(action));
  onKey('help', () => openSheet('shortcuts'));
  onKey('macros', () => openSheet('macros'));
  onKey('voice_help', () => openSheet('voice'));
  onKey('previous_exam', openPreviousExam);
  onKey('report_window', toggleReportWindow);
  guardWords();
  followLogin(isReportWindow.peek() ? undefined : showSystemNotification);
  followFirstPaint();
  followRecorders();
  try {
    await followSession();
  } catch (thrown) {
    isAppAway.value = asBridgeError(thrown).code === 'NETWORK';
    if (!isAppAway.value) notifyError(asBridgeError(thrown));
  }
}

/** Starts the small window of a dictation into another program. It changes nothing, and locks nothing. */
export async function startSmallPage(): Promise<void> {
  showTheme(rememberedLook().theme);
  appBridge().on('action', ({ action }) => void perform(action));
  effect(() => {
    const { desk, ended } = login.value;
    if (desk === null) return;
    for (const following of untracked(() => [followSettings(ended), followJobs(ended)]))
      following.catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
  });
  await followSession();
}

/** Loads the code of the recorders, then watches them and sends what waits in this browser. */
function followRecorders(): void {
  const start = (): void =>
    void Promise.all([import('../../state/recorder/recorders.ts'), showLateWords()])
      .then(([{ startRecorders }]) => startRecorders())
      // Retries automatically, so that nothing is needed when the network returns.
      .catch(() => void setTimeout(start, fetchAgainMs));
  effect(() => {
    if (isFirstPaintDone.value) start();
  });
}
const fetchAgainMs = 3000;

function followAddress(): void {
  const read = (): void => {
    const [path, query = ''] = location.hash.split('?');
    const link = path === '#/exam' ? parseExamLink(query) : undefined;
    // Numbers of a patient don't stay in the address; the place that is open does.
    if (path === '#/exam') history.replaceState(null, '', writeRoute(route.peek()));
    if (link) openLinkedExam(link);
    route.value = parseRoute(location.hash);
  };
  read();
  addEventListener('popstate', read);
  effect(() => {
    const hash = writeRoute(route.value);
    const before = parseRoute(location.hash);
    if (hash === writeRoute(before)) return;
    // The browser's Back must not reopen a closed dialog.
    if (before.sheet !== null && route.value.sheet === null) history.replaceState(null, '', hash);
    else history.pushState(null, '', hash);
  });
}

/** Asks before the page closes with words that only this page has. */
function guardWords(): void {
  addEventListener('pagehide', flushWords);
  addEventListener('beforeunload', (event) => {
    if (hasUnkeptWords.peek()) event.preventDefault();
  });
}

function followLook(): void {
  /** The login under which the language is being sent. */
  let telling: PageLogin | undefined;
  const forgetChoice = (): void => rememberLook({ chosenLanguage: undefined });
  /** The choice is stored until the app has it: the page may close before. */
  const sendChoice = (change: Partial<AppSettings>): void => {
    isTold = true;
    telling = login.peek();
    void changeSettings(change).finally(() => {
      telling = undefined;
      if (settings.peek()?.locale === change.locale) forgetChoice();
    });
  };
  effect(() => {
    document.documentElement.lang = shownLanguage();
  });
  effect(() => {
    const chosen = settings.value;
    if (chosen === undefined) return;
    showTheme(chosen.theme);
    const chosenLanguage = isTold ? undefined : known(rememberedLook().chosenLanguage);
    // A new user keeps the language of their login.
    if (chosen.locale === null) {
      const language = chosenLanguage ?? shownLanguage();
      return sendChoice({ locale: language, document_language: language });
    }
    if (chosenLanguage !== undefined && chosenLanguage !== chosen.locale) return sendChoice({ locale: chosenLanguage });
    if (telling !== login.peek()) forgetChoice();
    void showLanguage(chosen.locale);
    rememberLook({ theme: chosen.theme, locale: chosen.locale });
  });
}

/** Locks after the chosen time without activity; a recording counts as activity. Call the returned function for activity elsewhere. */
function watchIdle(): () => void {
  let last = Date.now();
  let isActive = false;
  const note = (): void => {
    last = Date.now();
  };
  const sign = (): void => {
    note();
    isActive = true;
  };
  for (const name of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
    addEventListener(name, sign, { passive: true, capture: true });
  setInterval(() => {
    if (isActive) tellActive();
    isActive = false;
    const minutes = settings.peek()?.lock_after_minutes ?? 0;
    if (isRecording.peek()) note();
    if (minutes === 0 || session.peek()?.phase !== 'ready' || Date.now() - last < minutes * 60_000) return;
    void lock().catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
  }, 5000);
  return note;
}
