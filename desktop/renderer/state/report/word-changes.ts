/** Compares two texts word by word. */
import { diffWordsWithSpace } from 'diff';
import { changeRuns } from '../../../../src/domain/word-changes.ts';
import type { Run } from '../../../../src/domain/word-changes.ts';

export const compareWords = (before: string, after: string): Run[] => changeRuns(diffWordsWithSpace(before, after));
