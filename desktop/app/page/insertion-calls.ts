/** The calls that put text into other programs: only the desktop app's windows can. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Insertion } from '../device/visit.ts';
import type { HandlersOf } from '../service.ts';

export const insertionHandlers = (insertion: Insertion | undefined): HandlersOf<'anywhere'> => ({
  async 'anywhere.insert'({ text }) {
    if (!insertion)
      throw new AppError('NOT_FOUND', { message: 'Only the desktop app inserts text in other programs.' });
    return { way: await insertion.insert(text) };
  },
  async 'anywhere.close'() {
    insertion?.close();
    return {};
  },
});
