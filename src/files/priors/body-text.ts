/** The words of a report that came as plain text, or as the markup of the editor in which it was written. */
import type { Message } from '../../contract/messages/message.ts';
import { fileMessage } from '../../contract/messages/files.ts';
import { encodedOnce } from '../worklist/code-pages.ts';
import { textOfHtml } from './html-text.ts';
import { isRtf, textOfRtf } from './rtf-text.ts';

/** Elements by which reports are written; "size <b" is none of them. */
const element =
  /<\/?(?:html|body|div|p|br|span|table|tr|td|ul|ol|li|h[1-6]|font|b|i|u|strong|em|pre)(?:\s[^<>]{0,500})?\/?>/gi;

/** A text that begins with an element, or holds several. */
const isHtml = (text: string): boolean =>
  /^\s*<(?:!doctype|html|body|div|p|span|table|pre)\b/i.test(text) || (text.match(element)?.length ?? 0) >= 2;

export interface BodyText {
  readonly text: string;
  /** Points for a person to check. */
  readonly warnings: readonly Message[];
}

export function textOfBody(body: string): BodyText {
  const plain = isRtf(body) ? textOfRtf(body) : isHtml(body) ? textOfHtml(body) : body;
  const once = encodedOnce(plain);
  return {
    text: once ?? plain,
    warnings: once === undefined ? [] : [fileMessage('text_utf8_twice')],
  };
}
