import { t } from '../../i18n/index.ts';
import { shownKey } from '../../state/keys.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A key as this computer's keyboard labels it: `Ctrl ↵`, `⌘↵`, `Space`. */
export const keyName = (key: string): string => shownKey(key, isMac, { space: t('app.space') });
