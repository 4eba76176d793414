/** Imported first by each door of the library: refuses an old Node.js in one line, before anything else fails by it. */
import { refuseNode } from './required-node.ts';

const refusal = refuseNode(process.versions.node);
if (refusal !== undefined) {
  const error = new Error(refusal);
  error.stack = refusal;
  throw error;
}
