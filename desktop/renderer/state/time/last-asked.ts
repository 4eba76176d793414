/** Of several questions the answer to the last one counts, in whichever order they are answered. */
export type LastAsked = <T>(question: Promise<T>) => Promise<T | undefined>;

/** Gives the answer; `undefined` where something was asked since. */
export function createLastAsked(): LastAsked {
  let asked = 0;
  return async (question) => {
    const mine = ++asked;
    const answer = await question;
    return mine === asked ? answer : undefined;
  };
}
