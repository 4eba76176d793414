/** Plain text: the whole file is one report. */
import { fileMessage } from '../../contract/messages/files.ts';
import { maxPriorLength } from '../../contract/prior.ts';
import { tooLarge } from '../worklist/bytes.ts';
import type { Reader } from '../worklist/reader.ts';
import { problem } from '../worklist/reading.ts';
import { damage } from '../worklist/text.ts';
import { textOfBody } from './body-text.ts';

export const readText: Reader = async function* ({ text }) {
  let content = '';
  for await (const chunk of text.chunks()) {
    content += chunk;
    // A report of that many characters may have line ends of two each.
    if (content.length > 2 * maxPriorLength)
      throw tooLarge(fileMessage('text'), maxPriorLength, fileMessage('one_report'));
  }
  const position = { line: 1 };
  if (text.isDamaged(content)) return yield [problem(position, damage.message, damage.hint)];
  const { text: words, warnings } = textOfBody(content);
  yield [{ kind: 'item', item: { text: words }, position, ...(warnings.length > 0 && { warnings }) }];
};
