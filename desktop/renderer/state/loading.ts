/** Handles page code that failed to load: shows why, and whether a retry may help. */
import { t } from '../i18n/index.ts';
import { asBridgeError } from './bridge.ts';
import { notices, notify, notifyError } from './notices.ts';
import { closeSheet } from './route.ts';

/** The page's script stays at its address as long as the app serves the same build. `null`: the app does not answer. */
const isBuildAvailable = (): Promise<boolean | null> =>
  fetch(import.meta.url, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => null,
  );

/** `thrown` comes from the import of a module or from its initialisation. Resolves to whether a retry makes sense. */
export async function canRetryLoad(thrown: unknown): Promise<boolean> {
  const error = asBridgeError(thrown);
  // A failed import rejects with an error of the browser, which has no code.
  const isThere = error.code === 'INTERNAL_ERROR' ? await isBuildAvailable() : true;
  if (isThere === null) {
    offerReload(t('app.app_away'));
    return true;
  }
  if (isThere) notifyError(error);
  else offerReload(t('app.other_build'), t('app.other_build_hint'));
  // A panel that failed to load counts as closed, so that the person can open it again.
  closeSheet();
  return false;
}

function offerReload(text: string, hint?: string): void {
  if (notices.peek().some((notice) => notice.text === text)) return;
  notify({ tone: 'error', text, hint, action: { label: t('app.reload'), run: () => location.reload(), about: null } });
}
