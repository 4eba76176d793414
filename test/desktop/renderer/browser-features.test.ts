/** The page says what a browser lacks. */
import { expect, test } from 'vitest';
import { findMissingFeatures } from '../../../desktop/renderer/state/browser-features.ts';
import type { BrowserScope } from '../../../desktop/renderer/state/browser-features.ts';

const there = () => undefined;
const whole: BrowserScope = {
  isSecureContext: true,
  AudioContext: there,
  AudioWorkletNode: there,
  indexedDB: {},
  BroadcastChannel: there,
  crypto: { subtle: {} },
  navigator: { mediaDevices: { getUserMedia: there }, locks: {} },
  CSS: { supports: () => true },
};

test.each<[string, Readonly<Record<string, unknown>>, string[]]>([
  ['has everything', {}, []],
  ['has no audio thread', { AudioWorkletNode: undefined }, ['record']],
  ['gives no microphone', { navigator: { mediaDevices: {}, locks: {} } }, ['record']],
  ['locks nothing', { navigator: { mediaDevices: { getUserMedia: there } } }, ['keep']],
  ['was opened without https', { crypto: {}, navigator: {} }, ['record', 'keep']],
  ['stores nothing', { indexedDB: undefined }, ['keep']],
  ['knows no anchors', { CSS: { supports: (name: string) => name !== 'position-area' } }, ['menus']],
  ['knows no popovers', { CSS: { supports: (name: string) => !name.startsWith('selector') } }, ['menus']],
])('a browser that %s', (_, change, missing) => {
  expect(findMissingFeatures({ ...whole, ...change })).toEqual(missing);
});
