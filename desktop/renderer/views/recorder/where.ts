/** Sound is stored beside the app, which may run on another computer than this page. */
import { t } from '../../i18n/index.ts';

const isHere = (): boolean => 'laudio' in window || ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

/** “on this computer”, or the name of the other computer. */
export const where = (): string =>
  isHere() ? t('recorder.where_here') : t('recorder.where_there', { host: location.host });
