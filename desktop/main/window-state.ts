/**
 * Remembers the window's position and restores it if possible, since screens come and go. In Electron's
 * device-independent pixels.
 */
import { boolean, integer, nullable, object, oneOf } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { languages } from '../../src/contract/shared.ts';

const Rectangle = object({ x: integer(), y: integer(), width: integer(), height: integer() });
export type Rectangle = TypeOf<typeof Rectangle>;

/** The shell's data between starts. */
export const ShellState = object(
  {
    /** Bounds of the window when it is not maximised. */
    bounds: nullable(Rectangle),
    maximized: boolean(),
    /** Language of the last person: used by the menus until somebody logs in. */
    locale: nullable(oneOf(languages)),
  },
  {
    /** Whether the person was informed that files here are not encrypted. */
    told_unencrypted: boolean(),
    /** Bounds of the report's window. */
    report: Rectangle,
  },
);
export type ShellState = TypeOf<typeof ShellState>;

export const atFirst: ShellState = { bounds: null, maximized: false, locale: null };

/** Minimum size for the page's layout. */
export const smallest = { width: 390, height: 600 } as const;
const defaultSize = { width: 1440, height: 900 } as const;
/** This many pixels of the upper edge must be on a screen, so that the person can grab and move the window. */
const seizable = { width: 120, height: 40 } as const;

/**
 * Chooses the position. `workAreas`: those of all screens without their bars, the main screen first. A window whose
 * upper edge is on no screen is centred on the main screen; no window is larger than its screen.
 */
export function placeWindow(remembered: Rectangle | null, workAreas: readonly Rectangle[]): Rectangle {
  const main = workAreas[0] ?? { x: 0, y: 0, ...defaultSize };
  const area = remembered && workAreas.find((screen) => isSeizable(remembered, screen));
  const within = area ?? main;
  const width = clamp(remembered?.width ?? defaultSize.width, smallest.width, within.width);
  const height = clamp(remembered?.height ?? defaultSize.height, smallest.height, within.height);
  if (remembered && area) {
    // The window may extend beyond the sides, as long as the person can grab it.
    const x = clamp(remembered.x, area.x - width + seizable.width, area.x + area.width - seizable.width);
    const y = clamp(remembered.y, area.y, area.y + area.height - seizable.height);
    return { x, y, width, height };
  }
  return {
    x: Math.round(main.x + (main.width - width) / 2),
    y: Math.round(main.y + (main.height - height) / 2),
    width,
    height,
  };
}

function isSeizable(window: Rectangle, screen: Rectangle): boolean {
  const across = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x);
  const down = Math.min(window.y + seizable.height, screen.y + screen.height) - Math.max(window.y, screen.y);
  return across >= seizable.width && down >= seizable.height / 2;
}

/** A screen may be smaller than the minimum size; then the window is, too. */
const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), Math.max(min, max));
