/** Code of the page that could not be loaded: says why, and whether it may come by itself. */
import { t } from '../i18n/index.ts';
import { asBridgeError } from './bridge.ts';
import { notices, notify, notifyError } from './notices.ts';
import { closeSheet } from './route.ts';

/**
 * The script of this page is at its address as long as the app has the build that the page is of. `null`: the app does
 * not answer.
 */
const isBuildThere = (): Promise<boolean | null> =>
  fetch(import.meta.url, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => null,
  );

/** `thrown`: by the import of a module, or by what it begins with. Resolves to whether it is worth trying again. */
export async function mayLoadLater(thrown: unknown): Promise<boolean> {
  const error = asBridgeError(thrown);
  // An import rejects with an error of the browser, which has no code.
  const isThere = error.code === 'INTERNAL_ERROR' ? await isBuildThere() : true;
  if (isThere === null) {
    offerReload(t('app.app_away'));
    return true;
  }
  if (isThere) notifyError(error);
  else offerReload(t('app.other_build'), t('app.other_build_hint'));
  // A sheet that cannot be shown is not open: the person may open it again.
  closeSheet();
  return false;
}

function offerReload(text: string, hint?: string): void {
  if (notices.peek().some((notice) => notice.text === text)) return;
  notify({ tone: 'error', text, hint, action: { label: t('app.reload'), run: () => location.reload() } });
}
