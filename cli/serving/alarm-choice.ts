/** The operator's choice of alarm. */
import { readFile } from 'node:fs/promises';
import { AppError } from '../../src/contract/errors.ts';
import type { ServerOptions } from '../../server/index.ts';

interface AlarmWords {
  readonly alarmCommand?: string | undefined;
  readonly alarmWebhook?: string | undefined;
  readonly alarmSecretFile?: string | undefined;
}

/** CONFIGURATION if the file can't be read, USAGE if its content can't be a signing secret. */
export async function readAlarm({
  alarmCommand: command,
  alarmWebhook: webhook,
  alarmSecretFile: file,
}: AlarmWords): Promise<NonNullable<ServerOptions['alarm']>> {
  if (file === undefined) return { command, webhook };
  if (webhook === undefined) throw new AppError('USAGE', { message: '--alarm-secret-file goes with --alarm-webhook.' });
  const secret = await readFile(file, 'utf8').catch(() => {
    throw new AppError('CONFIGURATION', {
      message: 'The file of --alarm-secret-file cannot be read.',
      hint: 'Make one with: echo "whsec_$(openssl rand -base64 32)" > FILE',
    });
  });
  return { command, webhook, secret: secret.trim() };
}
