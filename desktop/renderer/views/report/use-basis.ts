/** The template of an exam's future report, and the autotexts available in it. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Language } from '../../../../src/contract/shared.ts';
import { sectionTitle } from '../../../../src/reporting/sections/section-titles.ts';
import type { CallOutput } from '../../../bridge/calls.ts';
import { bridge, login } from '../../state/bridge.ts';
import type { Choices } from '../../state/recorder/report-choices.ts';

export type ReportBasis = CallOutput<'report.basis'>;

const known = signal<ReadonlyMap<string, ReportBasis>>(new Map());

/** `undefined` until read. If it can't be read, the sections that every report has. */
export function useBasis(itemId: string, { language, template_id }: Choices): ReportBasis | undefined {
  const of = JSON.stringify([login.value.id, itemId, language, template_id]);
  useEffect(() => {
    let isCurrent = true;
    const read = async (): Promise<void> => {
      const is = await bridge()
        .call('report.basis', { item_id: itemId, language, template_id })
        .catch(() => known.peek().get(of) ?? bare(language));
      if (isCurrent) known.value = new Map(known.peek()).set(of, is);
    };
    void read();
    const endGaps = bridge().onGap(() => void read());
    return () => {
      isCurrent = false;
      endGaps();
    };
  }, [of]);
  return known.value.get(of);
}

const bare = (language: Language): ReportBasis => ({
  sections: ['findings', 'impression'].map((key) => ({ key, title: sectionTitle(language, key), text: null })),
  macros: [],
});
