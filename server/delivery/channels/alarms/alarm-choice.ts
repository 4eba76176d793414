/** How the operator wants to be called. A server does not start where nobody could be called like that. */
import { AppError } from '../../../../src/contract/errors.ts';
import { webhookKey } from '../../../../src/node/http/webhook-signature.ts';
import type { Targets } from '../../webhooks/target.ts';

export interface AlarmChoice {
  /** A line for the shell of the system; it gets each alarm as JSON on its standard input. */
  readonly command?: string | undefined;
  /** An address as webhooks have it; it gets each alarm as the body of a POST. */
  readonly webhook?: string | undefined;
  /** By which requests to it are signed as those of webhooks are (`whsec_…`). */
  readonly secret?: string | undefined;
}

/** AppError CONFIGURATION where the address or the secret is of no use. */
export function checkAlarm({ webhook, secret }: AlarmChoice, targets: Targets): void {
  if (secret !== undefined) webhookKey(secret);
  try {
    if (webhook !== undefined) targets.parse(webhook);
  } catch (error) {
    throw new AppError('CONFIGURATION', {
      message: `The address of the alarm cannot be used. ${error instanceof AppError ? error.message : ''}`.trim(),
      hint: 'Alarms go where webhooks may: to https, or to this computer; --allow-webhook names private addresses.',
    });
  }
}
