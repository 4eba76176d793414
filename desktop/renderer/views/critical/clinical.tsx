/** Clinical additions to a report: critical results, and forms for scores and measurements, each with a key. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CriticalResult } from '../../../../src/contract/critical.ts';
import { openResults } from '../../../../src/reporting/critical.ts';
import { t } from '../../i18n/index.ts';
import { lazily } from '../../parts/lazily.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import { onKey } from '../../state/keys.ts';
import { notify, notifyError } from '../../state/notices.ts';
import { go } from '../../state/route.ts';
import type { ReadyReport } from '../../state/report/document.ts';
import { items } from '../../state/worklist/worklist.ts';
import type { Caret } from '../scores/scores.tsx';
import { CriticalDialog } from './critical-dialog.tsx';
import type { CriticalQuestion } from './critical-dialog.tsx';
import { CriticalResults } from './critical-results.tsx';

const Scores = lazily(() => import('../scores/scores.tsx').then((module) => module.Scores));

function caretIn(target: EventTarget | null): Caret | undefined {
  if (!(target instanceof HTMLTextAreaElement) || !target.id.startsWith('section-')) return undefined;
  const { id, selectionStart: start, selectionEnd: end } = target;
  return { section: id.slice('section-'.length), start, end };
}

export function Clinical({ document }: { document: ReadyReport }) {
  const [asked, setAsked] = useState<CriticalQuestion | null>(null);
  const [isScoring, setScoring] = useState(false);
  const caret = useRef<Caret>(undefined);
  const record = document.record.value;
  const item = record.worklist_item_id === null ? undefined : items.value?.get(record.worklist_item_id);

  const markAndAsk = async ({ section, start, end }: Caret): Promise<void> => {
    const text = document.sections.peek().find(({ key }) => key === section)?.text ?? '';
    const words = text.slice(start, end).trim();
    await document.markCritical({ section, words });
    const result = openOf(document).find((each) => each.section === section && each.words === words);
    if (result) setAsked({ kind: 'tell', result });
  };
  useEffect(() => {
    const leave = ({ target }: FocusEvent): void => void (caret.current = caretIn(target) ?? caret.current);
    globalThis.document.addEventListener('focusout', leave);
    const ends = [
      onKey('critical', () => {
        go({ pane: 'document' });
        const at = caretIn(globalThis.document.activeElement);
        const [first] = openOf(document);
        if (at && at.end > at.start)
          return void markAndAsk(at).catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
        if (first) return setAsked({ kind: 'tell', result: first });
        notify({ tone: 'info', text: t('clinical.critical_none') });
      }),
      onKey('scores', () => {
        go({ pane: 'document' });
        caret.current = caretIn(globalThis.document.activeElement) ?? caret.current;
        setScoring(true);
      }),
    ];
    return () => {
      globalThis.document.removeEventListener('focusout', leave);
      for (const end of ends) end();
    };
  }, [document]);

  return (
    <>
      <CriticalResults document={document} onAsk={(kind, result) => setAsked({ kind, result })} />
      <CriticalDialog
        document={document}
        asked={asked}
        referring={item?.referring_physician ?? null}
        onClose={() => setAsked(null)}
      />
      {isScoring && <Scores document={document} exam={item} caret={caret.current} onClose={() => setScoring(false)} />}
    </>
  );
}

const openOf = (document: ReadyReport): readonly CriticalResult[] => openResults(document.record.peek());
