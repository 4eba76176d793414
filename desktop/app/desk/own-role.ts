/** Asks the service which role the operator has given this person: it decides what their signature means. */
import { join } from 'node:path';
import { UserRole } from '../../../src/contract/admin.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { nullable, object } from '../../../src/contract/schema.ts';
import { jsonFile } from '../json-file.ts';
import type { ServiceDeps } from '../service.ts';

const StoredRole = object({ role: nullable(UserRole) });

export interface OwnRole {
  /** As the service said last; `null`: none, or a service that knows no roles. */
  readonly present: UserRole | null;
  /** Asks the service again. */
  ask(): void;
  close(): void;
}

export async function createOwnRole(deps: ServiceDeps, onChange: () => void): Promise<OwnRole> {
  const file = jsonFile(join(deps.directory, 'role.json'), StoredRole, deps.sealing);
  let present = (await file.read())?.role ?? null;
  let asking: Promise<void> | undefined;
  let isClosed = false;
  const look = async (): Promise<void> => {
    const { data } = await deps.connect().client.oauth.validate({});
    const role = data.user?.role ?? null;
    if (role === present || isClosed) return;
    present = role;
    onChange();
    await file.write({ role });
  };
  const ask = (): void => {
    asking ??= look()
      .catch((error: unknown) => {
        // What cannot be asked now is asked when the service answers again.
        if (!(error instanceof AppError)) deps.log({ level: 'warn', event: 'role_not_asked' });
      })
      .finally(() => (asking = undefined));
  };
  const forgetOnline = deps.onOnline(ask);
  ask();
  return {
    get present() {
      return present;
    },
    ask,
    close() {
      isClosed = true;
      forgetOnline();
    },
  };
}
