/** A few changing lines at the end of a terminal's output, below permanent lines. */
import type stringWidthOf from 'string-width';
import type { Canvas } from './io.ts';

export interface ProgressArea {
  /** Replaces the changing lines; each must be narrower than the terminal. */
  draw(lines: readonly string[]): void;
  /** Writes permanent lines above the others. */
  keep(lines: readonly string[]): void;
  /** Removes the changing lines, until the next `draw`. */
  clear(): void;
  close(): void;
}

const escape = '\u001b[';
const [hideCursor, showCursor] = [`${escape}?25l`, `${escape}?25h`];
const together = [`${escape}?2026h`, `${escape}?2026l`] as const;

export function openProgressArea(canvas: Canvas, stringWidth: typeof stringWidthOf): ProgressArea {
  let drawn: readonly string[] = [];
  // Restores the cursor, however the process ends.
  const atExit = (): void => void process.stderr.write(showCursor);
  process.once('exit', atExit);
  // A closed terminal is no reason to stop.
  const write = (text: string): void => void canvas.write(text).catch(() => undefined);

  /** A narrowed terminal has wrapped the lines, so the current rows are counted. */
  const erased = (): string => {
    const { columns } = canvas.size();
    const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(stringWidth(line) / columns)), 0);
    return rows === 0 ? '' : `\r${rows > 1 ? `${escape}${rows - 1}A` : ''}${escape}J`;
  };
  const replace = (kept: readonly string[], next: readonly string[]): void => {
    const shown = next.map((line) => canvas.shown(line));
    const text = [...kept.map((line) => `${canvas.shown(line)}\n`), shown.join('\n')].join('');
    write(`${together[0]}${drawn.length === 0 ? hideCursor : ''}${erased()}${text}${together[1]}`);
    drawn = shown;
  };
  const clear = (): void => {
    if (drawn.length > 0) write(`${erased()}${showCursor}`);
    drawn = [];
  };
  return {
    draw: (lines) => replace([], lines),
    keep: (lines) => replace(lines, drawn),
    clear,
    close() {
      clear();
      process.off('exit', atExit);
    },
  };
}
