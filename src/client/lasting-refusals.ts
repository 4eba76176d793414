/** Refusals that only a person can end, by changing the set-up or freeing space: waiting does not help. */
import { noRecogniser, notLive } from '../contract/engine.ts';
import type { AppError } from '../contract/errors.ts';
import { memoryFull } from '../contract/system.ts';

export const isLasting = ({ details }: Pick<AppError, 'details'>): boolean =>
  details?.['reason'] === noRecogniser || details?.['reason'] === notLive || details?.['full'] === memoryFull;
