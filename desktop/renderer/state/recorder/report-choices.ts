/**
 * In which language and by which template the report of an exam is made: as the person chose for this dictation, which
 * keeps it, else as the settings have it.
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
  /** `null`: by the exam. */
  readonly template_id: string | null;
}

export interface ReportChoices {
  readonly choices: ReadonlySignal<Choices>;
  choose(change: Partial<Choices>): Promise<void>;
}

export function reportChoices(deps: {
  readonly bridge: Bridge;
  readonly settings: () => Pick<AppSettings, 'document_language' | 'template_id'>;
  /** The dictation that can still be changed, if there is one. */
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
      // Where it can't be kept now, it is said again when the report is made.
      const kept = dictation && deps.bridge.call('dictation.choose', { id: dictation.id, ...choices.peek() });
      await kept?.then(putDictation, () => undefined);
    },
  };
}
