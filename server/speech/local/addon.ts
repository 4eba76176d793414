/** The optional package with which the local recogniser hears; it is loaded only in the process of a model. */
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

export const withoutAddon = (): AppError =>
  new AppError('CONFIGURATION', {
    message: 'The local recogniser needs the package sherpa-onnx-node, which is not installed.',
    hint: 'Install it beside Laudio: npm install sherpa-onnx-node',
    details: { setting: 'recogniser' },
  });
