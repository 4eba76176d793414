/** How the operator is alerted. A server with an unusable setting does not start. */
import { AppError } from '../../../../src/contract/errors.ts';
import { webhookKey } from '../../../../src/node/http/webhook-signature.ts';
import type { Targets } from '../../webhooks/target.ts';

export interface AlarmChoice {
  /** A command line for the system's shell; it gets each alarm as JSON on standard input. */
  readonly command?: string | undefined;
  /** A URL under the rules for webhooks; it gets each alarm as the body of a POST. */
  readonly webhook?: string | undefined;
  /** Signs these requests like those of webhooks (`whsec_…`). */
  readonly secret?: string | undefined;
}

/** Throws AppError CONFIGURATION if the URL or the secret is unusable. */
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
