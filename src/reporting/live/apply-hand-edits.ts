/** Applies typed edits of a live dictation to the report that was made of the dictation. */
import type { Section } from '../../contract/document.ts';
import { align } from '../checks/alignment.ts';
import { wordsOf } from '../versions/edits.ts';
import { textOf, withHand } from './hand-edits.ts';
import type { HandEdit } from './hand-edits.ts';
import { moveToTargets } from './speech-targets.ts';
import type { SpeechTarget } from './speech-targets.ts';
import { isPartial, splitUnits } from './words.ts';
import type { LiveReport, LiveRun, LiveSection, Unit } from './words.ts';
import { elementAt } from '../../domain/elements.ts';

interface SaidWord {
  readonly section: string;
  readonly text: string;
  readonly unit: Unit;
}

interface WrittenWord {
  readonly section: number;
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The sections of the report with the edits. The service may have heard or written other words than `live`: edited
 * words stay as the person left them, and all others come from the report.
 */
export function applyHandEdits(
  sections: readonly Section[],
  live: LiveReport,
  edits: readonly HandEdit[],
  wishes: readonly SpeechTarget[] = [],
): Section[] {
  const said = live.sections.flatMap((section) =>
    splitUnits(section)
      .units.filter((unit) => !isPartial(unit))
      .flatMap((unit) => wordsOf(unit.text).map(({ text }): SaidWord => ({ section: section.key, text, unit }))),
  );
  const written = sections.flatMap(({ key, text }, section) =>
    wordsOf(text).map((word): WrittenWord => ({ ...word, section, key })),
  );
  const runs = groupRuns(written, unitsFor(said, written));
  const document = sections.map((section, at): LiveSection => ({
    ...section,
    runs: runs.flatMap((run) => (run.section === at ? [run.run] : [])),
  }));
  return withHand(moveToTargets({ sections: document, heard: live.heard }, wishes), edits).map((shown) => ({
    key: shown.key,
    title: shown.title,
    text: textOf(shown),
  }));
}

/** The dictated words behind each written word; none if nobody said it. */
function unitsFor(said: readonly SaidWord[], written: readonly WrittenWord[]): Unit[][] {
  const places = align(
    said.map(({ text }) => text),
    written.map(({ text }) => text),
  );
  const units: Unit[][] = [];
  let before = -1;
  for (let at = 0; at < written.length;) {
    if (elementAt(places, at) >= 0) {
      before = elementAt(places, at);
      units.push([elementAt(said, before).unit]);
      at += 1;
      continue;
    }
    const known = places.findIndex((place, n) => n > at && place >= 0);
    const next = known < 0 ? written.length : known;
    const others = said.slice(before + 1, known < 0 ? said.length : elementAt(places, known));
    for (; at < next; at += 1) {
      const { key } = elementAt(written, at);
      units.push([...new Set(others.flatMap(({ section, unit }) => (section === key ? [unit] : [])))]);
    }
  }
  return units;
}

/** Words with the same dictated words, as one run. */
function groupRuns(
  written: readonly WrittenWord[],
  units: readonly Unit[][],
): { readonly section: number; readonly run: LiveRun }[] {
  const runs: { section: number; run: LiveRun; of: Unit[] }[] = [];
  written.forEach(({ section, start, end }, at) => {
    const of = elementAt(units, at);
    const last = runs.at(-1);
    const isSame = of.length > 0 && last?.of.length === of.length && of.every((unit, n) => unit === last.of[n]);
    if (last && isSame && last.section === section) last.run = { ...last.run, end };
    else runs.push({ section, run: { start, end, heard: of.flatMap(({ heard }) => heard) }, of });
  });
  return runs;
}
