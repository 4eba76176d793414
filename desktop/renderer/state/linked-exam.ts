/** Opens the exam that another program asked for by its own numbers. */
import { effect, signal } from '@preact/signals';
import { findLinkedExams } from '../../../src/domain/exam-link.ts';
import type { ExamLink, LinkedExams } from '../../../src/domain/exam-link.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { t } from '../i18n/index.ts';
import { notify } from './notices.ts';
import { go, openItem, openItemId } from './route.ts';
import { isWhole, items, refreshWorklist, setFilters } from './worklist/worklist.ts';

/** The link that waits for the list of exams, and for its person to log in. */
const wanted = signal<ExamLink | undefined>(undefined);

export const openLinkedExam = (link: ExamLink): void => {
  wanted.value = link;
};

export const waitingLink = (): ExamLink | undefined => wanted.peek();

/** `isRecording`: whether a dictation of another exam is under way, which a link must not leave unasked. */
export function followLinks(isRecording: (itemId: string) => boolean): void {
  const open = ({ id, exam_description, display_name }: WorklistItem): void => {
    if (id === openItemId.peek()) return;
    if (!isRecording(id)) return openItem(id);
    notify({
      tone: 'error',
      text: t('app.linked_while_recording', { exam: `${exam_description}, ${display_name}` }),
      action: { label: t('app.linked_open'), run: () => openItem(id), about: id },
    });
  };
  effect(() => {
    const link = wanted.value;
    if (link === undefined || !isWhole.value) return;
    wanted.value = undefined;
    void resolve(link, open);
  });
}

/** The exams of these numbers; one may have been sent a moment ago. */
export async function findExams(link: ExamLink): Promise<LinkedExams> {
  const look = () => findLinkedExams(items.peek()?.values() ?? [], link);
  if (look().kind === 'none') await refreshWorklist();
  return look();
}

/** Shows the exams that a link means, of which the person chooses one. */
export function listExams(link: ExamLink): void {
  setFilters({ tab: 'all', query: link.accession ?? link.patient_id ?? '' });
  go({ itemId: null, pane: 'list' });
  notify({ tone: 'info', text: t('app.linked_several') });
}

async function resolve(link: ExamLink, open: (item: WorklistItem) => void): Promise<void> {
  const found = await findExams(link);
  if (found.kind === 'one') return open(found.item);
  if (found.kind === 'several') return listExams(link);
  notify({
    tone: 'error',
    text: t(found.kind === 'none' ? 'app.linked_none' : 'app.linked_other_patient'),
    hint: t(found.kind === 'none' ? 'app.linked_none_hint' : 'app.linked_other_patient_hint'),
  });
}
