import * as fc from '../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { placeWindow, smallest } from '../../../desktop/main/window-state.ts';
import type { Rectangle } from '../../../desktop/main/window-state.ts';

const main: Rectangle = { x: 0, y: 25, width: 1920, height: 1055 };
const right: Rectangle = { x: 1920, y: 0, width: 2560, height: 1440 };

describe('the window opens', () => {
  test('in the middle of the main screen at first', () => {
    expect(placeWindow(null, [main, right])).toEqual({ x: 240, y: 103, width: 1440, height: 900 });
  });
  test('where it was', () => {
    const there = { x: 2100, y: 100, width: 1200, height: 1000 };
    expect(placeWindow(there, [main, right])).toEqual(there);
  });
  test('on the main screen, when the other one is gone', () => {
    expect(placeWindow({ x: 2100, y: 100, width: 1200, height: 1000 }, [main])).toEqual({
      x: 360,
      y: 53,
      width: 1200,
      height: 1000,
    });
  });
  test('no larger than a screen that has become smaller', () => {
    expect(placeWindow({ x: 0, y: 0, width: 2400, height: 1400 }, [{ x: 0, y: 0, width: 1024, height: 700 }])).toEqual({
      x: 0,
      y: 0,
      width: 1024,
      height: 700,
    });
  });
  test('seizable, when its upper edge was above the screen', () => {
    expect(placeWindow({ x: 100, y: 5, width: 800, height: 700 }, [main])).toMatchObject({ x: 100, y: 25 });
  });
  test('on an unknown screen', () => {
    expect(placeWindow(null, [])).toMatchObject({ width: 1440, height: 900 });
  });

  const side = fc.integer({ min: -10_000, max: 10_000 });
  const screens = fc.array(
    fc.record({
      x: side,
      y: side,
      width: fc.integer({ min: 200, max: 8000 }),
      height: fc.integer({ min: 200, max: 5000 }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const remembered = fc.record({
    x: side,
    y: side,
    width: fc.integer({ min: -5, max: 20_000 }),
    height: fc.integer({ min: -5, max: 20_000 }),
  });

  test('where it can be seized, whatever the screens are today', () => {
    fc.assert(
      fc.property(remembered, screens, (window, areas) => {
        const placed = placeWindow(window, areas);
        const area = areas.find(
          (screen) =>
            Math.min(placed.x + placed.width, screen.x + screen.width) - Math.max(placed.x, screen.x) >=
              Math.min(120, screen.width) &&
            placed.y >= screen.y &&
            placed.y + 20 <= screen.y + screen.height,
        );
        // A screen smaller than the smallest window shows a part of it.
        const fits = areas.every(({ width, height }) => width >= smallest.width && height >= smallest.height);
        if (fits) expect(area).toBeDefined();
        expect(placed.width).toBeGreaterThanOrEqual(smallest.width);
        expect(placed.height).toBeGreaterThanOrEqual(smallest.height);
      }),
    );
  });
});
