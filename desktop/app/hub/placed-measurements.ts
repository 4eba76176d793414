/** Measurements that were put into the words of an exam before it had a record, stored until it has one. */
import { join } from 'node:path';
import type { Section } from '../../../src/contract/document.ts';
import { BroughtText } from '../../../src/contract/inserted-text.ts';
import { array, dictionary } from '../../../src/contract/schema.ts';
import { jsonFile } from '../json-file.ts';
import type { ServiceDeps } from '../service.ts';

export interface PlacedMeasurements {
  put(itemId: string, brought: BroughtText): Promise<void>;
  /** Those that are in the sections; the exam's are forgotten. */
  take(itemId: string, sections: readonly Section[]): Promise<BroughtText[]>;
}

export async function openPlacedMeasurements({
  directory,
  sealing,
}: Pick<ServiceDeps, 'directory' | 'sealing'>): Promise<PlacedMeasurements> {
  const file = jsonFile(join(directory, 'measurements.json'), dictionary(array(BroughtText)), sealing);
  let placed = (await file.read()) ?? {};
  return {
    async put(itemId, brought) {
      const others = (placed[itemId] ?? []).filter(({ viewer }) => viewer?.id !== brought.viewer?.id);
      placed = { ...placed, [itemId]: [...others, brought] };
      await file.write(placed);
    },
    async take(itemId, sections) {
      const { [itemId]: found, ...rest } = placed;
      if (!found) return [];
      placed = rest;
      await file.write(placed);
      return found.flatMap((each) => {
        const section = sections.find(({ text }) => text.includes(each.text));
        return section ? [{ ...each, section: section.key }] : [];
      });
    },
  };
}
