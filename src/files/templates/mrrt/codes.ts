/** Reads the head of an MRRT template: title, language, coded content. */
import type { SectionCode } from '../../../contract/template.ts';
import { findAll, rawText, textIn, parseTree } from './tree.ts';
import type { Element } from './tree.ts';

/** The head of a template. */
export interface Head {
  readonly title: string;
  /** As the file writes it: `en`, `pt-BR`. */
  readonly language: string;
  readonly specialty: string;
  /** Codes by the ids of what they are about. */
  readonly codes: ReadonlyMap<string, SectionCode>;
  /** The exams that the template is for, in words. */
  readonly about: string;
}

/** Coding schemes of MRRT by how the contract calls them. */
const systems: Readonly<Record<string, SectionCode['system']>> = {
  LOINC: 'LN',
  LN: 'LN',
  DCM: 'DCM',
  DICOM: 'DCM',
  RADLEX: 'RADLEX',
  SNOMEDCT: 'SCT',
  SNOMED: 'SCT',
  SCT: 'SCT',
};

export function readHead(document: Element): Head {
  const metas = findAll(document, 'meta');
  const meta = (...names: readonly string[]): string =>
    names
      .flatMap((name) => metas.filter((each) => each.attributes['name']?.toLowerCase() === name))
      .map(({ attributes }) => oneLine(attributes['content'] ?? ''))
      .find((content) => content !== '') ?? '';
  const [html] = findAll(document, 'html');
  const [title] = findAll(document, 'title');
  const coded = codedContent(document);
  return {
    title: meta('dcterms.title', 'dc.title') || (title ? textIn(title) : ''),
    language: meta('dcterms.language', 'dc.language') || html?.attributes['lang'] || html?.attributes['xml:lang'] || '',
    specialty: meta('dcterms.subject', 'dcterms.coverage'),
    codes: coded.codes,
    about: [meta('dcterms.subject.modality'), meta('dcterms.subject.anatomy'), ...coded.about].join(' '),
  };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The XML in a script of the head, also inside a comment. */
function codedContent(document: Element): { codes: ReadonlyMap<string, SectionCode>; about: string[] } {
  const codes = new Map<string, SectionCode>();
  const about: string[] = [];
  for (const script of findAll(document, 'script').filter(isXml)) {
    const xml = parseTree(rawText(script).replace(/^\s*<!--|-->\s*$/g, ''), { xml: true, from: script.line });
    for (const entry of findAll(xml, 'entry')) {
      const [code] = findAll(entry, 'code');
      const read = code && readCode(code);
      const id = entry.attributes['origtxt'];
      if (id !== undefined && read && !codes.has(id)) codes.set(id, read);
    }
    const entries = new Set(findAll(xml, 'entry').flatMap((entry) => findAll(entry, 'code')));
    for (const code of findAll(xml, 'code')) {
      if (!entries.has(code)) about.push(oneLine(code.attributes['meaning'] ?? ''));
    }
  }
  return { codes, about };
}

/** Scripts that hold coded content; others are programs. */
export const isXml = ({ attributes }: Element): boolean => /xml/i.test(attributes['type'] ?? '');

/** `RID170` is also written as `http://radlex.org/RID/RID170`. */
function readCode({ attributes }: Element): SectionCode | undefined {
  const system = systems[(attributes['scheme'] ?? '').toUpperCase().replace(/[^A-Z]/g, '')];
  const code = /[A-Za-z0-9._-]{1,32}$/.exec(attributes['value']?.trim() ?? '')?.[0];
  return system && code ? { system, code } : undefined;
}
