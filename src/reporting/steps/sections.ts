/** Spoken section names, and the beginnings of their texts. */
import type { Change } from '../operation.ts';
import { buildFates, findHull } from '../operation.ts';
import { beginsSentence, phraseAt } from '../words/phrases.ts';
import { sectionKind } from '../sections/section-kinds.ts';
import { continuesName, sectionNameAt } from '../sections/section-names.ts';
import type { SectionName, SectionNames } from '../sections/section-names.ts';
import { isBoundary } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';

export interface SectionContext {
  readonly names: SectionNames;
  /** Keys of the document's sections, in order. */
  readonly order: readonly string[];
  /** The section of the words before the first name. */
  readonly current: string;
  /** Whether the speaker paused after this heard token; `null`: nobody spoke, the text was typed. */
  readonly pausesAfter: ((heard: number) => boolean) | null;
}

/** A section name, with the colon or stop after it: tokens `from` up to `to`. */
interface Heading {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** Replaces each name with the beginning of its section. */
export function findSections(tokens: readonly Token[], context: SectionContext): Change[] {
  const changes: Change[] = [];
  let { current } = context;
  let end = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const heading = headingAt(tokens, at, { ...context, current, end });
    if (!heading) continue;
    current = heading.key;
    end = heading.to;
    const hull = findHull(tokens.slice(heading.from, heading.to));
    const start: Token = {
      kind: 'section',
      text: '',
      folded: '',
      spaced: true,
      ...hull,
      origin: 'converted',
      section: heading.key,
    };
    const fates = buildFates(tokens.slice(heading.from, heading.to), 'command');
    changes.push({ rule: 'name', from: heading.from, to: heading.to, out: [start], fates });
    at = heading.to - 1;
  }
  return changes;
}

interface Here extends SectionContext {
  /** Where the last heading ended. */
  readonly end: number;
}

function headingAt(tokens: readonly Token[], at: number, here: Here): Heading | undefined {
  const token = elementAt(tokens, at);
  if (token.kind !== 'word' || token.isEscaped) return undefined;
  if (!here.pausesAfter) return typedAt(tokens, at, here);
  const moved = movedTo(tokens, at, here);
  if (moved) return moved;
  const went = startsSentence(tokens, at, here) ? phraseAt(tokens, at, here.names.goTo) : undefined;
  return (
    (went && namedAt(tokens, { at, nameAt: went.to, isCommand: true }, here)) ??
    namedAt(tokens, { at, nameAt: at, isCommand: false }, here)
  );
}

/** "Objetivo: … Análisis: …": the analysis of an examination is its diagnosis. */
const keyAfter = (current: string, { key }: SectionName, { folded }: Token, { assessments }: SectionNames): string =>
  current === 'examination' && key === 'findings' && assessments.has(folded) ? 'diagnosis' : key;

/** A typed name: at the beginning of a sentence with a colon, or alone on its line. */
function typedAt(tokens: readonly Token[], at: number, { names, current }: Here): Heading | undefined {
  const found = sectionNameAt(tokens, at, names);
  if (!found) return undefined;
  const from = beforeName(tokens, at);
  const to = afterEmphasis(tokens, found.to);
  const isLine = (token: Token | undefined): boolean => token === undefined || token.kind === 'break';
  const heading = { key: keyAfter(current, found.value, elementAt(tokens, at), names), from };
  if (tokens[to]?.text === ':') {
    return beginsSentence(tokens, from) ? { ...heading, to: afterEmphasis(tokens, to + 1) } : undefined;
  }
  return isLine(tokens[from - 1]) && isLine(tokens[to]) ? { ...heading, to } : undefined;
}

/** Skips the marks that emphasise a name in a written text ("**Findings**"). */
function afterEmphasis(tokens: readonly Token[], at: number): number {
  let to = at;
  while (/^[*_]$/.test(tokens[to]?.text ?? '') && tokens[to]?.spaced === false) to += 1;
  return to;
}

