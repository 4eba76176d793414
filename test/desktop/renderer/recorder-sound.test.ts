/** The parts of the recorder that work on sound: what is heard, what is drawn, which key was pressed. */
import * as fc from '../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { keysPressed } from '../../../desktop/renderer/audio/dictation-device.ts';
import { peakBetween, getShownSeconds } from '../../../desktop/renderer/state/recorder/waveform.ts';

describe('the outline', () => {
  const before = { peaks: [0.1, 0.2, 0.3, 0.4], seconds: 4 };
  const live = { peaks: [0.9, 0.8], seconds: 2 };
  const shape = (mode: 'insert' | 'overwrite' | 'append', at: number) =>
    Array.from({ length: 7 }, (_, n) =>
      peakBetween(before, live, { id: 'take', mode, at, base: 4, captured: 2, saved: 2, kept: 0, gaps: [] }, n, n + 1),
    );

  test('an insertion moves the rest back; overwriting does not', () => {
    expect(shape('insert', 1)).toEqual([0.1, 0.9, 0.8, 0.2, 0.3, 0.4, null]);
    expect(shape('overwrite', 1)).toEqual([0.1, 0.9, 0.8, 0.4, null, null, null]);
    expect(shape('append', 4)).toEqual([0.1, 0.2, 0.3, 0.4, 0.9, 0.8, null]);
  });

  test('there is always room after the end, and it changes seldom', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 7200, noNaN: true }), (seconds) => {
        expect(getShownSeconds(seconds)).toBeGreaterThan(seconds);
      }),
    );
    expect(new Set(Array.from({ length: 600 }, (_, seconds) => getShownSeconds(seconds))).size).toBeLessThan(12);
  });
});

describe('keys of dictation devices', () => {
  test('a key counts when it goes down, once', () => {
    expect(keysPressed(0, 32, false)).toEqual(['record']);
    expect(keysPressed(32, 32, false)).toEqual([]);
    expect(keysPressed(32, 0, false)).toEqual([]);
    expect(keysPressed(32, 32 | 1, false)).toEqual(['rewind']);
    expect(keysPressed(0, 256, false)).toEqual(['stop']);
  });

  test('the large pedal of a foot control records', () => {
    expect(keysPressed(0, 2, true)).toEqual(['record']);
    expect(keysPressed(0, 4, true)).toEqual(['play']);
    expect(keysPressed(0, 1, true)).toEqual(['rewind']);
  });
});
