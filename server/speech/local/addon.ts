/**
 * The package that runs local models; only the process of a model loads it. It is optional, which saves 33 MB (decision
 * 51).
 */
import { createRequire } from 'node:module';
import { AppError } from '../../../src/contract/errors.ts';

export function hasAddon(): boolean {
  try {
    createRequire(import.meta.url).resolve('sherpa-onnx-node');
    return true;
  } catch {
    return false;
  }
}

export const installHint =
  'Install it next to Laudio: npm install sherpa-onnx-node (add --global if Laudio is installed globally).';

export const withoutAddon = (): AppError =>
  new AppError('CONFIGURATION', {
    message: 'The local recogniser needs the package sherpa-onnx-node, which is not installed.',
    hint: installHint,
    details: { setting: 'recogniser' },
  });
