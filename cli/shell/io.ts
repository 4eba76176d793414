/**
 * Input and output of the command line. Data goes to stdout; progress, notices and errors to stderr. Everything that
 * depends on a terminal (colour, tables, spinners, questions) is decided here. Text from a server or a file never
 * controls a terminal: control characters are made visible there (characters.ts), while pipes and files get the data
 * unchanged.
 */
import type { Readable, Writable } from 'node:stream';
import { AppError } from '../../src/contract/errors.ts';
import { inertJson, shownText } from '../../src/domain/characters.ts';
import type { Tone } from './view.ts';

export interface Io {
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Writable;
  /** `table` for a person, `tsv` for a pipe, `json` on request. */
  readonly output: 'table' | 'tsv' | 'json';
  /** Whether questions can be asked. */
  readonly interactive: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Columns of the terminal of stderr; without one, lines can have any length. */
  readonly noticeWidth: number;
  /** The terminal of stdout as a drawing surface, if there is one. */
  readonly canvas: Canvas | undefined;
  /** The same of stderr, if progress can be drawn. */
  readonly progressCanvas: Canvas | undefined;
  /** Whether a person reads stderr at a terminal; otherwise it may be stored, and must not contain patient data. */
  readonly isRead: boolean;
  /** Whether stdout is a terminal. */
  readonly toTerminal: boolean;
  /** Filter of `--jq`. */
  readonly jq: string | undefined;
  /** Colours the text for stdout or stderr, if allowed. */
  paint(text: string, tone: Tone, stream?: 'out' | 'err'): string;
  out(text: string): Promise<void>;
  /** Writes a file's bytes unchanged; to a terminal, with control characters made visible. */
  outBytes(chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Writes a line to stderr; if a program reads stderr, the line waits for `unsaid`. */
  notice(text: string, tone?: Tone): void;
  /** Writes all further notices at once, for any reader: the command runs until it is stopped. */
  noticeAtOnce(): void;
  /**
   * Returns the waiting notices without duplicates. With `--json` they belong to the error, which is the only output on
   * stderr.
   */
  takeNotices(): string[];
  /** Rings the bell of the terminal of stderr. */
  ring(): void;
  /** Shows progress on a terminal's stderr; otherwise nothing. */
  progress<T>(text: string, work: (update: (text: string) => void) => Promise<T>): Promise<T>;
}

/** A terminal with cursor addressing; its size may change. */
export interface Canvas {
  /** The line without terminal control, except colours. */
  shown(line: string): string;
  /** Writes text and control sequences unchanged. */
  write(text: string): Promise<void>;
  size(): { readonly columns: number; readonly rows: number };
  /** The returned function ends the drawing. */
  onResize(listener: () => void): () => void;
}

export interface Terminal {
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Writable & { isTTY?: boolean; columns?: number; rows?: number };
  readonly stderr: Writable & { isTTY?: boolean; columns?: number; rows?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface IoChoices {
  readonly output: 'auto' | Io['output'];
  readonly jq: string | undefined;
  readonly color: 'auto' | 'always' | 'never';
  readonly input: boolean;
}

/** A closed pipe is the reader's choice, so its error passes unchanged (run.ts); a full disk becomes an AppError. */
const unwritable = (error: NodeJS.ErrnoException): Error =>
  error.code === 'EPIPE'
    ? error
    : new AppError('USAGE', { message: `Standard output cannot be written (${error.code}).`, cause: error });

/** Maximum number of waiting notices; the latest are kept. */
const maxWaiting = 100;

/** SGR codes, readable on light and dark backgrounds. */
const sgr: Readonly<Record<Tone, readonly [number, number] | undefined>> = {
  plain: undefined,
  strong: [1, 22],
  faint: [2, 22],
  good: [32, 39],
  busy: [34, 39],
  warn: [33, 39],
  bad: [31, 39],
};

const ownColours = /(\u001b\[(?:1|22|2|3[1-4]|39)m)/;

/** Text with all terminal control removed, except our own colours, if allowed. */
const shownInColours = (text: string, mayColour: boolean): string =>
  mayColour
    ? text
        .split(ownColours)
        .map((part, at) => (at % 2 === 1 ? part : shownText(part)))
        .join('')
    : shownText(text);

/** JSON on one line, or indented, without terminal control. */
export const jsonText = (data: unknown, indent?: number): string => inertJson(JSON.stringify(data, null, indent));

export function createIo(terminal: Terminal, choices: IoChoices): Io {
  const { stdin, stdout, stderr, env } = terminal;
  // https://no-color.org: any value that is not empty.
  const mayColor = choices.color !== 'never' && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const json = choices.jq !== undefined || choices.output === 'json';
  const always = choices.color === 'always';
  const colors = {
    out: mayColor && (always || stdout.isTTY === true),
    err: mayColor && (always || stderr.isTTY === true),
  };
  // A terminal that reports no size (0 columns) would keep the spinner clearing lines forever.
  const moves = stderr.isTTY === true && stderr.columns !== 0 && env['TERM'] !== 'dumb' && !env['CI'];

  const write = (stream: Writable, chunk: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      stream.write(chunk, (error) => (error ? reject(unwritable(error)) : resolve()));
    });

  const canvasOn = (stream: Terminal['stdout'], mayColour: boolean): Canvas => ({
    shown: (line) => shownInColours(line, mayColour).replaceAll('\n', ' '),
    write: (text) => write(stream, text),
    size: () => ({ columns: stream.columns || 80, rows: stream.rows || 24 }),
    onResize(listener) {
      stream.on('resize', listener);
      return () => void stream.off('resize', listener);
    },
  });

  let waits = json && stderr.isTTY !== true;
  let waiting: string[] = [];

  return {
    stdin,
    stdout,
    canvas: stdout.isTTY === true && env['TERM'] !== 'dumb' ? canvasOn(stdout, colors.out) : undefined,
    progressCanvas: moves ? canvasOn(stderr, colors.err) : undefined,
    isRead: stderr.isTTY === true,
    toTerminal: stdout.isTTY === true,
    output: json ? 'json' : choices.output !== 'auto' ? choices.output : stdout.isTTY ? 'table' : 'tsv',
    interactive: choices.input && stdin.isTTY === true && stderr.isTTY === true && !env['CI'],
    noticeWidth: (stderr.isTTY === true && stderr.columns) || Infinity,
    width: stdout.columns || Number(env['COLUMNS']) || 100,
    jq: choices.jq,
    paint(text, tone, stream = 'out') {
      const codes = sgr[tone];
      return codes && colors[stream] ? `\u001b[${codes[0]}m${text}\u001b[${codes[1]}m` : text;
    },
    out: (text) => write(stdout, stdout.isTTY ? shownInColours(text, colors.out) : text),
    async outBytes(chunks) {
      if (!stdout.isTTY) {
        for await (const chunk of chunks) await write(stdout, chunk);
        return;
      }
      const decoder = new TextDecoder();
      for await (const chunk of chunks) await write(stdout, shownText(decoder.decode(chunk, { stream: true })));
      await write(stdout, shownText(decoder.decode()));
    },
    // Notices are for people, whether stderr is a terminal or not.
    notice(text, tone = 'plain') {
      if (waits) waiting = [...waiting, text].slice(-maxWaiting);
      else stderr.write(`${shownInColours(this.paint(text, tone, 'err'), colors.err)}\n`);
    },
    noticeAtOnce() {
      waits = false;
      for (const text of this.takeNotices()) this.notice(text);
    },
    takeNotices() {
      const texts = waiting;
      waiting = [];
      return texts;
    },
    ring() {
      if (stderr.isTTY) stderr.write('\u0007');
    },
    async progress(text, work) {
      if (!moves) return work(() => {});
      const { default: ora } = await import('ora');
      const started = Date.now();
      let said = text;
      const elapsed = () => {
        const seconds = Math.floor((Date.now() - started) / 1000);
        return seconds < 1 ? said : `${said} (${seconds} s)`;
      };
      // The spinner's own reading of stdin would swallow Ctrl-C.
      const spinner = ora({
        text: said,
        stream: stderr as NodeJS.WriteStream,
        color: 'cyan',
        discardStdin: false,
      }).start();
      const tick = setInterval(() => (spinner.text = elapsed()), 250);
      try {
        return await work((next) => {
          said = shownText(next);
          spinner.text = elapsed();
        });
      } finally {
        clearInterval(tick);
        spinner.stop();
      }
    },
  };
}
