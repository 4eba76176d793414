/** A person's decisions about exams: sent now or later, and shown at once. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Colleague, WorklistItem, WorklistStatus } from '../../../src/contract/worklist.ts';
import { decideAssignment, decideMove, isOver } from '../../../src/domain/worklist-state.ts';
import type { Changes } from '../changes/changes.ts';
import type { ServiceDeps } from '../service.ts';
import type { ExamList } from './exam-list.ts';

export interface StatusDecision {
  readonly status: WorklistStatus;
  /** The status at the time of the decision. */
  readonly seen?: WorklistStatus;
  readonly reason?: string;
  readonly take_over?: boolean;
}

interface AssignDecision {
  readonly to: Colleague;
  readonly reason?: string;
}

/** Maximum number of attempts to set the status of an exam that keeps changing. */
const maxAttempts = 3;

/** Defines how decisions are sent. The returned function applies waiting decisions to an exam. */
export function defineDecisions(
  { connect }: Pick<ServiceDeps, 'connect'>,
  changes: Changes,
  list: ExamList,
): (item: WorklistItem) => WorklistItem {
  const setStatus = async (item: WorklistItem, decision: StatusDecision): Promise<void> => {
    const { status, reason, take_over } = decision;
    if (!isStillMeant(item, decision, connect().person.display_name)) throw closedMeanwhile(item);
    await connect().client.worklists.setStatus(
      {
        params: { id: item.id },
        body: {
          status,
          ...(reason !== undefined && { reason }),
          ...(take_over === true && { metadata: { take_over: true } }),
        },
      },
      { headers: { 'if-match': `"${item.version}"` } },
    );
  };
  changes.define(
    'worklist.status',
    async ({ subject: id, payload }) => {
      const attempt = async (item: WorklistItem, left: number): Promise<void> => {
        await setStatus(item, payload as StatusDecision).catch(async (error: unknown) => {
          if (left === 0 || !(error instanceof AppError) || error.code !== 'VERSION_CONFLICT') throw error;
          // The exam has changed since; the person's decision may still make sense.
          await attempt(await list.fetch(id), left - 1);
        });
      };
      await attempt(list.get(id) ?? (await list.fetch(id)), maxAttempts);
      list.emit(await list.fetch(id), 'status');
    },
    ({ subject }) => subject,
  );

  changes.define(
    'worklist.assign',
    async ({ subject: id, payload }) => {
      const { to, reason } = payload as AssignDecision;
      await connect().client.worklists.assign({
        params: { id },
        body: { to: to.id, ...(reason !== undefined && { reason }) },
      });
      list.emit(await list.fetch(id), 'status');
    },
    ({ subject }) => subject,
  );

  return (item) => {
    const me = connect().person.display_name;
    return changes.waiting(item.id).reduce((seen, { kind, payload }) => {
      if (kind === 'worklist.status') return withStatus(seen, payload as StatusDecision, me);
      return kind === 'worklist.assign' ? withHolder(seen, payload as AssignDecision, me) : seen;
    }, item);
  };
}

/**
 * Whether the decision still makes sense for the exam: an old decision does not reopen an exam that was reported or
 * cancelled since, and does not release an exam that another person has taken.
 */
function isStillMeant(item: WorklistItem, { status, seen = item.status }: StatusDecision, me: string): boolean {
  if (item.status === status) return true;
  if (isOver(item.status)) return item.status === seen;
  return status !== 'new' || item.assigned_to === null || item.assigned_to === me;
}

const closedMeanwhile = ({ status, assigned_to }: WorklistItem): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: appMessage('exam_changed'),
    details: { status, ...(status === 'in_progress' && { assigned_to }) },
  });

/** The exam with the new status; unchanged if the transition is invalid. */
function withStatus(item: WorklistItem, { status, reason, take_over }: StatusDecision, who: string): WorklistItem {
  const move = decideMove(item, status, { who, takeOver: take_over === true });
  return move.outcome === 'moved' ? { ...item, status, assigned_to: move.assigned_to, reason: reason ?? null } : item;
}

/** The exam assigned to the colleague; unchanged if it is over. */
function withHolder(item: WorklistItem, { to }: AssignDecision, who: string): WorklistItem {
  const move = decideAssignment(item, to.display_name, { who, takeOver: false });
  if (move.outcome !== 'moved') return item;
  return { ...item, status: 'in_progress', assigned_to: move.assigned_to, assigned_by: who };
}
