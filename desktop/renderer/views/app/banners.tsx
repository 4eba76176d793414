import { Banner } from '../../parts/states.tsx';
import { t } from '../../i18n/index.ts';
import { findMissingFeatures } from '../../state/browser-features.ts';
import { session } from '../../state/session.ts';
import { LogInAgain } from './log-in-again.tsx';

/** A browser's features do not change while the page is open. */
const missing = findMissingFeatures();

/** Banners at the top, about the whole page. */
export function Banners() {
  return (
    <>
      {session.value?.phase === 'expired' && (
        <Banner tone="warn" icon="lock" alert action={<LogInAgain />}>
          {t('app.expired')}
        </Banner>
      )}
      {missing.length > 0 && (
        <Banner tone="warn" icon="warn">
          {missing.map((part) => t(`app.browser_lacks_${part}`)).join(' ')}{' '}
          {t(isSecureContext ? 'app.browser_other' : 'app.browser_insecure')}
        </Banner>
      )}
    </>
  );
}
