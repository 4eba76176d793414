/** Laudio's icon in the system tray, which shows whether the microphone is live. */
import { fileURLToPath } from 'node:url';
import { Menu, nativeImage, Tray } from 'electron';
import type { NativeImage } from 'electron';
import { trayTemplate } from './menu-template.ts';
import type { TrayFacts } from './menu-template.ts';

/** Path of an image in desktop/icons; Electron finds the `@2x` image by its name. */
export const iconPath = (name: string): string => fileURLToPath(new URL(`../icons/${name}.png`, import.meta.url));

/** `undefined` if the desktop has no tray (some on Linux). */
export function createTray(platform: NodeJS.Platform): { show(facts: TrayFacts): void } | undefined {
  const pictures = { ready: picture('tray', platform), recording: picture('tray-recording', platform) };
  let tray: Tray;
  try {
    tray = new Tray(pictures.ready);
  } catch {
    return undefined;
  }
  let show = (): void => undefined;
  tray.on('click', () => show());
  return {
    show(facts) {
      show = () => facts.run('show');
      tray.setImage(facts.recording ? pictures.recording : pictures.ready);
      tray.setToolTip(`Laudio: ${facts.recording ? facts.words.recording : facts.words.ready}`);
      tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(facts)));
    },
  };
}

/** On a Mac the system colours the icon, except the red one, which means that the microphone is live. */
function picture(name: string, platform: NodeJS.Platform): NativeImage {
  const isTemplate = platform === 'darwin' && name === 'tray';
  const image = nativeImage.createFromPath(iconPath(isTemplate ? 'trayTemplate' : name));
  if (isTemplate) image.setTemplateImage(true);
  return image;
}
