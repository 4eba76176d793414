/** Several parts of a channel that report problems: each replaces and clears only its own. */
import type { InboundDeps } from './channel.ts';

/** Each call of the returned function gives dependencies for one more part. The operator sees all problems, in that order. */
export function separateProblems<D extends Pick<InboundDeps, 'reportProblem'>>(deps: D): () => D {
  const problems: (string | null)[] = [];
  return () => {
    const at = problems.push(null) - 1;
    return {
      ...deps,
      reportProblem(problem: string | null): void {
        problems[at] = problem;
        deps.reportProblem(problems.filter((each) => each !== null).join(' ') || null);
      },
    };
  };
}
