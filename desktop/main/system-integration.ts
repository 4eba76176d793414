/** Reflects the work in the window in the system: menus, tray, hotkeys, no sleep during recording. */
import { globalShortcut, Menu, powerSaveBlocker } from 'electron';
import type { Language } from '../../src/contract/shared.ts';
import { defaultKeys } from '../bridge/keys.ts';
import type { Action } from '../bridge/keys.ts';
import { isAtWork, mayDictateAnywhere } from './activity.ts';
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
  const hotkeys = new Map<Action, string>();

  const setHotkey = (action: Action, key: string | undefined): void => {
    const held = hotkeys.get(action);
    if (key === held) return;
    if (held !== undefined) globalShortcut.unregister(held);
    hotkeys.delete(action);
    // A key that another program has registered stays with that program.
    if (key !== undefined && globalShortcut.register(key, () => run({ action }))) hotkeys.set(action, key);
  };
  return {
    show(activity, language, hasUpdate) {
      const { recording, settings } = activity;
      const isOpen = isAtWork(activity);
      const keys = settings?.keys ?? defaultKeys;
      const isRecording = recording.length > 0;
      stayAwake(isRecording);
      setHotkey('record', isOpen ? globalHotkey(keys.record) : undefined);
      setHotkey('anywhere', mayDictateAnywhere(activity) ? globalHotkey(keys.anywhere) : undefined);
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
      for (const action of hotkeys.keys()) setHotkey(action, undefined);
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
