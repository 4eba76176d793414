/** The header of the exam: the exam, its patient, and who has taken it. */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { t } from '../../i18n/index.ts';
import { Chip } from '../../parts/chip.tsx';
import type { Tone } from '../../parts/chip.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import type { MenuItem } from '../../parts/menu.tsx';
import { getHolding } from '../../state/worklist/exam.ts';
import type { Exam, Holding } from '../../state/worklist/exam.ts';
import { collectFacts, notesOf, patientText } from '../../state/worklist/exam-facts.ts';
import type { Fact } from '../../state/worklist/exam-facts.ts';
import { now } from '../../state/time/now.ts';
import { readPriority } from '../../../../src/domain/worklist-order.ts';
import { keys, onKey } from '../../state/keys.ts';
import { keyName } from '../app/key-name.ts';
import { userName } from '../../state/session.ts';
import { hasSignedReport } from '../../state/report/open-report.ts';
import { startAddendum } from '../../state/report/writing.ts';
import { lazily } from '../../parts/lazily.tsx';
import { isStarred, toggleStar } from '../../state/worklist/saved-lists.ts';
import { CancelExam } from './cancel-exam.tsx';
import { OpenImages } from './open-images.tsx';

const HandOver = lazily(() => import('../worklist/hand-over.tsx').then(({ HandOver }) => HandOver));

export function ExamHead({ item, exam }: { item: WorklistItem; exam: Exam }) {
  const [asksToCancel, setAsksToCancel] = useState(false);
  const [handsOver, setHandsOver] = useState(false);
  const holding = getHolding(item, userName.value);
  const priority = readPriority(item);
  const isOpen = holding === 'free' || holding === 'mine' || holding === 'others';
  const notes = notesOf(item);
  const { shown, folded } = collectFacts(item, now.value);
  const mayHandOver = holding === 'free' || holding === 'mine';
  useLayoutEffect(() => onKey('star', () => toggleStar(item.id)), [item.id]);
  useLayoutEffect(
    () => (mayHandOver ? onKey('hand_over', () => setHandsOver(true)) : undefined),
    [mayHandOver, item.id],
  );
  return (
    <header class="exam-head">
      <div class="exam-title">
        <h1>{item.exam_description}</h1>
        <OpenImages item={item} />
        <Menu
          label={t('exam.more')}
          button={<Icon name="more" />}
          items={buildMenu(item, holding, exam, {
            cancel: () => setAsksToCancel(true),
            handOver: () => setHandsOver(true),
          })}
        />
      </div>
      <p class="exam-patient">
        <span>{patientText(item)}</span>
        {priority < 2 && isOpen && (
          <Chip tone="warn" icon="urgent">
            {t(priority === 0 ? 'exam.emergency' : 'exam.urgent')}
          </Chip>
        )}
        <Chip tone={tones[holding]} dot>
          {holdingText(item, holding)}
        </Chip>
      </p>
      <FactList facts={shown} />
      {notes.length > 0 && (
        <div class="exam-notes">
          <h2>{t('exam.notes')}</h2>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      )}
      {folded.length > 0 && (
        <details class="exam-more">
          <summary>
            <Icon name="right" size={14} />
            {t('exam.more_facts')}
          </summary>
          <FactList facts={folded} />
        </details>
      )}
      {handsOver && <HandOver item={item} onClose={() => setHandsOver(false)} />}
      <CancelExam
        open={asksToCancel}
        onClose={() => setAsksToCancel(false)}
        onCancel={(reason) => void exam.cancel(reason)}
      />
    </header>
  );
}

const FactList = ({ facts }: { facts: readonly Fact[] }) => (
  <dl class="exam-facts" aria-label={t('exam.facts')}>
    {facts.map(({ label, value }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

const tones: Readonly<Record<Holding, Tone>> = {
  free: 'plain',
  mine: 'ok',
  others: 'busy',
  completed: 'ok',
  cancelled: 'plain',
};

function holdingText(item: WorklistItem, holding: Holding): string {
  switch (holding) {
    case 'free':
      return t('exam.status_new');
    case 'mine':
      return item.assigned_to === null ? t('exam.status_taken') : t('exam.status_mine');
    case 'others':
      return t('exam.status_others', { who: item.assigned_to ?? t('exam.held_someone') });
    default:
      return t(`exam.status_${holding}`);
  }
}

/** The available actions, by the status of the exam (src/domain/worklist-state.ts). */
function buildMenu(
  item: WorklistItem,
  holding: Holding,
  exam: Exam,
  ask: { readonly cancel: () => void; readonly handOver: () => void },
): (MenuItem | 'line')[] {
  const handOver: MenuItem = {
    label: t('worklist.hand_over_menu'),
    icon: 'person',
    keyHint: keyName(keys.value.hand_over),
    run: ask.handOver,
  };
  const star: MenuItem = {
    label: t(isStarred(item.id) ? 'worklist.unstar' : 'worklist.star'),
    icon: 'star',
    keyHint: keyName(keys.value.star),
    run: () => toggleStar(item.id),
  };
  const take: MenuItem = { label: t('exam.take'), icon: 'person', run: () => void exam.take() };
  const takeOver: MenuItem = { label: t('exam.take_over'), icon: 'person', run: () => void exam.take(true) };
  const release: MenuItem = { label: t('exam.release'), icon: 'leave', run: () => void exam.release() };
  const reopen: MenuItem = { label: t('exam.reopen'), icon: 'edit', run: () => void exam.reopen() };
  const amend: MenuItem = { label: t('document.addendum_add'), icon: 'plus', run: () => startAddendum(item.id) };
  const reinstate: MenuItem = { label: t('exam.reinstate'), icon: 'retry', run: () => void exam.reinstate() };
  const cancel: MenuItem = { label: t('exam.cancel'), icon: 'close', run: ask.cancel };
  const menus: Readonly<Record<Holding, (MenuItem | 'line')[]>> = {
    free: [take, handOver, star, 'line', cancel],
    mine: [release, handOver, star, 'line', cancel],
    others: [takeOver, star, 'line', cancel],
    completed: [hasSignedReport(item.id) ? amend : reopen, star],
    cancelled: [reinstate],
  };
  return menus[holding];
}
