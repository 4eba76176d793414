/**
 * The language and template of a report: the person's choice for this dictation, which stores it, otherwise the
 * settings.
 */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { Language } from '../../../../src/contract/shared.ts';
import type { AppSettings } from '../../../bridge/settings.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import type { Dictation } from '../../../bridge/dictation.ts';
import { putDictation } from './dictations.ts';

export interface Choices {
  readonly language: Language;
  /** `null`: the exam decides. */
  readonly template_id: string | null;
}

export interface ReportChoices {
  readonly choices: ReadonlySignal<Choices>;
  choose(change: Partial<Choices>): Promise<void>;
}

export function reportChoices(deps: {
  readonly bridge: Bridge;
  readonly settings: () => Pick<AppSettings, 'document_language' | 'template_id'>;
  /** The dictation, if it can still be changed. */
  readonly open: () => Dictation | null;
}): ReportChoices {
  const chosen = signal<Partial<Choices>>({});
  const choices = computed((): Choices => {
    const { document_language: language, template_id } = deps.settings();
    const { language: begun = language, template_id: begunBy = template_id } = deps.open() ?? {};
    return { language: begun, template_id: begunBy, ...chosen.value };
  });
  return {
    choices,
    async choose(change) {
      chosen.value = { ...chosen.peek(), ...change };
      const dictation = deps.open();
      // If the choice can't be stored now, the report request repeats it.
      const answer = dictation && deps.bridge.call('dictation.choose', { id: dictation.id, ...choices.peek() });
      await answer?.then(putDictation, () => undefined);
    },
  };
}
