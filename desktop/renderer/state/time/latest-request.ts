/** Only the answer to the last request counts, in whatever order answers arrive. */
export type LatestRequest = <T>(question: Promise<T>) => Promise<T | undefined>;

/** Resolves to the answer; `undefined` if another request was made since. */
export function createLatestRequest(): LatestRequest {
  let asked = 0;
  return async (question) => {
    const mine = ++asked;
    const answer = await question;
    return mine === asked ? answer : undefined;
  };
}
