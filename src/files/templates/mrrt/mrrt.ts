/**
 * A template in HTML of the MRRT profile (IHE Radiology, Management of Radiology Report Templates), as RSNA publishes them:
 * sections with fields. A text that states findings becomes a macro, since nobody has said it yet.
 */
import { fileMessage } from '../../../contract/messages/files.ts';
import { languages } from '../../../contract/shared.ts';
import type { Language } from '../../../contract/shared.ts';
import type { TemplateDefinition, TemplateExams } from '../../../contract/template.ts';
import { detectLanguage } from '../../../reporting/words/language.ts';
import { macroKey } from '../../../reporting/vocabulary/macros.ts';
import { phraseAt } from '../../../reporting/words/phrases.ts';
import { findRules } from '../../../reporting/rules.ts';
import { tokenise } from '../../../reporting/words/token.ts';
import { findRegions } from '../../../reporting/templates/choose.ts';
import { isSeen, stated } from '../../../reporting/templates/definition.ts';
import { buildNote } from '../../../reporting/templates/notes.ts';
import type { Note } from '../../../reporting/templates/notes.ts';
import { idFromName } from '../../../reporting/templates/id-from-name.ts';
import { normalForm } from '../../../domain/normal-form.ts';
import { noTemplate } from '../reading.ts';
import type { TemplateFile, TemplateOptions } from '../reading.ts';
import { readHead, isXml } from './codes.ts';
import type { Head } from './codes.ts';
import { readContent, isSection, readSectionName } from './content.ts';
import type { Surroundings } from './content.ts';
import { findSectionKind } from './kinds.ts';
import { findAll, findElements, textIn, parseTree } from './tree.ts';
import type { Element } from './tree.ts';

type Section = TemplateDefinition['sections'][number];
type Macro = NonNullable<TemplateDefinition['macros']>[number];

/** Most sections, and most characters of a text (contract: TemplateDefinition). */
const limits = { sections: 60, macros: 200, text: 20_000, title: 200, name: 100 };

export function readMrrt(text: string, options: TemplateOptions): TemplateFile {
  const document = parseTree(text);
  const notes: Note[] = [];
  const head = readHead(document);
  const note: NoteOf = (line, kind, values) => void notes.push(buildNote(line, kind, values));
  const found = findElements(document, isSection);
  const [first] = found;
  if (!first) throw noTemplate(fileMessage('mrrt_sections'));
  const language = options.language ?? languageIn(head, document, note);
  const lists = new Map(findAll(document, 'datalist').map((list) => [list.attributes['id'] ?? '', list]));
  const { sections, macros } = readSections(found, { language, lists, note, head });
  const title = head.title || readSectionName(first) || 'MRRT';
  const exams = findExams(`${title} ${head.about}`, options.modality, note);
  const definition: TemplateDefinition = {
    id: options.id ?? idFromName(title),
    name: title.slice(0, limits.title),
    ...(head.specialty !== '' && { specialty: head.specialty.slice(0, limits.name) }),
    language,
    sections,
    ...(macros.length > 0 && { macros }),
    ...(exams && { exams }),
  };
  noteScripts(document, note);
  return { format: 'mrrt', definition, notes: notes.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)) };
}

type NoteOf = Surroundings['note'];

function languageIn(head: Head, document: Element, note: NoteOf): Language {
  const tag = head.language.trim().toLowerCase();
  const named =
    languages.find((each) => each.toLowerCase() === tag) ??
    languages.find((each) => each.slice(0, 2) === tag.slice(0, 2));
  if (named) return named;
  if (tag !== '') {
    throw noTemplate(
      fileMessage('mrrt_language', { language: JSON.stringify(head.language.slice(0, 20)) }),
      fileMessage('mrrt_languages', { languages: languages.join(', ') }),
    );
  }
  const [body] = findAll(document, 'body');
  const read = (body && detectLanguage(textIn(body))) ?? 'en-US';
  note(null, 'language', { what: read });
  return read;
}

interface Reading extends Surroundings {
  readonly head: Head;
}

function readSections(found: readonly Element[], reading: Reading): { sections: Section[]; macros: Macro[] } {
  const sections: Section[] = [];
  const macros: Macro[] = [];
  for (const element of found) {
    const name = (readSectionName(element) || `Section ${sections.length + 1}`).slice(0, limits.title);
    const code = codeIn(element, reading.head);
    const kind = findSectionKind(name, code, reading.language);
    if (kind === 'patient') {
      reading.note(element.line, 'patient', { section: name });
      continue;
    }
    const key = kind ?? createKey(name);
    const parts = splitParts(element, reading);
    const text = parts
      .map((part) => part.text)
      .filter((each) => each !== '')
      .join('\n');
    if (text.length > limits.text) {
      throw noTemplate(fileMessage('mrrt_long', { name, count: limits.text, line: element.line }));
    }
    const same = sections.find((each) => each.key === key);
    const target = same ?? { key, title: name };
    if (same) reading.note(element.line, 'same_section', { section: name, other: same.title });
    else sections.push(target);
    if (sections.length > limits.sections) throw noTemplate(fileMessage('mrrt_many', { count: limits.sections }));
    if (code && !target.code) target.code = code;
    if (parts.some((part) => part.required) || /^(?:findings|impression|examination|diagnosis)$/.test(key))
      target.required = true;
    placeTexts({ element, target, text, parts, macros }, reading);
  }
  if (sections.length === 0) throw noTemplate(fileMessage('mrrt_only_patient'));
  if (macros.length > limits.macros)
    reading.note(null, 'macros', { n: String(macros.length), kept: String(limits.macros) });
  return { sections, macros: macros.slice(0, limits.macros) };
}

