/** Whether this machine has what Firefox is tested with. */
import { existsSync } from 'node:fs';
import { isProgram } from './is-program.ts';

export const firefox = '/usr/bin/firefox-esr';
/** Debian's names. */
export const firefoxPackages = ['firefox-esr', 'pulseaudio'] as const;
export const hasFirefox = (): boolean => existsSync(firefox) && isProgram('pulseaudio');
