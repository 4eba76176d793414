/** Names that no macro can have, because their words are spoken commands. */
import { languages } from '../../contract/shared.ts';
import type { Language } from '../../contract/shared.ts';
import { phraseList } from '../../domain/fold.ts';
import { tables } from '../languages/index.ts';
import { macroKey } from './macros.ts';

const known = new Map<Language, ReadonlySet<string>>();

/** The keys of the commands: marks, corrections, undoing, moving between sections, calls, and section names. */
function commandsIn(language: Language): ReadonlySet<string> {
  const ready = known.get(language);
  if (ready) return ready;
  const { marks, corrections, sections, macros, spelling, instructions } = tables[language];
  const { undo = '', change = '' } = instructions.words;
  const undoing = phraseList(undo).flatMap((verb) => [verb, ...phraseList(change).map((what) => `${verb} ${what}`)]);
  // A single word calls a macro only after a call word, which makes it no section name.
  const names = Object.values(sections.names)
    .flatMap(phraseList)
    .filter((name) => name.includes(' '));
  const phrases = [
    ...marks.marks.flatMap((row) => phraseList(row.phrases)),
    ...[corrections.markers, corrections.scratch, corrections.strike].flatMap(phraseList),
    ...[sections.next, sections.previous, sections.goTo, macros.callers, spelling.start, spelling.end].flatMap(
      phraseList,
    ),
    ...undoing,
    ...names,
  ];
  const keys = new Set(phrases.map(macroKey).filter((key) => key !== ''));
  known.set(language, keys);
  return keys;
}

/** Whether saying the name is a command; a macro of every language (`null`) must avoid those of each. */
export const isCommand = (name: string, language: Language | null): boolean =>
  (language === null ? languages : [language]).some((each) => commandsIn(each).has(macroKey(name)));
