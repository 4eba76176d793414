/** Reflects the work in the window in the system: menus, tray, hotkeys, no sleep during recording. */
import { globalShortcut, Menu, powerSaveBlocker } from 'electron';
import type { Language } from '../../src/contract/shared.ts';
import { defaultKeys } from '../bridge/keys.ts';
import type { Activity } from './activity.ts';
import { globalHotkey } from './hotkeys.ts';
import { menuTemplate } from './menu-template.ts';
import type { Command } from './menu-template.ts';
import { createTray } from './tray.ts';
import { words } from './shell-words.ts';

export interface SystemIntegration {
  /** Shows the current state. `hasUpdate`: a new version is ready to be installed. */
  show(activity: Activity, language: Language, hasUpdate: boolean): void;
  close(): void;
}

export function createSystemIntegration(platform: NodeJS.Platform, run: (command: Command) => void): SystemIntegration {
  const tray = createTray(platform);
  const stayAwake = createSleepBlocker();
  let shown = '';
  let hotkey: string | undefined;

  const setHotkey = (key: string | undefined): void => {
    if (key === hotkey) return;
    if (hotkey !== undefined) globalShortcut.unregister(hotkey);
    // A key that another program has registered stays with that program.
    hotkey = key !== undefined && globalShortcut.register(key, () => run({ action: 'record' })) ? key : undefined;
  };
  return {
    show({ session, recording, settings }, language, hasUpdate) {
      const isOpen = session?.phase === 'ready' || session?.phase === 'expired';
      const keys = settings?.keys ?? defaultKeys;
      const isRecording = recording.length > 0;
      stayAwake(isRecording);
      setHotkey(isOpen ? globalHotkey(keys.record) : undefined);
      // Replacing the menu would close it while the person has it open.
      const facts = JSON.stringify([isOpen, keys, isRecording, language, hasUpdate]);
      if (facts === shown) return;
      shown = facts;
      const own = words[language];
      Menu.setApplicationMenu(
        Menu.buildFromTemplate(menuTemplate({ words: own, platform, keys, isOpen, hasUpdate, run })),
      );
      tray?.show({ words: own, recording: isRecording, run });
    },
    close() {
      setHotkey(undefined);
      stayAwake(false);
    },
  };
}

function createSleepBlocker(): (needed: boolean) => void {
  let id: number | undefined;
  return (needed) => {
    if (needed) id ??= powerSaveBlocker.start('prevent-app-suspension');
    else if (id !== undefined) {
      powerSaveBlocker.stop(id);
      id = undefined;
    }
  };
}
