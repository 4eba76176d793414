/** Validates a call against the bridge's table. */
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { AppError } from '../../../src/contract/errors.ts';
import { createAjv } from '../../../src/node/ajv.ts';
import { calls } from '../../bridge/calls.ts';
import type { BridgeCall } from '../../bridge/call.ts';
import type { CallName } from '../../bridge/calls.ts';

export const isCall = (name: string): name is CallName => Object.hasOwn(calls, name);

/**
 * The check throws VALIDATION_FAILED, or NOT_FOUND if there is no such call. Create one check and reuse it: compiling
 * the schemas takes time.
 */
export function createCallCheck(): (name: string, input: unknown, bytes: Uint8Array | undefined) => CallName {
  let ajv: Ajv2020 | undefined;
  const compiled = new Map<CallName, ValidateFunction>();
  return (name, input, bytes) => {
    if (!isCall(name)) throw new AppError('NOT_FOUND', { message: 'There is no such call.' });
    const definition: BridgeCall = calls[name];
    const check = compiled.get(name) ?? (ajv ??= createAjv({}, 'any')).compile(definition.input);
    compiled.set(name, check);
    if ((definition.bytes === true) !== (bytes !== undefined)) {
      throw new AppError('VALIDATION_FAILED', {
        message: definition.bytes ? 'The bytes are missing.' : 'This call takes no bytes.',
      });
    }
    if (!check(input)) {
      // Never quotes the value, which may be typed text.
      const [first] = check.errors ?? [];
      const field = (first?.instancePath ?? '').slice(1).replaceAll('/', '.');
      const problem = first?.message ?? 'is invalid';
      throw new AppError('VALIDATION_FAILED', { message: `${field || 'The input'} ${problem}.`, details: { field } });
    }
    return name;
  };
}
