/** Hints for the person who typed a command. Those of the server are for programs that make calls. */
import { AppError } from '../../src/contract/errors.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import type { Context } from '../context.ts';
import type { ParsedCommand } from '../parse.ts';
import { suggestTyped } from './mistyped-id.ts';
import { restate } from './restate.ts';

type Refusal = Pick<ParsedCommand, 'command' | 'input'> & Pick<Context, 'env' | 'paths'> & { readonly error: AppError };

async function explainMissing({ error, command, input, paths }: Refusal): Promise<string | undefined> {
  const { hint = '' } = error;
  if (hint.startsWith('Did you mean')) return undefined;
  const suggestion = await suggestTyped({ command, input }, paths);
  return suggestion === undefined ? undefined : `${suggestion} ${hint}`.trim();
}

const takes = (option: string, { command }: Refusal): boolean => Object.hasOwn(command.options ?? {}, option);

/** That hint in place of the server's; the command's own, such as how to go on, follows it. */
function instead({ hint = '', details }: AppError, ours: string): string {
  const theirs = details?.['hint'];
  const own = typeof theirs === 'string' && hint.startsWith(theirs) ? hint.slice(theirs.length) : hint;
  return `${ours} ${own.trim()}`.trim();
}

/** The hint, or none to leave it as it is. */
const hints: Partial<Record<ErrorCode, (refused: Refusal) => string | undefined | Promise<string | undefined>>> = {
  NOT_FOUND: explainMissing,
  VALIDATION_FAILED: explainMissing,
  UNAUTHORIZED: ({ env, error }) =>
    env['LAUDIO_TOKEN']
      ? instead(
          error,
          'Set LAUDIO_TOKEN to a token of this server that still works, or unset it and type "laudio login".',
        )
      : undefined,
  VERSION_CONFLICT: (refused) => {
    const version = refused.error.details?.['version'];
    return takes('ifVersion', refused) && typeof version === 'number'
      ? instead(refused.error, `Look at version ${version}, then repeat the command with --if-version ${version}.`)
      : undefined;
  },
  IDEMPOTENCY_KEY_REUSED: (refused) =>
    takes('idempotencyKey', refused)
      ? instead(refused.error, 'Send the same file as before, or choose another key with --idempotency-key.')
      : undefined,
};

/** The error with a hint for the person who typed the command; other errors as they are. */
export async function explainRefusal(error: unknown, typed: Omit<Refusal, 'error'>): Promise<unknown> {
  if (!(error instanceof AppError)) return error;
  const hint = await hints[error.code]?.({ ...typed, error });
  return hint === undefined ? error : restate(error, hint);
}
