/** The thread of the checks: answers requests in order. */
import { createChecker } from './checker.ts';
import type { Asked } from './checker.ts';

const answer = createChecker();
addEventListener('message', ({ data }: MessageEvent<Asked>) => postMessage(answer(data)));
