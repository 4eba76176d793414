/** The state of an exam, as the word of its row, with who has it. */
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { Icon } from '../../parts/icon.tsx';
import type { IconName } from '../../parts/icon.tsx';
import { examTime } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { userName } from '../../state/session.ts';
import { rowState } from '../../state/worklist/row-state.ts';
import type { RowWord } from '../../state/worklist/row-state.ts';
import { hour } from '../../state/time/now.ts';

const icons: Readonly<Record<RowWord, IconName>> = {
  corrected: 'warn',
  cancelled: 'close',
  signing: 'clock',
  preliminary: 'document',
  done: 'check',
  draft: 'edit',
  begun: 'person',
  waiting: 'person',
};

export interface RowWords {
  readonly word: RowWord;
  readonly text: string;
  readonly kind: RowWord | 'mine' | 'other';
}

/** `null`: nobody has the exam, and there is nothing else to show. */
export function rowWords(item: WorklistItem): RowWords | null {
  const { word, who } = rowState(item);
  const isMine = who !== null && who === userName.value;
  const text = formatWords(item, word, who, isMine);
  if (text === null) return null;
  const kind = word === 'begun' || word === 'waiting' || word === 'draft' ? (isMine ? 'mine' : 'other') : word;
  return { word, text, kind };
}

export function RowWordText({ word, text, kind }: RowWords) {
  return (
    <span class={`row-who row-who-${kind}`} title={text}>
      <Icon name={icons[word]} size={13} />
      <span>{text}</span>
    </span>
  );
}

function formatWords(item: WorklistItem, word: RowWord, who: string | null, isMine: boolean): string | null {
  const holder = isMine
    ? item.assigned_by === undefined
      ? t('worklist.yours')
      : t('worklist.yours_from', { who: item.assigned_by })
    : who === null
      ? null
      : t('worklist.with', { who });
  switch (word) {
    case 'done':
      return t('worklist.signed', { when: examTime(item.report?.at ?? item.updated_at, hour.value) });
    case 'cancelled':
      return t('worklist.is_cancelled');
    case 'draft':
      return isMine || who === null ? t('worklist.draft_to_sign') : t('worklist.draft_with', { who });
    case 'corrected':
    case 'signing':
    case 'preliminary':
      return [t(`worklist.${word}`), isMine ? null : who].filter(Boolean).join(', ');
    default:
      return holder;
  }
}
