/** The priors of an exam: the list, the open one, and the sentences copied from it. */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { Section } from '../../../src/contract/document.ts';
import type { Prior, PriorSummary } from '../../../src/contract/prior.ts';
import {
  findComparisons,
  comparisonWords,
  isCompared,
  measurementsIn,
  withComparison,
  withSentence,
} from '../../../src/reporting/priors/comparisons.ts';
import type { Comparison } from '../../../src/reporting/priors/comparisons.ts';
import type { Bridge, BridgeError } from '../../bridge/bridge.ts';
import { asBridgeError } from './bridge.ts';
import { isReady } from './report/document.ts';
import type { OpenReport, ReadyReport } from './report/document.ts';
import { mayChange } from './report/report-rights.ts';
import { createLatestRequest } from './time/latest-request.ts';
import { elementAt } from '../../../src/domain/elements.ts';

export interface Priors {
  /** `undefined` until the list is read. */
  readonly items: ReadonlySignal<readonly PriorSummary[] | undefined>;
  /** How many of the first are of the same part of the body. */
  readonly related: ReadonlySignal<number>;
  /** Why the list or the open prior could not be read. */
  readonly error: ReadonlySignal<BridgeError | null>;
  /** Whether this is the last list read, because the service is unreachable. */
  readonly isKept: ReadonlySignal<boolean>;
  /** Index of the open prior. */
  readonly at: ReadonlySignal<number | null>;
  /** The open prior with its text, once read. */
  readonly open: ReadonlySignal<Prior | null>;
  read(): Promise<void>;
  show(at: number): Promise<void>;
  /** Opens the next prior of the list, or with -1 the previous one; stops at either end. */
  step(by: 1 | -1): Promise<void>;
  close(): void;
}

export function createPriors(itemId: string, bridge: Bridge): Priors {
  const items = signal<readonly PriorSummary[] | undefined>(undefined);
  const error = signal<BridgeError | null>(null);
  const related = signal(0);
  const isKept = signal(false);
  const at = signal<number | null>(null);
  const read = signal<Prior | null>(null);
  const lastList = createLatestRequest();
  const lastPrior = createLatestRequest();
  /** Only the answer to the last request is shown, in whatever order answers arrive. */
  const answered = async <T>(
    last: ReturnType<typeof createLatestRequest>,
    asked: Promise<T>,
  ): Promise<T | undefined> => {
    const settled = asked.then(
      (value) => ({ value, failure: null }),
      (thrown: unknown) => ({ value: undefined, failure: asBridgeError(thrown) }),
    );
    const answer = await last(settled);
    if (answer) error.value = answer.failure;
    return answer?.value;
  };
  const priors: Priors = {
    items,
    related,
    error,
    isKept,
    at,
    open: computed(() => (at.value !== null && read.value?.id === items.value?.[at.value]?.id ? read.value : null)),
    async read() {
      const list = await answered(lastList, bridge.call('prior.list', { id: itemId }));
      if (!list) return;
      items.value = list.items;
      related.value = list.related;
      isKept.value = list.kept;
    },
    async show(next) {
      // The key may come before the list.
      if (items.peek() === undefined) await priors.read();
      const prior = items.peek()?.[next];
      if (!prior) return;
      at.value = next;
      const found = await answered(lastPrior, bridge.call('prior.get', { id: prior.id }));
      if (found) read.value = found;
    },
    async step(by) {
      const next = (at.peek() ?? -1) + by;
      if (next >= 0 && next < (items.peek()?.length ?? 0)) await priors.show(next);
    },
    close() {
      at.value = null;
    },
  };
  return priors;
}

/** The current or last position of the caret in the report. */
export interface Caret {
  readonly section: string;
  readonly at: number;
}

/** The report, if text can be inserted into it now. */
export const draftOf = (document: OpenReport | undefined): ReadyReport | null =>
  document && isReady(document) && document.record.value.status === 'draft' && mayChange(document.record.value)
    ? document
    : null;

/** Measurements of the report that correspond to one of the prior and have no comparison yet. */
export const openComparisons = (sections: readonly Section[], prior: Prior): Comparison[] =>
  findComparisons(sections, prior.sections).filter(
    ({ present }) => !isCompared(elementAt(sections, present.section).text, present),
  );

/** The target of a sentence from a section of the prior: the caret, otherwise the end of the matching section. */
function placeFor(sections: readonly Section[], key: string | null, caret: Caret | null): Caret | undefined {
  if (caret && sections.some((section) => section.key === caret.section)) return caret;
  const section =
    sections.find((each) => each.key === key) ?? sections.find((each) => each.key === 'findings') ?? sections[0];
  return section && { section: section.key, at: section.text.length };
}

/** Copies a sentence into the report. Resolves to the title of the target section. */
export async function takeSentence(
  document: OpenReport,
  { id }: Pick<Prior, 'id'>,
  { sentence, key }: { readonly sentence: string; readonly key: string | null },
  caret: Caret | null,
): Promise<string | undefined> {
  const sections = document.sections.peek();
  const place = placeFor(sections, key, caret);
  const section = place && sections.find((each) => each.key === place.section);
  if (!place || !section) return undefined;
  await document.bring(section.key, withSentence(section.text, place.at, sentence).text, { text: sentence, prior: id });
  return section.title;
}

/** Inserts a comparison after its measurement. Resolves to its text. */
export async function insertComparison(
  document: ReadyReport,
  prior: Prior,
  { present, prior: former }: Comparison,
): Promise<string> {
  const section = elementAt(document.sections.peek(), present.section);
  const words = comparisonWords(document.record.peek().language, former);
  await document.bring(section.key, withComparison(section.text, present, words), { text: words, prior: prior.id });
  return words;
}

/**
 * Inserts the comparison nearest to the caret, otherwise the first. If none matches, inserts the first measurement of
 * `sentence` at the caret. Resolves to the inserted text; `undefined` if there is none.
 */
export async function compareNext(
  document: ReadyReport,
  prior: Prior,
  caret: Caret | null,
  sentence: string,
): Promise<string | undefined> {
  const sections = document.sections.peek();
  const isHere = ({ present }: Comparison): boolean => elementAt(sections, present.section).key === caret?.section;
  const distance = ({ present }: Comparison): number => Math.abs(present.end - (caret?.at ?? 0));
  const found = openComparisons(sections, prior);
  const here = found.filter(isHere).toSorted((a, b) => distance(a) - distance(b));
  const next = here[0] ?? found[0];
  if (next) return insertComparison(document, prior, next);
  const [measurement] = measurementsIn([{ key: null, text: sentence }]);
  const section = sections.find(({ key }) => key === caret?.section);
  if (!measurement || !caret || !section) return undefined;
  const words = comparisonWords(document.record.peek().language, measurement);
  await document.bring(section.key, withSentence(section.text, caret.at, `(${words})`).text, {
    text: words,
    prior: prior.id,
  });
  return words;
}
