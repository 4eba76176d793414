/** Sound is stored beside the app, which may run on another computer than this page. */
import { t } from '../../i18n/index.ts';
import { serviceHost } from '../../state/session.ts';

const isHere = (): boolean => 'laudio' in window || ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

/** “on this computer”, or the name of the other computer. */
export const where = (): string =>
  isHere() ? t('recorder.where_here') : t('recorder.where_there', { host: location.host });

/** Whether this page works with the server of the computer that it is on. */
export const isOwnComputer = (): boolean => serviceHost.value === undefined && isHere();

/** Whom to ask where nothing turns speech into text. */
export const whomToAsk = (): string => t('recorder.unheard_ask', { host: serviceHost.value ?? location.host });
