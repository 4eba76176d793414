import { Banner } from '../../parts/states.tsx';
import { t } from '../../i18n/index.ts';
import { session } from '../../state/session.ts';
import { LogInAgain } from './log-in-again.tsx';

/** Banners at the top, about the whole page. */
export function Banners() {
  if (session.value?.phase !== 'expired') return null;
  return (
    <Banner tone="warn" icon="lock" alert action={<LogInAgain />}>
      {t('app.expired')}
    </Banner>
  );
}
