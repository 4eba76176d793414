/** What to look at before signing. */
import type { Finding as ReviewedFinding, FindingKind } from '../../contract/finding.ts';
import type { Language } from '../../contract/shared.ts';
import { fold } from '../../domain/fold.ts';
import { tables } from '../languages/index.ts';
import type { Span } from '../words/token.ts';

/** A `warning` is open until somebody acknowledges it; a `question` asks; `info` tells. */
export type Severity = ReviewedFinding['severity'];

/** Words of another section, or a field of the exam, that a finding rests on. */
export type Evidence = (Span & { readonly section: string }) | { readonly field: string };

/** A finding as a check tells it; what somebody did about it is kept beside (`status`, `by`, `at`). */
export interface Finding {
  /** The same for the same finding in a later version, as long as its words stay. */
  readonly id: string;
  readonly kind: FindingKind;
  readonly severity: Severity;
  readonly section: string;
  /** In the text of the section; equal for a section as a whole. */
  readonly start: number;
  readonly end: number;
  /** The words in the transcript that it is about. */
  readonly transcript: Span | null;
  /** In the document's language. */
  readonly message: string;
  readonly evidence: readonly Evidence[];
}

/** What a check found, before it has its message and its id. */
export interface Found {
  readonly kind: FindingKind;
  /** Which of the kind's messages. */
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
    | 'file'
    | 'gap';
  readonly severity: Severity;
  readonly section: string;
  readonly start: number;
  readonly end: number;
  readonly transcript?: Span | null;
  /** Fill the message: `written` and `said` are words. */
  readonly words?: Readonly<Partial<Record<'written' | 'said' | 'other' | 'exam' | 'section', string>>>;
  readonly evidence?: readonly Evidence[];
}

/** FNV-1a, of 32 bits, as eight figures. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

/** Findings with messages and ids, in the order of the document. */
export function toFindings(found: readonly Found[], language: Language, order: readonly string[]): Finding[] {
  const { messages } = tables[language];
  const seen = new Map<string, number>();
  const rank = new Map(order.map((key, at) => [key, at]));
  const sorted = found.toSorted(
    (a, b) => (rank.get(a.section) ?? 99) - (rank.get(b.section) ?? 99) || a.start - b.start || a.end - b.end,
  );
  return sorted.map(
    ({ kind, variant, severity, section, start, end, transcript = null, words = {}, evidence = [] }) => {
      const name = [kind, section, words.written ?? '', words.said ?? '', words.other ?? ''].map(fold).join('|');
      const number = seen.get(name) ?? 0;
      seen.set(name, number + 1);
      const template = messages[variant === undefined ? kind : `${kind}.${variant}`] ?? kind;
      const message = template.replace(/\{(\w+)\}/g, (_, field: string) => words[field as 'written'] ?? '');
      return {
        id: `f_${hashOf(`${name}|${number}`)}`,
        kind,
        severity,
        section,
        start,
        end,
        transcript,
        message,
        evidence,
      };
    },
  );
}
