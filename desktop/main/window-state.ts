/** Where the window was, and where it can be today: screens come and go. In Electron's device-independent pixels. */
import { boolean, integer, nullable, object, oneOf } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { languages } from '../../src/contract/shared.ts';

const Rectangle = object({ x: integer(), y: integer(), width: integer(), height: integer() });
export type Rectangle = TypeOf<typeof Rectangle>;

/** What the shell remembers from one start to the next. */
export const ShellState = object(
  {
    /** As it is when it is not maximised. */
    bounds: nullable(Rectangle),
    maximized: boolean(),
    /** Of whoever was there last: the menus speak it before anybody has logged in. */
    locale: nullable(oneOf(languages)),
  },
  /** The person knows that what is kept here is not encrypted. */
  { told_unencrypted: boolean() },
);
export type ShellState = TypeOf<typeof ShellState>;

export const atFirst: ShellState = { bounds: null, maximized: false, locale: null };

/** Smaller the page is not laid out for. */
export const smallest = { width: 390, height: 600 } as const;
const usual = { width: 1440, height: 900 } as const;
/** Of the window's upper edge so much has to be on a screen that it can be seized and moved. */
const seizable = { width: 120, height: 40 } as const;

/**
 * Where to open. `workAreas`: of every screen, without its bars, the main one first. A window whose upper edge is on none
 * goes to the middle of the main one, and no window is larger than the screen that it is on.
 */
export function placeWindow(remembered: Rectangle | null, workAreas: readonly Rectangle[]): Rectangle {
  const main = workAreas[0] ?? { x: 0, y: 0, ...usual };
  const area = remembered && workAreas.find((screen) => isSeizable(remembered, screen));
  const within = area ?? main;
  const width = clamp(remembered?.width ?? usual.width, smallest.width, within.width);
  const height = clamp(remembered?.height ?? usual.height, smallest.height, within.height);
  if (remembered && area) {
    // What the person let stand out at the sides stays so, as far as it can still be seized.
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

/** A screen that is smaller than the smallest size gives way. */
const clamp = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), Math.max(least, most));
