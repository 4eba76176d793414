/**
 * The service's data about this person, and the effect of their signature. Cached for when the service does not answer.
 */
import { join } from 'node:path';
import type { Client } from '../../../src/client/client.ts';
import { UserRole } from '../../../src/contract/admin.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { nullable, object } from '../../../src/contract/schema.ts';
import type { Schema } from '../../../src/contract/schema.ts';
import { PinState } from '../../../src/contract/signature.ts';
import { jsonFile } from '../json-file.ts';
import type { ServiceDeps } from '../service.ts';

export interface OwnFact<T> {
  /** The last answer of the service. */
  readonly present: T;
  /** Asks the service again. */
  ask(): void;
  /** Takes over new data from the service. */
  take(fact: T): Promise<void>;
  close(): void;
}

interface FactKind<T> {
  /** Name of its file, and of its field there. */
  readonly name: string;
  readonly schema: Schema<T>;
  /** The value until the service has answered. */
  readonly unknown: T;
  ask(client: Client): Promise<T>;
}

async function followFact<T>(deps: ServiceDeps, kind: FactKind<T>, onChange: () => void): Promise<OwnFact<T>> {
  const { name } = kind;
  const file = jsonFile(join(deps.directory, `${name}.json`), object({ [name]: kind.schema }), deps.sealing);
  let present = ((await file.read())?.[name] as T | undefined) ?? kind.unknown;
  let asking: Promise<void> | undefined;
  let isClosed = false;
  const take = async (fact: T): Promise<void> => {
    if (isClosed || JSON.stringify(fact) === JSON.stringify(present)) return;
    present = fact;
    onChange();
    // The value is valid nevertheless; only the next start without a network lacks it.
    await file.write({ [name]: fact }).catch(() => deps.log({ level: 'warn', event: 'own_fact_not_kept' }));
  };
  const ask = (): void => {
    asking ??= kind
      .ask(deps.connect().client)
      .then(take)
      .catch((error: unknown) => {
        // A failed request is repeated when the service answers again.
        if (!(error instanceof AppError)) deps.log({ level: 'warn', event: 'own_fact_not_asked' });
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
    take,
    close() {
      isClosed = true;
      forgetOnline();
    },
  };
}

/** The role that the operator assigned to this person; `null`: none, or a service without roles. */
const role: FactKind<UserRole | null> = {
  name: 'role',
  schema: nullable(UserRole),
  unknown: null,
  ask: async ({ oauth }) => (await oauth.validate({})).data.user?.role ?? null,
};

/** Whether this person signs with a PIN. */
const pin: FactKind<PinState> = {
  name: 'pin',
  schema: PinState,
  unknown: { has_pin: false, locked: false },
  ask: async ({ signatures }) => (await signatures.pin({})).data,
};

export interface OwnFacts {
  readonly role: OwnFact<UserRole | null>;
  readonly pin: OwnFact<PinState>;
  /** Asks for all of them again. */
  ask(): void;
  close(): void;
}

export async function followOwnFacts(deps: ServiceDeps, onChange: () => void): Promise<OwnFacts> {
  const facts = { role: await followFact(deps, role, onChange), pin: await followFact(deps, pin, onChange) };
  const each = Object.values(facts);
  return {
    ...facts,
    ask: () => each.forEach((fact) => fact.ask()),
    close: () => each.forEach((fact) => fact.close()),
  };
}
