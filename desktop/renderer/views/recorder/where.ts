/** Sound is stored beside the app, which may run on another computer than this page. */
import { t } from '../../i18n/index.ts';
import { serviceHost } from '../../state/session.ts';

const isHere = (): boolean => 'laudio' in window || ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

/** “on this computer”, or the name of the other computer. */
export const where = (): string =>
  isHere() ? t('recorder.where_here') : t('recorder.where_there', { host: location.host });

/** What to do where nothing turns speech into text: whom to ask, or what whoever looks after this computer can do. */
export const wayToBeHeard = (): string =>
  serviceHost.value === undefined && isHere()
    ? t('recorder.unheard_model')
    : t('recorder.unheard_ask', { host: serviceHost.value ?? location.host });
