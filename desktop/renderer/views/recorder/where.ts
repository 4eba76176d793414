/** Audio is stored by the app, which may run on another computer than this page. */
import { t } from '../../i18n/index.ts';
import { isHere } from '../app/home-place.ts';
import { serviceHost } from '../../state/session.ts';

/** “on this computer”, or the name of the other computer. */
export const where = (): string =>
  isHere() ? t('recorder.where_here') : t('recorder.where_there', { host: location.host });

/** Whether this page uses the server of the computer it runs on. */
export const isOwnComputer = (): boolean => serviceHost.value === undefined && isHere();

/** The contact if no recogniser is available. */
export const whomToAsk = (): string => t('recorder.unheard_ask', { host: serviceHost.value ?? location.host });
