import { describe, expect, test } from 'vitest';
import { defaultKeys } from '../../../desktop/bridge/keys.ts';
import { toAccelerator, globalHotkey } from '../../../desktop/main/hotkeys.ts';

describe('a key of the settings', () => {
  test.each([
    ['Space', 'Space'],
    ['Mod+Enter', 'CommandOrControl+Enter'],
    ['Mod+Shift+Enter', 'CommandOrControl+Shift+Enter'],
    ['Mod+z', 'CommandOrControl+Z'],
    ['Alt+ArrowLeft', 'Alt+Left'],
    ['F9', 'F9'],
    ['/', '/'],
    ['?', '?'],
    ['+', 'Plus'],
    ['Mod++', 'CommandOrControl+Plus'],
    ['MediaPlayPause', 'MediaPlayPause'],
    ['ç', undefined],
    ['Mod+ç', undefined],
    ['Hyper+a', undefined],
    ['F25', undefined],
    ['', undefined],
    ['Mod+', undefined],
  ])('%s → %s', (key, accelerator) => {
    expect(toAccelerator(key)).toBe(accelerator);
  });

  test('is one that Electron has, for all that are set at first', () => {
    expect(Object.values(defaultKeys).filter((key) => toAccelerator(key) === undefined)).toEqual([]);
  });
});

describe('for the whole system', () => {
  test.each(['F9', 'Mod+F9', 'Mod+Alt+r', 'Alt+Space', 'MediaRecord'])('%s', (key) => {
    expect(globalHotkey(key)).toBe(toAccelerator(key));
    expect(globalHotkey(key)).toBeDefined();
  });
  test.each(['Space', 'r', '?', 'Enter', 'Shift+r', 'Shift+Enter', 'ArrowLeft', 'p'])(
    'never %s, which is for writing',
    (key) => {
      expect(globalHotkey(key)).toBeUndefined();
    },
  );
});
