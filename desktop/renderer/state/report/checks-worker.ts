/** The thread of the checks: answers requests in order. */
import { createChecker } from './checker.ts';
import type { CheckRequest } from './checker.ts';

const answer = createChecker();
addEventListener('message', ({ data }: MessageEvent<CheckRequest>) => postMessage(answer(data)));
