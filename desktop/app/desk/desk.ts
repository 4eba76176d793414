/** The desk of one person on this device: everything of that person except sessions. */
import type { UserRole } from '../../../src/contract/admin.ts';
import type { PinState } from '../../../src/contract/signature.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { createListeners } from '../../../src/domain/listeners.ts';
import type { Credentials, CredentialStore } from '../../../src/node/login/credential-store.ts';
import type { Dial } from '../../../src/node/http/web-socket.ts';
import { ensurePrivateDirectory } from '../../../src/node/files/private-file.ts';
import type { CallName } from '../../bridge/calls.ts';
import type { Dictation } from '../../bridge/dictation.ts';
import type { EventData, EventName } from '../../bridge/events.ts';
import type { HubAccess } from '../hub/hub.ts';
import { createChanges } from '../changes/changes.ts';
import { followOverdue } from '../changes/overdue.ts';
import { createConnection } from './connection.ts';
import type { ServiceConnection } from './connection.ts';
import { createDeskServices } from './desk-services.ts';
import type { Login } from './login.ts';
import { createEngines } from './engines.ts';
import { followOwnFacts } from '../records/own-facts.ts';
import type { EngineInfo } from './engines.ts';
import { recordFile } from '../records/record-files.ts';
import type { AppEvent, AppFile, FileRange, Handlers, Listener, MachineDeps, ServiceDeps } from '../service.ts';
import { createRevisions } from '../revisions.ts';

/** Calls that need no login: see page/app.ts. */
type PageCall = Extract<
  CallName,
  `session.${string}` | `updates.${string}` | `anywhere.${string}` | `models.${string}`
>;
export type DeskHandlers = Omit<Handlers, PageCall>;

export interface DeskDeps extends MachineDeps {
  readonly directory: string;
  readonly login: Login;
  readonly store: CredentialStore;
  readonly key: string;
  /** Opens WebSockets of the service. */
  readonly dial: Dial;
  /** To systems other than the service. */
  readonly network: HubAccess['network'];
}

export interface Desk {
  readonly key: string;
  readonly login: Login;
  readonly handlers: DeskHandlers;
  /** The state that sessions report. */
  state(): {
    readonly online: boolean;
    readonly expired: boolean;
    readonly waiting: number;
    readonly overdue: boolean;
    readonly unsent: string[];
    readonly unsigned: string[];
    readonly role: UserRole | null;
    readonly pin: PinState;
  } & EngineInfo;
  on(listener: Listener): () => void;
  /** Calls the listener when `state` has changed. The returned function stops that. */
  onState(listener: () => void): () => void;
  file(address: string, range?: FileRange): Promise<AppFile | undefined>;
  renew(login: Login, credentials: Credentials): Promise<void>;
  /** Asks the service again which recogniser it uses. */
  refreshRecogniser(): void;
  /** Ends the login; waiting changes stay on disk. */
  end(): Promise<void>;
  close(): Promise<void>;
}

export async function openDesk(deps: DeskDeps): Promise<Desk> {
  await ensurePrivateDirectory(deps.directory);
  const listeners = createListeners<[event: AppEvent]>();
  const stateListeners = createListeners();
  const onlineListeners = createListeners();
  let { login } = deps;
  let wasReachable = true;

  const connectTo = (where: Login): ServiceConnection =>
    createConnection({ ...deps, server: where.server, clientId: where.client_id, onChange: stateChanged });
  const stateChanged = (): void => {
    const isReachable = connection.online && !connection.expired;
    if (isReachable && !wasReachable) onlineListeners.notify();
    wasReachable = isReachable;
    emitState();
  };
  const emitState = (): void => stateListeners.notify();
  let connection = connectTo(login);

  /** The dictations that the service does not have yet, with the time at which they were sealed. */
  const unsent = new Map<string, string>();
  const noteDictation = ({ id, state }: Dictation): void => {
    const before = unsent.size;
    if (state !== 'queued' && state !== 'sending') unsent.delete(id);
    else if (!unsent.has(id)) unsent.set(id, isoNow(deps.clock));
    if (unsent.size !== before) waitingChanged();
  };
  const waitingChanged = (): void => {
    overdue.look();
    emitState();
  };
  const service: ServiceDeps = {
    directory: deps.directory,
    clock: deps.clock,
    random: deps.random,
    uuid: deps.uuid,
    revision: createRevisions(deps.clock),
    log: deps.log,
    sealing: deps.sealing,
    connect: () => ({ client: connection.client, person: login.person, online: connection.online }),
    onOnline: onlineListeners.add,
    emit<N extends EventName>(name: N, data: EventData<N>) {
      listeners.notify({ name, data } as unknown as AppEvent);
      if (name === 'dictation') noteDictation(data as Dictation);
    },
  };
  const changes = await createChanges(service, () => waitingChanged());
  const overdue = followOverdue(
    deps.clock,
    () => [...changes.due(), ...[...unsent].map(([id, created_at]) => ({ id, created_at }))],
    emitState,
  );
  overdue.look();
  const engines = await createEngines(service, emitState);
  const own = await followOwnFacts(service, emitState);
  const services = await createDeskServices(service, {
    changes,
    engines,
    own,
    isTest: () => login.test_mode,
    hub: {
      transport: deps.transport,
      dial: deps.dial,
      network: deps.network,
      server: () => login.server,
      token: () => connection.token(),
    },
    fillsTestList: deps.fillsTestList ?? false,
  });
  const { dictations } = services;
  for (const dictation of (await dictations.handlers['dictation.list']({})).items) noteDictation(dictation);
  changes.start();

  return {
    key: deps.key,
    get login() {
      return login;
    },
    handlers: services.handlers,
    state: () => ({
      online: connection.online,
      expired: connection.expired,
      waiting: changes.due().length + unsent.size,
      overdue: overdue.isOverdue(),
      unsent: [...new Set(changes.due().map(({ subject }) => subject))],
      unsigned: changes.waiting().flatMap(({ kind, subject }) => (kind === 'record.sign' ? subject : [])),
      role: own.role.present,
      pin: own.pin.present,
      ...engines.present,
    }),
    on: listeners.add,
    onState: stateListeners.add,
    file: async (address, range) => (await dictations.file(address, range)) ?? recordFile(service, address, range),
    async renew(next, credentials) {
      // The same person may have logged in at another address of the same server, or with another client.
      if (next.server !== login.server || next.client_id !== login.client_id) {
        const previous = connection;
        login = next;
        connection = connectTo(next);
        await previous.end().catch(() => deps.log({ level: 'warn', event: 'former_login_not_ended' }));
      }
      login = next;
      wasReachable = false;
      await connection.renew(credentials);
    },
    refreshRecogniser: () => engines.ask(),
    end: () => connection.end(),
    async close() {
      overdue.close();
      engines.close();
      own.close();
      await services.close();
    },
  };
}
