/** Audio is stored by the app, which may run on another computer than this page. */
import { t } from '../../i18n/index.ts';
import { serviceHost } from '../../state/session.ts';

/** Whether the app that serves this page runs on the computer that shows it. */
const isHere = (): boolean => 'laudio' in window || ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

/** “on this computer”, or the name of the other computer. */
export const where = (): string =>
  isHere() ? t('recorder.where_here') : t('recorder.where_there', { host: location.host });

/** The place of a person who works at the app itself: this computer, or the one at this address. */
export const ownPlace = (): { readonly name: string; readonly hint: string } =>
  isHere()
    ? { name: t('login.this_computer'), hint: t('login.this_computer_hint') }
    : { name: t('login.this_server', { host: location.host }), hint: t('login.this_server_hint') };

/** Whether this page uses the server of the computer it runs on. */
export const isOwnComputer = (): boolean => serviceHost.value === undefined && isHere();

/** The contact if no recogniser is available. */
export const whomToAsk = (): string => t('recorder.unheard_ask', { host: serviceHost.value ?? location.host });
