import * as fc from '../../support/properties.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { defaultKeys } from '../../../desktop/bridge/keys.ts';
import {
  findAction,
  dispatchKey,
  formatKey,
  keys,
  onKey,
  onKeyOtherwise,
  shownKey,
} from '../../../desktop/renderer/state/keys.ts';
import type { KeyStroke } from '../../../desktop/renderer/state/keys.ts';

const stroke = (key: string, held: Partial<KeyStroke> = {}): KeyStroke => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe('keyOf', () => {
  test.each([
    [stroke(' '), 'Space'],
    [stroke('Enter', { ctrlKey: true }), 'Mod+Enter'],
    [stroke('Enter', { metaKey: true, shiftKey: true }), 'Mod+Shift+Enter'],
    [stroke('?', { shiftKey: true }), '?'],
    [stroke('J', { shiftKey: true }), 'Shift+j'],
    // Caps Lock alone makes no other key.
    [stroke('J'), 'j'],
    [stroke('/'), '/'],
    // AltGr on a German or Brazilian keyboard.
    [stroke('/', { ctrlKey: true, altKey: true }), '/'],
    [stroke('ArrowLeft', { altKey: true }), 'Alt+ArrowLeft'],
    // What a Mac makes of Alt with a letter or digit, dead keys included; elsewhere Alt leaves the letter as it is.
    [stroke('ç', { altKey: true, code: 'KeyC' }), 'Alt+c'],
    [stroke('Í', { altKey: true, shiftKey: true, code: 'KeyS' }), 'Alt+Shift+s'],
    [stroke('ß', { altKey: true, code: 'KeyS' }), 'Alt+s'],
    [stroke('Dead', { altKey: true, code: 'KeyE' }), 'Alt+e'],
    [stroke('¡', { altKey: true, code: 'Digit1' }), 'Alt+1'],
    [stroke('a', { altKey: true, code: 'KeyQ' }), 'Alt+a'],
    [stroke('@', { ctrlKey: true, altKey: true, code: 'KeyQ' }), '@'],
    [stroke('ç', { code: 'Semicolon' }), 'ç'],
    [stroke('+', { ctrlKey: true }), 'Mod++'],
  ])('%o is %s', (given, name) => expect(formatKey(given)).toBe(name));

  test.each(['Control', 'Shift', 'Alt', 'Meta', 'Dead'])('%s alone is not a shortcut', (key) => {
    expect(formatKey(stroke(key))).toBeUndefined();
  });

  test('every key of the keyboard has one name, and it fits the settings', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 1 }), fc.boolean(), fc.boolean(), (key, ctrlKey, shiftKey) => {
        const name = formatKey(stroke(key, { ctrlKey, shiftKey }));
        expect(name).toBe(formatKey(stroke(key, { ctrlKey, shiftKey })));
        expect(name?.length).toBeLessThanOrEqual(40);
      }),
    );
  });
});

describe('listeners of a key', () => {
  const endings: (() => void)[] = [];
  afterEach(() => {
    for (const end of endings.splice(0)) end();
    keys.value = defaultKeys;
  });
  const answer = (...args: Parameters<typeof onKey>) => endings.push(onKey(...args));

  test('the last one that asked, until it ends', () => {
    const heard: string[] = [];
    answer('record', () => heard.push('recorder'));
    const end = onKey('record', () => heard.push('dialog'));
    dispatchKey(stroke(' '), 'page');
    end();
    dispatchKey(stroke(' '), 'page');
    expect(heard).toEqual(['dialog', 'recorder']);
  });

  test('a fallback answers only if nobody else does, whatever the order', () => {
    const heard: string[] = [];
    const end = onKey('record', () => heard.push('recorder'));
    endings.push(onKeyOtherwise('record', () => heard.push('banner')));
    dispatchKey(stroke(' '), 'page');
    end();
    dispatchKey(stroke(' '), 'page');
    expect(heard).toEqual(['recorder', 'banner']);
  });

  test('without a listener the platform keeps the key', () => expect(dispatchKey(stroke(' '), 'page')).toBe(false));

  test('a text field keeps its letters and its undo, and leaves the other keys', () => {
    const heard: string[] = [];
    answer('next', () => heard.push('next'));
    answer('undo', () => heard.push('undo'));
    answer('generate', () => heard.push('generate'));
    expect(dispatchKey(stroke('j'), 'text')).toBe(false);
    expect(dispatchKey(stroke('z', { ctrlKey: true }), 'text')).toBe(false);
    expect(dispatchKey(stroke('Enter', { ctrlKey: true }), 'text')).toBe(true);
    expect(heard).toEqual(['generate']);
  });

  test('a button keeps Enter and Space', () => {
    answer('record', () => expect.unreachable());
    expect(dispatchKey(stroke(' '), 'control')).toBe(false);
  });

  test('a key that was set is the one that counts', () => {
    let count = 0;
    answer('record', () => count++);
    keys.value = { ...defaultKeys, record: 'F4' };
    expect(dispatchKey(stroke(' '), 'page')).toBe(false);
    expect(dispatchKey(stroke('F4'), 'text')).toBe(true);
    expect(count).toBe(1);
  });
});

test('no two actions have one key at first', () => {
  for (const [action, key] of Object.entries(defaultKeys)) expect(findAction(key, defaultKeys), key).toBe(action);
});

test('keys are shown as they are printed', () => {
  expect(shownKey('Mod+Shift+Enter', false, { space: 'Space' })).toBe('Ctrl Shift ↵');
  expect(shownKey('Mod+Shift+Enter', true, { space: 'Space' })).toBe('⌘⇧↵');
  expect(shownKey('Space', false, { space: 'Espaço' })).toBe('Espaço');
  expect(shownKey('j', false, { space: '' })).toBe('J');
});
