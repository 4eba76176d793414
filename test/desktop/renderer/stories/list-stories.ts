/** The words and clocks of the rows: each priority, near its target and past it, and each state of a report. */
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import type { Script } from './scripted-bridge.ts';
import type { Story } from './story.ts';

export function listStories(work: Script, sample: WorklistItem, now: number): Record<string, Story> {
  const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
  const [me, other] = ['Dra. Helena Prado', 'Dr. Nunes'];
  const exam = (id: string, priority: string, minutes: number, change: Partial<WorklistItem> = {}): WorklistItem => ({
    ...sample,
    id: `wli_${id}`,
    accession_number: id,
    status: 'new',
    assigned_to: null,
    record_id: null,
    exam_datetime: ago(minutes),
    metadata: { priority },
    version: 1,
    ...change,
  });
  const report = (status: NonNullable<WorklistItem['report']>['status'], who: string): Partial<WorklistItem> => ({
    status: 'in_progress',
    assigned_to: who,
    record_id: 'rec_1',
    report: { status, at: ago(10) },
  });
  const items = [
    exam('stat', 'STAT', 18),
    exam('stat-near', 'STAT', 52, { status: 'in_progress', assigned_to: other }),
    exam('stat-late', 'STAT', 80),
    exam('high', 'HIGH', 30),
    exam('high-near', 'HIGH', 200),
    exam('high-late', 'HIGH', 300),
    exam('plain', 'ROUTINE', 60),
    exam('plain-near', 'ROUTINE', 1400),
    exam('plain-late', 'ROUTINE', 4000),
    exam('draft', 'ROUTINE', 50, report('draft', me)),
    exam('draft-other', 'ROUTINE', 51, report('draft', other)),
    exam('signing', 'ROUTINE', 52, report('signing', me)),
    exam('preliminary', 'ROUTINE', 53, report('preliminary', other)),
    exam('corrected', 'ROUTINE', 54, { ...report('draft', me), corrected_at: ago(2) }),
    exam('mine', 'ROUTINE', 55, { status: 'in_progress', assigned_to: me }),
  ];
  return { 'worklist-states': { script: { ...work, 'worklist.list': () => ({ items, as_of: ago(0) }) } } };
}
