/** Reads a section of an MRRT template as lines of text with Laudio's fields. */
import { asText, createChoice, linesOf, readField, unitIn } from './fields.ts';
import type { ReadField } from './fields.ts';
import { findAll, findElements, textIn } from './tree.ts';
import type { Element } from './tree.ts';
import { isXml } from './codes.ts';
import type { Language } from '../../../contract/shared.ts';
import type { Note, NoteKind } from '../../../reporting/templates/notes.ts';

export interface Content {
  /** Lines, parted by line feeds; empty where the section only has a place for words. */
  readonly text: string;
  /** Whether the file asks for words here before a report is signed. */
  readonly required: boolean;
}

export interface Surroundings {
  readonly language: Language;
  readonly lists: ReadonlyMap<string, Element>;
  note(line: number | null, kind: NoteKind, values?: Note['values']): void;
}

export const isSection = ({ name }: Element): boolean => name === 'section';

/** The name that a section has for people. */
export function readSectionName(section: Element): string {
  const [header] = section.children.filter(
    (child): child is Element => typeof child !== 'string' && /^(?:header|h[1-6])$/.test(child.name),
  );
  const { attributes } = section;
  const named = attributes['data-section-heading'] ?? attributes['data-section-name'] ?? '';
  return named.trim() || (header ? textIn(header) : '') || (attributes['id'] ?? '');
}

/** Elements that begin a line, and end one. */
const blocks = new Set(
  'p div li ul ol dl dt dd tr table tbody thead br hr fieldset blockquote pre h1 h2 h3 h4 h5 h6 header footer article aside form'.split(
    ' ',
  ),
);
/** Elements that are more than words. */
const pictures = new Set('img svg object embed iframe video audio canvas map math picture applet'.split(' '));
const yesNo: Readonly<Record<Language, string>> = { 'pt-BR': 'sim|não', 'en-US': 'yes|no', 'es-ES': 'sí|no' };

/** The content of a section without its header and without the sections in it. */
export function readContent(section: Element, around: Surroundings): Content {
  const options = readOptions(section);
  const ownName = readSectionName(section);
  const lines: string[] = [];
  let line = '';
  let label = '';
  /** Places for words, and whatever else there is. */
  const seen = { places: 0, more: false };
  const end = (): void => {
    lines.push(linesOf(line));
    [line, label] = ['', ''];
  };
  const put = ({ text, isFreeText, lost }: ReadField, at: number): void => {
    for (const { kind, what } of lost) around.note(at, kind, { field: label, ...(what !== undefined && { what }) });
    line += ` ${text}`;
    if (isFreeText) seen.places += 1;
    else seen.more = true;
  };
  const say = (text: string): void => {
    const unit = /\[__\]\s*$/.test(line) ? unitIn(text) : undefined;
    line =
      unit === undefined
        ? line + asText(text)
        : `${line.replace(/\]\s*$/, '')} ${unit}]${asText(text.trimStart().slice(unit.length))}`;
    if (/[\p{L}\p{N}]/u.test(text)) seen.more = true;
  };
  const walk = (element: Element): void => {
    for (const child of element.children) {
      if (options.isTaken(child)) continue;
      if (typeof child === 'string') say(child.replace(/\s+/g, ' '));
      else visit(child, element);
    }
  };
  const visit = (element: Element, parent: Element): void => {
    const { name, attributes, line: at } = element;
    if (isSection(element) || name === 'datalist') return;
    if (parent === section && /^(?:header|h[1-6])$/.test(name) && textIn(element) === ownName) return;
    if (name === 'header' && parent === section) return;
    if (name === 'script' && !isXml(element)) return around.note(at, 'script');
    if (name === 'script') return;
    if (pictures.has(name)) return around.note(at, 'picture', { what: name });
    if (name === 'a' && attributes['href']) around.note(at, 'link');
    if (attributes['title']?.trim()) around.note(at, 'hint', { what: attributes['title'].trim().slice(0, 120) });
    const choice = options.of(element, around.language);
    if (choice) return put(choice, at);
    if (options.isOption(element)) return;
    if (/^(?:input|select|textarea)$/.test(name)) {
      if (/_FreeText$/i.test(attributes['id'] ?? '')) return around.note(at, 'other_words');
      const unit = unitIn(/\(([^()]*)\)$/.exec(label)?.[1] ?? '');
      // The unit moves into the field: "Size (mm): [ ]" becomes "Size: [__ mm]".
      if (unit !== undefined) line = line.replace(/(?<!\s)\s*\([^()]*\):\s*$/, ': ');
      const read = readField(element, { label, unit, lists: around.lists });
      return read ? put(read, at) : around.note(at, 'field_type', { what: attributes['type'] ?? '' });
    }
    if (name === 'button') return around.note(at, 'button');
    if (name === 'label' && findAll(element, 'input', 'select', 'textarea').length === 0) {
      label = textIn(element).replace(/(?<!\s)\s*:$/, '');
      if (label !== '') line += ` ${asText(label)}${/[.?!]$/.test(label) ? '' : ':'} `;
      return;
    }
    if (!blocks.has(name)) return walk(element);
    end();
    walk(element);
    end();
  };
  walk(section);
  end();
  const required =
    findElements(section, ({ attributes }) =>
      /^(?:PROHIBIT|ALERT)$/i.test(attributes['data-field-completion-action'] ?? ''),
    ).length > 0;
  const isPlaceOnly = !seen.more && seen.places <= 1;
  return { text: isPlaceOnly ? '' : linesOf(lines.join('\n')), required };
}

