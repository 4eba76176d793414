/** The operator's choice of alarm. */
import { AppError } from '../../src/contract/errors.ts';
import type { ServerOptions } from '../../server/index.ts';
import type { Context } from '../context.ts';
import { readSecretFile } from '../shell/secret.ts';

const howToMake = 'Make one with: echo "whsec_$(openssl rand -base64 32)" > FILE';

interface AlarmWords {
  readonly alarmCommand?: string | undefined;
  readonly alarmWebhook?: string | undefined;
  readonly alarmSecretFile?: string | undefined;
}

/** CONFIGURATION if the file can't be read, USAGE if its content can't be a signing secret. */
export async function readAlarm(
  context: Context,
  { alarmCommand: command, alarmWebhook: webhook, alarmSecretFile: file }: AlarmWords,
): Promise<NonNullable<ServerOptions['alarm']>> {
  if (file === undefined) return { command, webhook };
  if (webhook === undefined) throw new AppError('USAGE', { message: '--alarm-secret-file goes with --alarm-webhook.' });
  const secret = await readSecretFile(context, file, '--alarm-secret-file', howToMake);
  return { command, webhook, secret: secret.trim() };
}
