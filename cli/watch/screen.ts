/**
 * Draws on the whole terminal without flicker, on the alternate screen, which preserves the previous content. Only
 * changed lines are written, at once if the terminal supports synchronised output.
 */
import type { Canvas } from '../shell/io.ts';

export interface Screen {
  /** Shows these lines, each at most as wide as the terminal, from the top; lines that do not fit are omitted. */
  draw(lines: readonly string[]): Promise<void>;
  /** Makes the next `draw` write everything, because the terminal's size has changed. */
  forget(): void;
  /** Restores the terminal. */
  close(): Promise<void>;
}

const escape = '\u001b[';
/** Alternate screen, no cursor, no line wrap. */
const enter = `${escape}?1049h${escape}?25l${escape}?7l${escape}2J`;
const leave = `${escape}?7h${escape}?25h${escape}?1049l`;
const together = [`${escape}?2026h`, `${escape}?2026l`] as const;
/** Erased first: after writing a full line, the cursor is on its last character. */
const lineAt = (row: number, text: string): string => `${escape}${row + 1};1H${escape}2K${text}${escape}0m`;

export async function openScreen(canvas: Canvas): Promise<Screen> {
  let shown: readonly string[] = [];
  // Restores the terminal, however the process ends.
  const atExit = (): void => void process.stdout.write(leave);
  process.once('exit', atExit);
  await canvas.write(enter);
  return {
    async draw(lines) {
      const { rows } = canvas.size();
      const next = Array.from({ length: rows }, (_, row) => lines[row] ?? '');
      const changed = next.flatMap((line, row) => (line === shown[row] ? [] : [lineAt(row, canvas.shown(line))]));
      shown = next;
      if (changed.length > 0) await canvas.write(together[0] + changed.join('') + together[1]);
    },
    forget() {
      shown = [];
    },
    async close() {
      process.off('exit', atExit);
      await canvas.write(leave);
    },
  };
}