/** Checkboxes and radio buttons of a section: each group becomes one choice, in the place of its first. */
function readOptions(section: Element) {
  const labels = new Map(
    findAll(section, 'label').flatMap((label) => {
      const id = label.attributes['for'];
      return id === undefined ? [] : [[id, label] as const];
    }),
  );
  const groups = new Map<string, Option[]>();
  /** The options of a group, by its first tick; of the other ticks none. */
  const optionsAt = new Map<Element, readonly Option[]>();
  const taken = new Set<Element | string>();
  const gather = (parent: Element): void => {
    parent.children.forEach((child, at) => {
      if (typeof child === 'string') return;
      if (!isTick(child)) return gather(child);
      const { id = '', name = '', value = '' } = child.attributes;
      const label = labels.get(id);
      const beside = parent.name === 'label' ? parent : { ...parent, children: besideTick(parent.children, at + 1) };
      if (label && label !== parent) taken.add(label);
      else for (const each of beside.children) if (each !== child) taken.add(each);
      const text = (label ? textIn(label) : '') || textIn(beside) || value.trim();
      const option = { text, isSelected: 'checked' in child.attributes };
      const group = name || `#${id || groups.size}`;
      const known = groups.get(group);
      known?.push(option);
      const options = known ? [] : [option];
      if (!known) groups.set(group, options);
      optionsAt.set(child, options);
    });
  };
  gather(section);
  return {
    isTaken: (child: Element | string): boolean =>
      taken.has(child) && (typeof child !== 'string' || child.trim() !== ''),
    isOption: (element: Element): boolean => optionsAt.has(element),
    of(element: Element, language: Language): ReadField | undefined {
      const options = optionsAt.get(element) ?? [];
      const [only, ...others] = options;
      if (!only) return undefined;
      const several = element.attributes['type']?.toLowerCase() === 'checkbox';
      if (several && others.length === 0) {
        const named = createChoice([{ text: `${only.text.replace(/[.:]$/, '')}`, isSelected: false }], false);
        const lost = only.isSelected ? [{ kind: 'preselected' } as const] : [];
        return {
          text: `[${named.text.replace(/[[\]]/g, '').replaceAll(':', ' ')}: ${yesNo[language]}]`,
          isFreeText: false,
          lost,
        };
      }
      return createChoice(options, several);
    },
  };
}

interface Option {
  readonly text: string;
  readonly isSelected: boolean;
}

/** The content from a place up to the next tick or line. */
function besideTick(children: Element['children'], from: number): Element['children'] {
  const rest = children.slice(from);
  const end = rest.findIndex((child) => typeof child !== 'string' && (isTick(child) || blocks.has(child.name)));
  return end < 0 ? rest : rest.slice(0, end);
}

const isTick = ({ name, attributes }: Element): boolean =>
  name === 'input' && /^(?:checkbox|radio)$/i.test(attributes['type'] ?? '');
