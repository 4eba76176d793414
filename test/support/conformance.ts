/** Holds answers of the embedded server against the OpenAPI document that it gives, and against what it promises besides. */
import { createAnswerCheck } from '../../server/qa/conformance/answers.ts';
import type { ObservedAnswer, OpenApiDocument } from '../../server/qa/conformance/answers.ts';

export { resolveReferences as resolved } from '../../server/qa/conformance/answers.ts';
export type { MediaType, OpenApiDocument, Operation } from '../../server/qa/conformance/answers.ts';

/** What is wrong with an answer, in words; an empty list means nothing. */
export type Conformance = (answer: ObservedAnswer) => string[];

export function createConformance(document: OpenApiDocument): Conformance {
  const check = createAnswerCheck(document, { isOwn: true });
  return (answer) => check(answer).map(({ problem }) => problem);
}
