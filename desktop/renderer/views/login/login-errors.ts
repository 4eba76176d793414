import { setupCodeNeeded } from '../../../bridge/session.ts';
import type { SessionState } from '../../../bridge/session.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { t } from '../../i18n/index.ts';
import { errorParagraph } from '../../state/explain.ts';

/** The failure of a login that left this page and returned (desktop/web), shown once. */
export function problemOfReturn(): string | undefined {
  const code = new URLSearchParams(location.search).get('login');
  if (code === null) return undefined;
  history.replaceState(history.state, '', `${location.pathname}${location.hash}`);
  return code === 'network' ? t('login.no_answer') : t('login.refused');
}

/** A failed login: what happened, what it means, and the next step. `place`: the service to log in to. */
export function errorText(error: BridgeError, place: SessionState['place']): string {
  switch (error.code) {
    case 'NETWORK':
      if (place !== 'service') return errorParagraph(error);
      return navigator.onLine ? t('login.no_answer') : t('login.no_network');
    case 'BAD_ANSWER':
    case 'NOT_FOUND':
      return t('login.wrong_server');
    case 'FORBIDDEN':
      if (error.details?.['reason'] !== setupCodeNeeded) return errorParagraph(error);
      return t(error.details['wrong'] === true ? 'login.setup_code_wrong' : 'login.setup_code_needed');
    case 'LOGIN_FAILED':
    case 'UNAUTHORIZED':
      return t('login.refused');
    default:
      return errorParagraph(error);
  }
}
