/** The report that is open at the hub: opens and closes those of Laudio, and passes on what others measure in it. */
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { createRecentSet } from '../../../src/domain/oldest.ts';
import { buildExamContext, reportId } from '../../../src/protocols/fhircast/exam-context.ts';
import type { CastEvent, CurrentContext } from '../../../src/protocols/fhircast/messages.ts';
import { nameReport } from '../../../src/protocols/fhircast/topic.ts';
import type { MeasurementNews } from './cast-news.ts';
import type { CastSender } from './cast-sender.ts';

const maxRemembered = 500;

interface OpenContext {
  readonly itemId: string | null;
  /** `DiagnosticReport/…`; `undefined`: another application opened a patient or a study. */
  readonly report: string | undefined;
  readonly isOurs: boolean;
  /** The last version that was heard of. */
  version?: string | undefined;
}

export interface OpenReport {
  readonly itemId: string | null;
  /** `DiagnosticReport/…`; `undefined`: another application opened a patient or a study, or nothing is open. */
  readonly name: string | undefined;
  readonly item: WorklistItem | undefined;
  /** Opens the report of an exam, and closes the one before if it is finished or left for the list. */
  announce(itemId: string | null): void;
  /** Takes what another application has opened; the report of a study is opened for it. */
  follow(itemId: string | null, event: CastEvent): void;
  /** Another application has closed the exam: its report is closed too. */
  leave(event: CastEvent): void;
  isAbout(event: Pick<CastEvent, 'context'>): boolean;
  /** Whether Laudio has opened the report since it joined: it stays its own where another application opens it again. */
  isOurs(report: string): boolean;
  /** Whether it is the context of the hub: nothing was opened since it was heard of last. */
  isCurrent(current: CurrentContext): boolean;
  /** Notes the version of an event that Laudio has sent. */
  hearOwn(event: CastEvent): void;
  /** Takes the measurements of an update. The function that it may return takes those of updates that were missed. */
  update(event: CastEvent): ((current: CurrentContext | undefined) => void) | undefined;
  catchUp(current: CurrentContext | undefined): void;
  /** The report to close where Laudio leaves the hub. Nothing is open then. */
  forget(): WorklistItem | undefined;
}

export function createOpenReport(
  examOf: (id: string) => WorklistItem | undefined,
  { sender, news }: { readonly sender: CastSender; readonly news: MeasurementNews },
): OpenReport {
  let context: OpenContext | undefined;
  /** The last version of a context that was heard of, whichever it is. */
  let heard: string | undefined;
  let ours = createRecentSet<string>(maxRemembered);
  const item = (): WorklistItem | undefined => (context?.itemId ? examOf(context.itemId) : undefined);
  const isAbout: OpenReport['isAbout'] = (event) =>
    context?.report !== undefined && nameReport(event) === context.report;

  const announce: OpenReport['announce'] = (itemId) => {
    const left = context?.isOurs && context.itemId !== itemId ? item() : undefined;
    const next = itemId === null ? undefined : examOf(itemId);
    context = next && { itemId, report: nameOwnReport(next.id), isOurs: true };
    if (next) {
      ours.add(nameOwnReport(next.id));
      sender.open(buildExamContext(next));
    }
    // A report that goes on is suspended: it stays open at the hub.
    if (left && (!next || left.status === 'completed')) sender.send('DiagnosticReport-close', buildExamContext(left));
  };
  const takeContent = (open: OpenContext | undefined, current: CurrentContext | undefined): void => {
    if (!current || !open?.itemId || nameReport(current) !== open.report) return;
    heard = open.version = current['context.versionId'];
    news.measured(current, open.itemId);
  };
  return {
    get itemId() {
      return context?.itemId ?? null;
    },
    get name() {
      return context?.report;
    },
    get item() {
      return item();
    },
    announce,
    follow(itemId, event) {
      heard = event['context.versionId'];
      const report = nameReport(event);
      // A viewer that opened a study gets the report, about which it can share what is measured.
      if (report === undefined && itemId !== null) return announce(itemId);
      const isOurs = report !== undefined && ours.has(report);
      context = { itemId, report, isOurs, version: heard };
    },
    leave(event) {
      if (nameReport(event) === undefined) announce(null);
      else context = undefined;
    },
    isAbout,
    isOurs: (report) => ours.has(report),
    isCurrent: (current) => heard !== undefined && current['context.versionId'] === heard,
    hearOwn(event) {
      heard = event['context.versionId'] ?? heard;
      if (context && isAbout(event)) context.version = heard;
    },
    update(event) {
      if (!context?.itemId || !isAbout(event)) return undefined;
      // The report of another Laudio of the person, which takes its measurements itself.
      if (!context.isOurs && context.report === nameOwnReport(context.itemId)) return undefined;
      const open = context;
      const isGap = event['context.priorVersionId'] !== open.version;
      heard = open.version = event['context.versionId'];
      news.measured(event, context.itemId);
      return isGap ? (current) => takeContent(open, current) : undefined;
    },
    catchUp: (current) => takeContent(context, current),
    forget() {
      const left = context?.isOurs ? item() : undefined;
      context = undefined;
      ours = createRecentSet(maxRemembered);
      return left;
    },
  };
}

export const nameOwnReport = (itemId: string): string => `DiagnosticReport/${reportId(itemId)}`;
