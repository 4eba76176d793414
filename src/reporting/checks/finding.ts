/** Findings: points for the reader to look at before signing. */
import type { Finding as ReviewedFinding, FindingKind } from '../../contract/finding.ts';
import type { Language } from '../../contract/shared.ts';
import { fold } from '../../domain/fold.ts';
import { tables } from '../languages/index.ts';
import type { Span } from '../words/token.ts';

/** A `warning` is open until somebody acknowledges it; a `question` asks; `info` informs. */
export type Severity = ReviewedFinding['severity'];

/** Words of another section, or a field of the exam, that a finding rests on. */
export type Evidence = (Span & { readonly section: string }) | { readonly field: string };

/** A finding of a check. Its review is stored separately (`status`, `by`, `at`). */
export interface Finding {
  /** Stays the same in later versions, as long as the words stay. */
  readonly id: string;
  readonly kind: FindingKind;
  readonly severity: Severity;
  readonly section: string;
  /** Place in the text of the section; equal if the finding concerns the whole section. */
  readonly start: number;
  readonly end: number;
  /** The words of the transcript that it concerns. */
  readonly transcript: Span | null;
  /** In the report's language. */
  readonly message: string;
  readonly evidence: readonly Evidence[];
  /** Words that may have been said, those of the report first; each can replace them. */
  readonly readings?: readonly string[];
}

/** More places of one kind than people look at, or listen to. */
export const maxPlaces = 50;

/** The result of a check, before it has a message and an id. */
export interface FoundFinding {
  readonly kind: FindingKind;
  /** The variant of the kind's message. */
  readonly variant?:
    | 'alone'
    | 'lost'
    | 'added'
    | 'echo'
    | 'noise'
    | 'inaudible'
    | 'loop'
    | 'unsure'
    | 'unheard'
    | 'once'
    | 'part'
    | 'file'
    | 'gap'
    | 'elsewhere';
  readonly severity: Severity;
  readonly section: string;
  readonly start: number;
  readonly end: number;
  readonly transcript?: Span | null;
  /** Values of the message's placeholders: `written` and `said` are words. */
  readonly words?: Readonly<Partial<Record<'written' | 'said' | 'other' | 'exam' | 'section', string>>>;
  readonly evidence?: readonly Evidence[];
  readonly readings?: readonly string[];
}

/** 32-bit FNV-1a, as eight hexadecimal digits. */
function hashText(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

/** Adds messages and ids to findings, in the order of the report. */
export function toFindings(found: readonly FoundFinding[], language: Language, order: readonly string[]): Finding[] {
  const { messages } = tables[language];
  const seen = new Map<string, number>();
  const rank = new Map(order.map((key, at) => [key, at]));
  const sorted = found.toSorted(
    (a, b) => (rank.get(a.section) ?? 99) - (rank.get(b.section) ?? 99) || a.start - b.start || a.end - b.end,
  );
  return sorted.map(
    ({ kind, variant, severity, section, start, end, transcript = null, words = {}, evidence = [], readings }) => {
      const name = [kind, section, words.written ?? '', words.said ?? '', words.other ?? ''].map(fold).join('|');
      const number = seen.get(name) ?? 0;
      seen.set(name, number + 1);
      const template = messages[variant === undefined ? kind : `${kind}.${variant}`] ?? kind;
      const message = template.replace(/\{(\w+)\}/g, (_, field: string) => words[field as 'written'] ?? '');
      return {
        id: `f_${hashText(`${name}|${number}`)}`,
        kind,
        severity,
        section,
        start,
        end,
        transcript,
        message,
        evidence,
        ...(readings && { readings }),
      };
    },
  );
}
