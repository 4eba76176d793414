/**
 * Sentences that a language model proposes for the impression of the open report. Nothing comes into the report until
 * the person takes it.
 */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Section } from '../../../../src/contract/document.ts';
import { describesFindings } from '../../../../src/reporting/checks/comparing.ts';
import { concludes } from '../../../../src/reporting/sections/section-kinds.ts';
import type { Place } from '../../../../src/reporting/versions/word-positions.ts';
import { withText } from '../../../../src/reporting/versions/with-text.ts';
import type { Bridge, BridgeError } from '../../../bridge/bridge.ts';
import type { CallOutput } from '../../../bridge/calls.ts';
import { asBridgeError } from '../bridge.ts';
import { isChanged } from './document-state.ts';
import type { ReportStore } from './report-store.ts';
import type { ReportSaving } from './saving.ts';

type Answer = CallOutput<'record.propose_impression'>;

/** `sections`: the report whose findings were read. */
export type Proposals =
  | { readonly phase: 'asking' }
  | { readonly phase: 'failed'; readonly error: BridgeError }
  | (Answer & { readonly phase: 'offered'; readonly sections: readonly Section[] });

export interface ReportProposing {
  /** `null`: nobody asked, or the person closed them. */
  readonly proposals: ReadonlySignal<Proposals | null>;
  /** Whether the findings have changed since they were read, so that no sentence can be taken. */
  readonly isProposalOutdated: ReadonlySignal<boolean>;
  /** Words of the findings to mark: the basis of the sentence that the person looks at. */
  readonly cited: Signal<readonly Place[]>;
  /** Saves the report and asks; text that cannot be saved is not asked about. */
  propose(): Promise<void>;
  /** Adds sentences to the impression, each on its own line, and saves. */
  takeProposed(sentences: readonly string[]): Promise<void>;
  /** Removes a sentence from the impression, unless somebody edited it since. */
  takeBackProposed(sentence: string): Promise<void>;
  /** Closes the proposals, or stops waiting for them. */
  closeProposals(): void;
}

/** The section that takes the sentences. */
export const findImpression = (sections: readonly Section[]): Section | undefined =>
  sections.find(({ key }) => concludes(key));

export const hasSentence = ({ text }: Pick<Section, 'text'>, sentence: string): boolean => text.includes(sentence);

const withLine = (text: string, line: string): string => (text.trim() === '' ? line : `${text.trimEnd()}\n${line}`);

/** Without the sentence, and the white space that separated it from the one before. */
function withoutSentence(text: string, sentence: string): string {
  const at = text.lastIndexOf(sentence);
  if (at < 0) return text;
  const [before, after] = [text.slice(0, at), text.slice(at + sentence.length)];
  return before.trim() === '' ? after.trimStart() : `${before.trimEnd()}${after}`;
}

export function createProposing(bridge: Bridge, store: ReportStore, saving: ReportSaving): ReportProposing {
  const proposals = signal<Proposals | null>(null);
  const cited = signal<readonly Place[]>([]);
  let asking = new AbortController();
  const closeProposals = (): void => {
    asking.abort();
    cited.value = [];
    proposals.value = null;
  };
  return {
    proposals,
    isProposalOutdated: computed(() => {
      const present = store.signals.sections.value;
      const shown = proposals.value;
      if (shown?.phase !== 'offered') return false;
      const read = (sections: readonly Section[]) => JSON.stringify(sections.filter(describesFindings));
      return read(present) !== read(shown.sections);
    }),
    cited,
    async propose() {
      closeProposals();
      const { signal: ended } = (asking = new AbortController());
      proposals.value = { phase: 'asking' };
      await saving.save();
      if (ended.aborted) return;
      if (isChanged(store.peek())) {
        const error = store.peek().error ?? { code: 'VERSION_CONFLICT', message: '' };
        proposals.value = { phase: 'failed', error };
        return;
      }
      const { id, version, sections } = store.present();
      const answer = await bridge.call('record.propose_impression', { id, version }, undefined, ended).then(
        (data): Proposals => ({ phase: 'offered', ...data, sections }),
        (thrown: unknown): Proposals => ({ phase: 'failed', error: asBridgeError(thrown) }),
      );
      if (!ended.aborted) proposals.value = answer;
    },
    async takeProposed(sentences) {
      for (const text of sentences) {
        const { sections } = store.peek();
        const impression = findImpression(sections);
        if (!impression || hasSentence(impression, text)) continue;
        const { key } = impression;
        saving.edit(
          { sections: withText(sections, key, withLine(impression.text, text)) },
          { section: key, text, proposed: true },
        );
      }
      await saving.save();
    },
    async takeBackProposed(sentence) {
      const { sections } = store.peek();
      const impression = findImpression(sections);
      if (!impression) return;
      saving.edit({ sections: withText(sections, impression.key, withoutSentence(impression.text, sentence)) });
      await saving.save();
    },
    closeProposals,
  };
}
