/** The words of HTML as plain text with its lines: nothing in it runs, and nothing of it is ever shown as HTML. */
import { Parser } from 'htmlparser2';

/** Elements that begin a line, and end one. */
const blocks = new Set(
  'address article aside blockquote body br caption dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);
const headings = /^h[1-6]$/;
/** Elements whose content is no text of the page. */
const opaque = new Set('head script style noscript template object iframe svg math title'.split(' '));

/** A heading ends in a colon, which distinguishes it from a line of text. */
export function textOfHtml(html: string): string {
  const lines: string[] = [];
  let line = '';
  /** How many elements are open whose content is no text, and whose line ends count. */
  let hidden = 0;
  let kept = 0;
  /** Whether line ends count, per open element. */
  const keeping: boolean[] = [];
  const end = (): void => {
    const words = kept > 0 ? line.trimEnd() : line.replace(/[ \t\r\n\f]+/g, ' ').trim();
    if (words !== '') lines.push(words);
    line = '';
  };
  const parser = new Parser(
    {
      onopentag(name, { style = '' }) {
        if (opaque.has(name)) hidden += 1;
        keeping.push(name === 'pre' || /white-space\s*:\s*pre/i.test(style));
        if (keeping.at(-1)) kept += 1;
        if (blocks.has(name)) end();
        if (headings.test(name)) lines.push('');
        if (name === 'li') line = '- ';
        if (name === 'td' || name === 'th') line += ' ';
      },
      ontext(text) {
        if (hidden === 0) line += text;
      },
      onclosetag(name) {
        if (headings.test(name) && /[^\s:]\s*$/.test(line)) line = `${line.trimEnd()}:`;
        if (blocks.has(name)) end();
        if (opaque.has(name)) hidden -= 1;
        if (keeping.pop()) kept -= 1;
      },
    },
    { recognizeSelfClosing: true, recognizeCDATA: true },
  );
  parser.end(html);
  end();
  return lines.join('\n').trim();
}
