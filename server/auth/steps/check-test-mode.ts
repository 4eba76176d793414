import { isTestClient } from '../../../src/contract/oauth.ts';
import { requireChecked } from '../exchange.ts';
import type { Exchange, CheckResults } from '../exchange.ts';
import { oauthError } from '../../http/oauth-error.ts';

/** Specification, section 1: test clients are approved at once, or use the full flow with `test_mode=manual`. */
export function checkTestMode(exchange: Exchange): Partial<CheckResults> {
  const { test_mode } = exchange.params;
  const isTest = isTestClient(requireChecked(exchange, 'client').id);
  if (test_mode !== undefined && !isTest) throw oauthError('invalid_request', 'test_mode is for test clients');
  if (test_mode !== undefined && test_mode !== 'manual')
    throw oauthError('invalid_request', 'test_mode must be manual');
  return { interactive: !isTest || test_mode === 'manual' };
}
