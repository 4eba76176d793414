/** Whether this machine has what the browsers other than Chromium are tested with. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isProgram } from './is-program.ts';

export const firefox = '/usr/bin/firefox-esr';
/** Debian's names. */
export const firefoxPackages = ['firefox-esr', 'pulseaudio'] as const;
export const hasFirefox = (): boolean => existsSync(firefox) && isProgram('pulseaudio');

export const webKitPackages = [
  'webkit2gtk-driver',
  'xvfb',
  'xdotool',
  'gstreamer1.0-plugins-base',
  'gstreamer1.0-plugins-good',
] as const;
export const hasWebKit = (): boolean =>
  miniBrowser() !== undefined && ['WebKitWebDriver', 'Xvfb', 'xdotool'].every(isProgram);

/** The browser that comes with WebKitGTK. */
export function miniBrowser(): string | undefined {
  const architectures = existsSync('/usr/lib') ? readdirSync('/usr/lib').filter((name) => /-linux-gnu/.test(name)) : [];
  return architectures
    .flatMap((name) => readdirSync(join('/usr/lib', name)).map((folder) => join('/usr/lib', name, folder)))
    .filter((folder) => /\/webkit2?gtk-[\d.]+$/.test(folder))
    .map((folder) => join(folder, 'MiniBrowser'))
    .find((path) => existsSync(path));
}