const startsSentence = (tokens: readonly Token[], at: number, { end }: Here): boolean =>
  at === end || beginsSentence(tokens, at);

/** "próximo campo", "next field" */
function movedTo(tokens: readonly Token[], at: number, { names, order, current }: Here): Heading | undefined {
  const next = phraseAt(tokens, at, names.next);
  const found = next ?? phraseAt(tokens, at, names.previous);
  if (!found) return undefined;
  const place = order.indexOf(current);
  const key = order[next ? Math.min(place + 1, order.length - 1) : Math.max(place - 1, 0)];
  return key === undefined ? undefined : { key, from: at, to: afterMarks(tokens, found.to) };
}

/** "Findings: -10 HU": the dash belongs to the number. */
const isSign = (tokens: readonly Token[], at: number): boolean =>
  /^[–—-]$/.test(elementAt(tokens, at).text) &&
  tokens[at + 1]?.kind === 'figure' &&
  (!elementAt(tokens, at + 1).spaced || tokens[at - 1]?.text === ':');

/** Skips the stops after a name, and the marks that end a written heading ("**Findings:**"). */
const afterMarks = (tokens: readonly Token[], at: number): number => {
  let to = at;
  for (; tokens[to]?.kind === 'mark'; to += 1) {
    const { text, spaced } = elementAt(tokens, to);
    if (
      elementAt(tokens, to).isKept ||
      isSign(tokens, to) ||
      (!/^[.,;:–—-]$/.test(text) && (spaced || !/^[*_]$/.test(text)))
    )
      break;
  }
  return to;
};

/** Marks before a name in a text that is written with headings ("## Findings"). */
function beforeName(tokens: readonly Token[], at: number): number {
  let from = at;
  while (from > 0 && elementAt(tokens, from - 1).kind === 'mark' && /^[*_#•]$/.test(elementAt(tokens, from - 1).text))
    from -= 1;
  return from;
}

function namedAt(
  tokens: readonly Token[],
  { at, nameAt, isCommand }: { at: number; nameAt: number; isCommand: boolean },
  here: Here,
): Heading | undefined {
  const found = sectionNameAt(tokens, nameAt, here.names);
  if (!found) return undefined;
  const from = beforeName(tokens, at);
  let { to } = found;
  while (/^[*_]$/.test(tokens[to]?.text ?? '')) to += 1;
  const after = tokens[to];
  const hasColon =
    after?.text === ':' ||
    (after?.kind === 'mark' && /^[-–—]$/.test(after.text) && after.spaced && tokens[to + 1]?.spaced === true);
  const isAlone = after === undefined || isBoundary(after) || after.text === '.';
  const isStart = from === here.end || beginsSentence(tokens, from);
  // "… sem derrame, impressão: normal": a comma is boundary enough if a colon follows.
  if (!isStart && !(hasColon && /^[,)]$/.test(tokens[from - 1]?.text ?? ''))) return undefined;
  const key = keyAfter(here.current, found.value, elementAt(tokens, nameAt), here.names);
  const heading = { key, from, to: afterMarks(tokens, to) };
  if (hasColon || isAlone || isCommand) return heading;
  return !found.value.needsColon && beginsWithoutColon(tokens, heading, to, here) ? heading : undefined;
}

/**
 * Whether a name without a colon begins a section: not right under a name, not in the impression, and not as a part of
 * its sentence.
 */
function beginsWithoutColon(tokens: readonly Token[], { key, from }: Heading, nameTo: number, here: Here): boolean {
  const { current, end, names, order, pausesAfter } = here;
  // "Comparison MRI dated …": words, if the report has no such section.
  const hasSection = order.some((each) => each === key || each === sectionKind(key)?.instead);
  if (!hasSection && sectionKind(key)?.isExpected !== true) return false;
  if (from === end && end > 0) return false;
  if (sectionKind(current)?.concludes === true) return false;
  return (
    !continuesName(tokens, nameTo, names, sectionKind(key)?.concludes === true) ||
    pausesAfter?.(elementAt(tokens, nameTo - 1).to - 1) === true
  );
}
