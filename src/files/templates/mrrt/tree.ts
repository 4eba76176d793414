/** The elements of an HTML file, as a tree of plain data: nothing in it runs, and nothing of it is ever shown as HTML. */
import { fileMessage } from '../../../contract/messages/files.ts';
import { Parser } from 'htmlparser2';
import { noTemplate } from '../reading.ts';

export interface Element {
  readonly name: string;
  /** Keys are names in lower case. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
  /** Line of the file, from 1. */
  readonly line: number;
}

type Open = { -readonly [K in keyof Element]: Element[K] } & { children: (Element | string)[] };

/** More than any template has; a file with more is made to exhaust its reader. */
const limits = { depth: 100, elements: 50_000 };

/** Elements whose content is no text of the page. */
const opaque: ReadonlySet<string> = new Set(['style', 'noscript', 'template']);

/**
 * Reads HTML, also if it is written as XML. `xml` reads only XML, in which no element has special rules. VALIDATION_FAILED if
 * the elements are too many or too deep.
 */
export function parseTree(text: string, { xml = false, from = 1 }: { xml?: boolean; from?: number } = {}): Element {
  const root: Open = { name: '', attributes: {}, children: [], line: from };
  const open: Open[] = [];
  const innermost = (): Open => open.at(-1) ?? root;
  const lines = lineCounter(text, from);
  let elements = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        elements += 1;
        const isDeep = open.length >= limits.depth;
        if (isDeep || elements > limits.elements) {
          throw noTemplate(
            isDeep
              ? fileMessage('mrrt_deep', { count: limits.depth })
              : fileMessage('mrrt_elements', { count: limits.elements }),
          );
        }
        const element: Open = { name, attributes, children: [], line: lines(parser.startIndex) };
        innermost().children.push(element);
        open.push(element);
      },
      ontext(data) {
        const { name, children } = innermost();
        if (!opaque.has(name)) children.push(data);
      },
      onclosetag(name) {
        const at = open.findLastIndex((each) => each.name === name);
        if (at >= 0) open.length = at;
      },
    },
    {
      recognizeSelfClosing: true,
      recognizeCDATA: true,
      xmlMode: xml,
      lowerCaseTags: true,
      lowerCaseAttributeNames: true,
    },
  );
  parser.end(withMergeFields(text));
  return root;
}

/** `<<PATIENT NAME>>`, which is no element: as long as before, so that places in the text stay. */
const withMergeFields = (text: string): string =>
  text.replace(/<<([^<>\n]{1,60})>>/g, (_, name: string) => `\u00ab\u00ab${name}\u00bb\u00bb`);

/** Counts lines up to places that only go forward. */
function lineCounter(text: string, from: number): (place: number) => number {
  let [line, at] = [from, 0];
  return (place) => {
    for (; at < place; at += 1) if (text[at] === '\n') line += 1;
    return line;
  };
}

/** The elements below, in their order, in which `isWanted` holds; not those below such a one. */
export function findElements({ children }: Element, isWanted: (element: Element) => boolean): Element[] {
  return children.flatMap((child) =>
    typeof child === 'string' ? [] : isWanted(child) ? [child] : findElements(child, isWanted),
  );
}

/** All elements below with these names, at any depth. */
export const findAll = (element: Element, ...names: readonly string[]): Element[] =>
  element.children.flatMap((child) =>
    typeof child === 'string' ? [] : [...(names.includes(child.name) ? [child] : []), ...findAll(child, ...names)],
  );

/** The text of an element, on one line. */
export const textIn = (element: Element): string => rawText(element).replace(/\s+/g, ' ').trim();

/** The text of an element with its lines. */
export const rawText = ({ children }: Element): string =>
  children.map((child) => (typeof child === 'string' ? child : rawText(child))).join('');
