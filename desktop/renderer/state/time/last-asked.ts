/** Of several questions only the answer to the last one counts, in whatever order the answers come. */
export type LastAsked = <T>(question: Promise<T>) => Promise<T | undefined>;

/** Resolves to the answer; `undefined` if another question was asked since. */
export function createLastAsked(): LastAsked {
  let asked = 0;
  return async (question) => {
    const mine = ++asked;
    const answer = await question;
    return mine === asked ? answer : undefined;
  };
}