/** A text of the section itself, or of a section in it. */
interface Part {
  /** Empty for the section itself. */
  readonly name: string;
  readonly text: string;
  readonly required: boolean;
}

/** The section itself, and the sections in it, at any depth. */
function splitParts(section: Element, reading: Reading, isInner = false): Part[] {
  const { text, required } = readContent(section, reading);
  const name = isInner ? readSectionName(section) : '';
  const shown = withMergeFields(text, section, reading);
  const own = { name, text: name === '' ? shown : headed(name, shown), required };
  const inner = section.children.flatMap((child) =>
    typeof child === 'string' ? [] : findElements({ ...section, children: [child] }, isSection),
  );
  return [own, ...inner.flatMap((each) => splitParts(each, reading, true))];
}

/** A text under the name of an inner section, on one line where the text has one. */
const headed = (name: string, text: string): string => {
  const title = name.replace(/(?<!\s)\s*:$/, '');
  if (text === '') return `${title}: [__]`;
  return text.includes('\n') ? `${title}:\n${text}` : `${title}: ${text}`;
};

/** `<<PATIENT NAME>>`: what the reporting system of the file would fill in. */
function withMergeFields(text: string, section: Element, { note }: Reading): string {
  return text.replace(/\u00ab\u00ab([^\u00ab\u00bb]*)\u00bb\u00bb/g, (_, name: string) => {
    note(section.line, 'merge_field', { what: name.trim() });
    return `[${name.replace(/[[\]|:]/g, ' ').trim()}: __]`;
  });
}

/** Codes name the section, or the only field in it. */
function codeIn(section: Element, { codes }: Head): Section['code'] {
  const own = codes.get(section.attributes['id'] ?? '');
  if (own) return own;
  const [field, ...others] = findAll(section, 'input', 'textarea', 'select');
  return field && others.length === 0 ? codes.get(field.attributes['id'] ?? '') : undefined;
}

/** A key for a section of no kind of ours. */
const createKey = (name: string): string => {
  const id = idFromName(name).toLowerCase();
  return /^[a-z]/.test(id) ? id : `section_${id}`.slice(0, 64);
};

interface Placing {
  readonly element: Element;
  readonly target: Section;
  readonly text: string;
  readonly parts: readonly Part[];
  readonly macros: Macro[];
}

/** A text that states findings becomes a macro; any other is in the report from the beginning. */
function placeTexts({ element, target, text, parts, macros }: Placing, { language, note }: Reading): void {
  if (text === '') return;
  const statements = stated(text, target.key, language);
  if (statements.length === 0) target.text = target.text === undefined ? text : `${target.text}\n${text}`;
  if (!isSeen(target.key)) return;
  const name = macroName(target.title, language, macros);
  macros.push({ name, section: target.key, text });
  if (statements.length > 0) {
    note(element.line, 'states', { section: target.title, macro: name, n: String(statements.length) });
  }
  const inner = parts.filter((part) => part.name !== '');
  if (inner.length < 2) return;
  for (const part of inner)
    macros.push({ name: macroName(part.name, language, macros), section: target.key, text: part.text });
}

const standard: Readonly<Record<Language, (name: string) => string>> = {
  'pt-BR': (name) => `${name} padrão`,
  'en-US': (name) => `standard ${name}`,
  'es-ES': (name) => `${name} estándar`,
};

/** A name that nobody says by chance, and that no other macro has. */
function macroName(title: string, language: Language, others: readonly Macro[]): string {
  const name = standard[language](title.replace(/(?<!\s)\s*:$/, '').toLowerCase()).slice(0, limits.name - 4);
  const isTaken = (wanted: string): boolean => others.some((other) => macroKey(other.name) === macroKey(wanted));
  let number = 2;
  if (!isTaken(name)) return name;
  while (isTaken(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}

/** Modalities under which exams come that words call by one name. */
const alike: Readonly<Record<string, readonly string[]>> = { CR: ['CR', 'DX'] };

/** The exams by what the title and the codes say; `undefined` where that would be a guess. */
function findExams(about: string, named: string | undefined, note: NoteOf): TemplateExams | undefined {
  const words = tokenise(normalForm(about.replace(/x-?rays?\b/gi, 'x-ray')));
  const modality =
    named ??
    languages
      .flatMap((language) => words.map((_, at) => phraseAt(words, at, findRules(language).lexicon.modalities)?.value))
      .find((value) => value !== undefined);
  const regions = [...findRegions(about)];
  if (modality !== undefined && (regions.length > 0 || named !== undefined)) {
    const modalities = [...(named === undefined ? (alike[modality] ?? [modality]) : [modality])];
    return { modalities, ...(regions.length > 0 && { regions }) };
  }
  note(null, modality === undefined ? 'modality' : 'region');
  return undefined;
}

/** Scripts outside the sections, and what runs by itself. */
function noteScripts(document: Element, note: NoteOf): void {
  const [head] = findAll(document, 'head');
  for (const script of head ? findAll(head, 'script') : []) {
    if (!isXml(script)) note(script.line, 'script');
  }
  const handlers = handlersIn(document);
  if (handlers > 0) note(null, 'handlers', { n: String(handlers) });
}

const handlersIn = ({ attributes, children }: Element): number =>
  Object.keys(attributes).filter((name) => /^on[a-z]+$/.test(name)).length +
  children.reduce((sum, child) => sum + (typeof child === 'string' ? 0 : handlersIn(child)), 0);
