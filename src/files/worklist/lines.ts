/** Lines of a text, whatever ends them: LF, CR LF or CR. */
import { fileMessage } from '../../contract/messages/files.ts';
import { tooLarge } from './bytes.ts';

/** The lines that a chunk completed; `first` is the number, from 1, of the first of them. */
export interface Lines {
  readonly first: number;
  readonly lines: readonly string[];
  /** The last line has no end: it may be cut off. */
  readonly isOpen?: true;
}

/** PAYLOAD_TOO_LARGE at a line of more than `limit` characters, before it is held whole. */
export async function* splitLines(chunks: AsyncIterable<string>, limit: number): AsyncGenerator<Lines> {
  let first = 1;
  let held: string[] = [];
  let heldSize = 0;
  let endedWithCr = false;
  for await (const chunk of chunks) {
    if (chunk === '') continue;
    // A CR LF that lies across two chunks ends one line.
    const text = endedWithCr && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    endedWithCr = chunk.endsWith('\r');
    const lines = text.includes('\r') ? text.split(/\r\n|\r|\n/) : text.split('\n');
    const rest = lines.pop() ?? '';
    const [beginning] = lines;
    if (beginning !== undefined) {
      if (heldSize > 0) lines[0] = held.join('') + beginning;
      held = [];
      heldSize = 0;
      const long = lines.findIndex((line) => line.length > limit);
      if (long !== -1) throw tooLarge(fileMessage('line'), limit, fileMessage('at_line', { line: first + long }));
      yield { first, lines };
      first += lines.length;
    }
    heldSize += rest.length;
    if (heldSize > limit) throw tooLarge(fileMessage('line'), limit, fileMessage('at_line', { line: first }));
    if (rest !== '') held.push(rest);
  }
  if (heldSize > 0) yield { first, lines: [held.join('')], isOpen: true };
}
