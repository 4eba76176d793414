/** The spelling of the open report, with its known words: names, the vocabulary, the dictation. */
import { computed, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { asBridgeError, bridge } from '../../state/bridge.ts';
import { notifyError } from '../../state/notices.ts';
import type { OpenReport } from '../../state/report/document.ts';
import { mayChange } from '../../state/report/report-rights.ts';
import { userName } from '../../state/session.ts';
import { settings } from '../../state/settings.ts';
import { followSpelling } from '../../state/spelling/spelling.ts';
import type { Spelling } from '../../state/spelling/spelling.ts';
import { openSpellingThread } from '../../state/spelling/spelling-thread.ts';
import { pageClock } from '../../state/time/page-clock.ts';
import { items } from '../../state/worklist/worklist.ts';

export interface ReportSpelling extends Spelling {
  /** Ignores a word until the page is closed. */
  ignore(word: string): void;
  /** Adds a word to the person's vocabulary. */
  learn(word: string): Promise<void>;
}

/** Words that the person ignored. */
const ignored = signal<readonly string[]>([]);

export function useSpelling(document: OpenReport, itemId: string): ReportSpelling {
  const spelling = useMemo(() => openSpelling(document, itemId), [document]);
  useEffect(() => {
    spelling.read();
    return spelling.close;
  }, [spelling]);
  return spelling;
}

function openSpelling(document: OpenReport, itemId: string): ReportSpelling & { read(): void } {
  const ownWords = signal<readonly string[]>([]);
  const language = computed(() => {
    const record = document.record.value;
    return settings.value?.spell_check && record && mayChange(record) ? record.language : null;
  });
  /** As JSON, to compare: most changes of the worklist leave it unchanged. */
  const known = computed(() => {
    const { transcript, source, preliminary } = document.record.value ?? {};
    const heard = source?.kind === 'audio' ? transcript : null;
    const exam = Object.values(items.value?.get(itemId) ?? {});
    const texts = [...exam, ...ownWords.value, ...ignored.value, heard, userName.value, preliminary?.by];
    return JSON.stringify(texts.filter((text) => typeof text === 'string'));
  });
  const spelling = followSpelling({
    clock: pageClock,
    sections: document.sections,
    language,
    known: computed(() => JSON.parse(known.value) as string[]),
    open: openSpellingThread,
  });
  const add = (words: readonly string[]): void => void (ownWords.value = [...ownWords.peek(), ...words]);
  return {
    ...spelling,
    read() {
      // Without the vocabulary its words may be marked; nothing else is affected.
      bridge()
        .call('vocabulary.list', {})
        .then(
          (answer) => add(answer.items.map(({ write }) => write)),
          () => undefined,
        );
      const written = document.record.peek()?.language ?? settings.peek()?.document_language;
      if (written === undefined) return;
      bridge()
        .call('templates.list', { language: written })
        .then(
          (answer) =>
            add(answer.items.flatMap(({ name, sections }) => [name, ...sections.map((each) => each.text ?? '')])),
          () => undefined,
        );
    },
    ignore: (word) => void (ignored.value = [...ignored.peek(), word]),
    async learn(word) {
      const words = { write: word, for: [], language: language.peek(), owner: 'person' as const };
      add([word]);
      try {
        await bridge().call('vocabulary.save', { words });
      } catch (thrown) {
        ownWords.value = ownWords.peek().filter((each) => each !== word);
        notifyError(asBridgeError(thrown));
      }
    },
  };
}
