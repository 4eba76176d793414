/** The systems that received the report, in one line: the signer sees at the exam whether it has arrived. */
import { useEffect, useState } from 'preact/hooks';
import type { RecordDestination } from '../../../../src/contract/distribution.ts';
import { shortInstant } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { Icon } from '../../parts/icon.tsx';
import type { IconName } from '../../parts/icon.tsx';
import { bridge } from '../../state/bridge.ts';
import { createLatestRequest } from '../../state/time/latest-request.ts';
import type { ReadyReport } from '../../state/report/document.ts';
import { now } from '../../state/time/now.ts';

type State = RecordDestination['state'];

/** In order of the attention that they need. */
const states: readonly State[] = ['refused', 'waiting', 'dropped', 'sent'];
const icons: Readonly<Record<State, IconName>> = { refused: 'warn', waiting: 'clock', dropped: 'warn', sent: 'check' };

export function Distribution({ document }: { document: ReadyReport }) {
  const { id, status, version } = document.record.value;
  const [items, setItems] = useState<readonly RecordDestination[]>([]);
  useEffect(() => {
    const lastAsked = createLatestRequest();
    let isOver = false;
    const look = async (): Promise<void> => {
      const answer = await lastAsked(bridge().call('record.distribution', { id }));
      if (answer && !isOver) setItems(answer.items);
    };
    // A failed read is repeated with the next event.
    const tryLook = (): void => void look().catch(() => undefined);
    const ends = [bridge().on('distributed', (event) => event.id === id && tryLook()), bridge().onGap(tryLook)];
    tryLook();
    return () => {
      isOver = true;
      for (const end of ends) end();
    };
    // A version of a draft is not distributed.
  }, [id, status, status === 'draft' ? 0 : version]);
  const [first] = states.filter((state) => items.some((each) => each.state === state));
  if (first === undefined) return null;
  return (
    <p class={`field-note document-distribution document-distribution-${first}`} role="status">
      <Icon name={icons[first]} size={15} />
      <span>{buildSentences(items, now.value).join(' · ')}</span>
    </p>
  );
}

/** Systems in the same state share a sentence, with the time of the one that has waited longest or received last. */
export const buildSentences = (items: readonly RecordDestination[], at: number): string[] =>
  states.flatMap((state) => {
    const alike = items.filter((each) => each.state === state);
    const times = alike.map(({ since }) => since).toSorted();
    const time = state === 'waiting' ? times[0] : times.at(-1);
    if (time === undefined) return [];
    return [
      t(`distribution.${state}`, {
        names: alike.map(({ channel }) => channel).join(', '),
        time: shortInstant(time, at),
      }),
    ];
  });
