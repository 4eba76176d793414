/** FHIR in XML (R4 2.6.1), as the JSON of the same resource, as far as a path needs it: what repeats is a list, the rest is not. */
import { fileMessage } from '../../../contract/messages/files.ts';
import { Parser } from 'htmlparser2';
import { AppError } from '../../../contract/errors.ts';
import { tooLarge } from '../bytes.ts';
import type { Resource } from './resources.ts';

const deepest = 64;
/** The narrative is nested deeper, as HTML is. */
const deepestNarrative = 256;
/** FHIR has `value`, `url` and `id`, and names of namespaces. */
const maxAttributes = 32;

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Map<string, unknown[]>;
}

type XmlFault = 'xml_attributes' | 'xml_text_deep' | 'xml_deep' | 'xml_not_closed' | 'xml_ends';

const isResource = (name: string): boolean => /^[A-Z]/.test(name);

/** VALIDATION_FAILED where elements do not match, or the text ends inside; PAYLOAD_TOO_LARGE beyond the limit. */
export async function resourceInXml(chunks: AsyncIterable<string>, limit: number): Promise<Resource> {
  const open: Element[] = [];
  let root: Resource | undefined;
  let fault: XmlFault | undefined;
  /** Inside the narrative, which is for people. */
  let narrative = 0;
  const add = (name: string, value: unknown): void => {
    const parent = open.at(-1);
    if (!parent) root ??= value as Resource;
    else {
      const list = parent.children.get(name);
      if (list) list.push(value);
      else parent.children.set(name, [value]);
    }
  };
  let attributeCount = 0;
  const parser = new Parser(
    {
      onopentagname() {
        attributeCount = 0;
      },
      onattribute() {
        attributeCount += 1;
        if (attributeCount > maxAttributes) fault ??= 'xml_attributes';
      },
      onopentag(full, attributes) {
        const name = full.replace(/^.*:/, '');
        if (narrative > 0 || name === 'div') narrative += 1;
        if (narrative > deepestNarrative) fault ??= 'xml_text_deep';
        if (narrative > 0) return;
        if (open.length >= deepest) fault ??= 'xml_deep';
        else open.push({ name, attributes, children: new Map() });
      },
      onclosetag(full, isImplied) {
        if (narrative > 0) {
          narrative -= 1;
          return;
        }
        if (isImplied && full.replace(/^.*:/, '') === open.at(-1)?.name && !isEmptyTag()) fault ??= 'xml_not_closed';
        const element = open.pop();
        if (element) add(element.name, convertElement(element));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  /** `<value value="…"/>` is closed as it is opened. */
  const isEmptyTag = (): boolean => (open.at(-1)?.children.size ?? 0) === 0;
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw tooLarge(fileMessage('fhir_file'), limit, fileMessage('at_character', { at: limit }));
    parser.write(chunk);
    if (fault) break;
  }
  if (!fault && open.length > 0) fault = 'xml_ends';
  parser.end();
  if (fault || !root) {
    throw new AppError('VALIDATION_FAILED', {
      message: fault ? fileMessage('xml_damaged_why', { why: fileMessage(fault) }) : fileMessage('xml_damaged'),
      hint: fileMessage('get_resources'),
    });
  }
  return root;
}

function convertElement({ name, attributes, children }: Element): unknown {
  // An extension of a value, such as the time of a birth, is no separate value.
  if (attributes['value'] !== undefined) return attributes['value'];
  const members = [...children].map(([key, values]) => [key, values.length === 1 ? values[0] : values] as const);
  const fields = Object.fromEntries([
    ...(attributes['url'] === undefined ? [] : [['url', attributes['url']] as const]),
    ...members,
  ]);
  if (isResource(name)) return { resourceType: name, ...fields };
  // An element such as `resource` or `contained` wraps a resource.
  const [only] = members;
  return members.length === 1 && only && isResource(only[0]) ? only[1] : fields;
}
