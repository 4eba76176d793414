/** Reads the XML of S3 servers. */
import { Parser } from 'htmlparser2';

export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  /** The text directly in it, entities resolved. */
  readonly text: string;
}

type Draft = { -readonly [K in keyof XmlElement]: XmlElement[K] } & { children: XmlElement[] };

/** The root element; `undefined`: the text has none. A proxy may answer HTML in the place of XML. */
export function parseXml(text: string): XmlElement | undefined {
  const document: Draft = { name: '', children: [], text: '' };
  const open: Draft[] = [document];
  const parser = new Parser(
    {
      onopentag(name) {
        const element: Draft = { name, children: [], text: '' };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(data) {
        const innermost = open.at(-1);
        if (innermost) innermost.text += data;
      },
      onclosetag() {
        if (open.length > 1) open.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return document.children.find(({ name }) => !name.startsWith('?'));
}

export const findChildren = (element: XmlElement | undefined, name: string): readonly XmlElement[] =>
  element?.children.filter((each) => each.name === name) ?? [];

/** The text of the first child of that name. */
export const findText = (element: XmlElement | undefined, name: string): string | undefined =>
  findChildren(element, name)[0]?.text;
