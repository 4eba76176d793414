/** The prior reports of the patient: a list by exam, with one of them open next to the report. */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { examTime } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { asBridgeError, bridge } from '../../state/bridge.ts';
import { onKey } from '../../state/keys.ts';
import { notify, notifyError } from '../../state/notices.ts';
import { compareNext, createPriors, draftOf, takeSentence } from '../../state/priors.ts';
import type { Caret, Priors as State } from '../../state/priors.ts';
import { openedReport } from '../../state/report/opened-report.ts';
import { go, route } from '../../state/route.ts';
import { now } from '../../state/time/now.ts';
import { examDate, PriorChip } from './prior-facts.tsx';
import { priorColumn } from './prior-column.ts';
import { PriorReader } from './prior-reader.tsx';
import type { Sentence } from './prior-reader.tsx';

export function Priors({ itemId }: { itemId: string }) {
  const priors = useMemo(() => createPriors(itemId, bridge()), [itemId]);
  const caret = useLastCaret();
  /** The sentence that was last under the focus or the pointer. */
  const sentence = useSignal<Sentence | null>(null);
  /** The pane that was visible before the reader was opened. */
  const previousPane = useRef(route.peek().pane);
  const document = useComputed(() =>
    openedReport.value?.itemId === itemId ? openedReport.value.document : undefined,
  ).value;
  useEffect(() => void priors.read(), [priors]);

  const take = (chosen: Sentence | null): void => {
    const [draft, prior] = [draftOf(document), priors.open.peek()];
    if (!draft || !prior || !chosen) return;
    takeSentence(draft, prior, chosen, caret.peek()).then(
      (section) => section !== undefined && notify({ tone: 'done', text: t('priors.taken', { section }) }),
      (thrown: unknown) => notifyError(asBridgeError(thrown)),
    );
  };
  const compare = (): void => {
    const [draft, prior] = [draftOf(document), priors.open.peek()];
    if (!draft || !prior) return;
    compareNext(draft, prior, caret.peek(), sentence.peek()?.sentence ?? '').then(
      (words) =>
        words === undefined
          ? notify({ tone: 'info', text: t('priors.compare_none') })
          : notify({ tone: 'done', text: t('priors.compared', { words }) }),
      (thrown: unknown) => notifyError(asBridgeError(thrown)),
    );
  };
  const open = (at: number): void => {
    sentence.value = null;
    if (priors.at.peek() === null) previousPane.current = route.peek().pane;
    // On a narrow screen the list alone is shown.
    if (route.peek().pane === 'list') go({ pane: 'exam' });
    void priors.show(at);
  };
  const close = (): void => {
    priors.close();
    if (route.peek().pane !== previousPane.current) go({ pane: previousPane.current });
  };
  useLayoutEffect(() => {
    const toggle = (): void => (priors.at.peek() === null ? open(0) : close());
    const endings = [
      onKey('priors', toggle),
      onKey('next_prior', () => void priors.step(1)),
      onKey('previous_prior', () => void priors.step(-1)),
      onKey('compare', compare),
      onKey('take_over', () => take(sentence.peek())),
    ];
    return () => endings.forEach((end) => end());
  }, [priors, document]);

  const found = priors.items.value;
  const at = priors.at.value;
  // Shown next to the report, whatever pane this list is in.
  useLayoutEffect(() => {
    priorColumn.value =
      found && at !== null ? (
        <PriorReader
          priors={priors}
          all={found}
          at={at}
          document={document}
          onTake={take}
          onClose={close}
          onLook={(looked) => (sentence.value = looked)}
        />
      ) : null;
  }, [priors, found, at, document]);
  useLayoutEffect(() => () => void (priorColumn.value = null), [priors]);
  return (
    <>
      <details open={at !== null}>
        <summary>
          <Icon name="right" size={16} />
          {t('exam.prior')}
          {found !== undefined && <span class="past-count">{found.length}</span>}
        </summary>
        <List priors={priors} onOpen={open} />
      </details>
    </>
  );
}

function List({ priors, onOpen }: { priors: State; onOpen: (at: number) => void }) {
  const found = priors.items.value;
  if (found === undefined)
    return priors.error.value === null ? (
      <Skeleton rows={2} label={t('app.loading')} />
    ) : (
      <p class="past-none" role="status">
        {t(priors.error.value.code === 'NETWORK' ? 'priors.needs' : 'exam.not_read')}{' '}
        <Button kind="bare" onClick={() => void priors.read()}>
          {t('app.try_again')}
        </Button>
      </p>
    );
  if (found.length === 0) return <p class="past-none">{t('exam.no_prior')}</p>;
  return (
    <>
      {priors.isKept.value && <p class="past-none">{t('priors.kept')}</p>}
      <ol class="priors">
        {found.map((prior, at) => (
          <li key={prior.id} class={at === priors.related.value && at > 0 ? 'prior-others' : undefined}>
            {at === priors.related.value && at > 0 && <p class="past-none">{t('priors.others')}</p>}
            <button type="button" class="prior-row" aria-current={priors.at.value === at} onClick={() => onOpen(at)}>
              <time dateTime={prior.exam_datetime} title={examTime(prior.exam_datetime, now.value)}>
                {examDate(prior)}
              </time>
              <span class="prior-title">{prior.exam_description}</span>
              <PriorChip prior={prior} />
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

/** The caret in the report, or its position before the focus moved elsewhere. */
function useLastCaret() {
  const caret = useSignal<Caret | null>(null);
  useEffect(() => {
    const follow = (): void => {
      const { activeElement: field } = globalThis.document;
      const [, section] = field instanceof HTMLTextAreaElement ? (/^section-(.+)$/.exec(field.id) ?? []) : [];
      if (section !== undefined) caret.value = { section, at: (field as HTMLTextAreaElement).selectionEnd };
    };
    const { document: page } = globalThis;
    for (const event of ['selectionchange', 'focusin', 'input'] as const) page.addEventListener(event, follow);
    return () => {
      for (const event of ['selectionchange', 'focusin', 'input'] as const) page.removeEventListener(event, follow);
    };
  }, []);
  return caret;
}
