/** Measurements that were put into the words of an exam, stored until its report has them. */
import { join } from 'node:path';
import type { Section } from '../../../src/contract/document.ts';
import { BroughtText, maxBrought } from '../../../src/contract/inserted-text.ts';
import { array, dictionary } from '../../../src/contract/schema.ts';
import { addendumKey } from '../../../src/domain/record-state.ts';
import { findAddedMeasurement } from '../../../src/reporting/measurement-text.ts';
import { jsonFile } from '../json-file.ts';
import type { ServiceDeps } from '../service.ts';

export interface PlacedMeasurements {
  put(itemId: string, brought: BroughtText): Promise<void>;
  list(itemId: string): readonly BroughtText[];
  /**
   * Those that the sections have, each in its present section; at most as many as a request may name. `before`: the
   * sections before the words were added.
   */
  find(itemId: string, sections: readonly Section[], before?: readonly Section[]): BroughtText[];
  /** Forgets what `find` returned: the report has it. Never rejects. */
  settle(itemId: string, found: readonly BroughtText[]): Promise<void>;
}

/** Number of exams whose measurements are remembered. */
const maxExams = 500;

export async function openPlacedMeasurements({
  directory,
  sealing,
  log,
}: Pick<ServiceDeps, 'directory' | 'sealing' | 'log'>): Promise<PlacedMeasurements> {
  const file = jsonFile(join(directory, 'measurements.json'), dictionary(array(BroughtText)), sealing);
  let placed: Readonly<Record<string, readonly BroughtText[]>> = (await file.read()) ?? {};
  const list = (itemId: string): readonly BroughtText[] => placed[itemId] ?? [];
  const keep = (itemId: string, present: readonly BroughtText[]): Promise<void> => {
    const { [itemId]: _former, ...others } = placed;
    const all = present.length === 0 ? Object.entries(others) : [...Object.entries(others), [itemId, present] as const];
    placed = Object.fromEntries(all.slice(-maxExams));
    return file.write(Object.fromEntries(Object.entries(placed).map(([id, each]) => [id, [...each]])));
  };
  return {
    list,
    put: (itemId, brought) =>
      keep(itemId, [...list(itemId).filter(({ viewer }) => viewer?.id !== brought.viewer?.id), brought]),
    find(itemId, sections, before = []) {
      const found = list(itemId).flatMap((each) => {
        const textIn = (key: string): string => before.find((section) => section.key === key)?.text ?? '';
        // A person may have moved the sentence to another section.
        const ranked = sections.toSorted((a, b) => Number(b.key === each.section) - Number(a.key === each.section));
        const section = ranked.find(
          ({ key, text }) =>
            (key === addendumKey) === (each.section === addendumKey) &&
            findAddedMeasurement(textIn(key), text, each.text) !== undefined,
        );
        return section ? [{ ...each, section: section.key }] : [];
      });
      return found.slice(0, maxBrought);
    },
    async settle(itemId, found) {
      if (found.length === 0) return;
      // A measurement that was corrected meanwhile stays.
      const rest = list(itemId).filter(({ viewer }) => found.every((each) => each.viewer !== viewer));
      await keep(itemId, rest).catch(() => log({ level: 'warn', event: 'measurements_not_written' }));
    },
  };
}
