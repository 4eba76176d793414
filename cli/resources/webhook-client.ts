/** Finds the partner application of a webhook command: the named one, or the one logged in. */
import { AppError } from '../../src/contract/errors.ts';
import { text } from '../command.ts';
import type { Context } from '../context.ts';

export const clientOption = { client: text('Partner application; default: the one logged in', { placeholder: 'ID' }) };

export async function webhookClient(context: Context, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { test_client: testClient } = await context.localServer();
  const profile = await context.session().then(
    (session) => session.profile,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'LOGIN_REQUIRED') return undefined;
      throw error;
    },
  );
  const id = profile?.client_id ?? testClient?.client_id;
  if (id === undefined) throw new AppError('USAGE', { message: '--client ID is needed.' });
  return id;
}
