/** The server that sent this page: on the computer that it is shown on, or another one. */
import { t } from '../../i18n/index.ts';

export const isHere = (): boolean =>
  'laudio' in window || ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

/** As a place to work: this computer, or the other one by its name. */
export const homePlace = (): string =>
  isHere() ? t('login.this_computer') : t('login.this_server', { host: location.host });
