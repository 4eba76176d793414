/** What a recogniser left out, or did not hear at all. */
import type { Section } from '../../../contract/document.ts';
import type { Heard, Suppressed } from '../../heard.ts';
import { isLinear } from '../provenance.ts';
import type { Provenance, Run } from '../provenance.ts';
import type { Found } from './finding.ts';

/** Nobody listens to more places of one dictation. */
const mostPlaces = 50;

/** Texts that the recogniser gave and nobody seems to have said, at the place where each would stand in the document. */
export function checkSuppressed(
  { suppressed = [] }: Heard,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): Found[] {
  return suppressed.slice(0, mostPlaces).map((left): Found => {
    const place = placeOf(left, sections, provenance);
    return {
      kind: 'suppressed',
      ...(left.reason === 'echo' && { variant: 'echo' }),
      severity: 'question',
      ...place,
      transcript: { start: left.at, end: left.at },
      words: { said: left.text, exam: left.from === undefined ? '' : ` (${clockOf(left.from)})` },
    };
  });
}

/** `1:05` of 65 seconds. */
const clockOf = (seconds: number): string => {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
};

/** Behind the last words before it that stand in the document; else where the document begins. */
function placeOf(
  { at }: Suppressed,
  sections: readonly Section[],
  provenance: Provenance | undefined,
): Pick<Found, 'section' | 'start' | 'end'> {
  let last: Run | undefined;
  for (const run of provenance?.words ?? []) {
    if (run.heard && run.heard.start < at && run.heard.start > (last?.heard?.start ?? -1)) last = run;
  }
  const section = sections.find(({ key }) => key === last?.section);
  if (!last || !section) return { section: sections[0]?.key ?? '', start: 0, end: 0 };
  const isInside = isLinear(last) && at < last.heard!.end;
  const end = Math.min(isInside ? last.start + at - last.heard!.start : last.end, section.text.length);
  return { section: section.key, start: end, end };
}

/** Sound in which nobody spoke, as long as nobody wrote the document instead. */
export function checkHeard({ text }: Heard, sections: readonly Section[]): Found[] {
  const isEmpty = text.trim() === '' && sections.every((section) => section.text.trim() === '');
  return isEmpty && sections[0]
    ? [{ kind: 'nothing_heard', severity: 'warning', section: sections[0].key, start: 0, end: 0 }]
    : [];
}
