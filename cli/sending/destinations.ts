/** Destinations of batches: the server of the current login, or a rehearsal. */
import type { Client } from '../../src/client/client.ts';
import { itemsOf } from '../../src/client/pages.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Item } from '../../src/sending/entries.ts';
import { followOrders, isNamedBy } from '../../src/sending/follow-orders.ts';
import type { StoredExams } from '../../src/sending/follow-orders.ts';
import { orderReasons } from '../../src/sending/order-changes.ts';
import type { Destination } from '../../src/sending/send.ts';
import type { Context } from '../context.ts';
import { patientSession } from '../resources/patient-session.ts';
import { createRetry } from './retry.ts';
import type { Retry } from './retry.ts';
import type { SendingPlan } from './plan.ts';

export interface OpenServer {
  readonly url: string;
  /**
   * The destination of the plan's batches. Its source system is `X-Source-System`, which the history names as the
   * source of an exam.
   */
  destination(plan: Pick<SendingPlan, 'key' | 'journal' | 'batches'>): Destination;
}

/** Opens a separate session without retries: the sender waits on its own terms, longer than a single call would. */
export async function openServer(context: Context): Promise<OpenServer> {
  const { io, clock, signal, settings, origins } = context;
  const session = await patientSession(context);
  const patience = createRetry({
    clock,
    signal,
    random: Math.random,
    retries: settings.retries,
    waitsForReturn: origins.retries.from === 'default',
    onWait: (words) => io.notice(words, 'warn'),
  });
  const { worklists }: Pick<Client, 'worklists'> = session.client;
  return {
    url: session.server,
    destination({ key, journal, batches: { sourceSystem } }) {
      const headers: Record<string, string> = sourceSystem === undefined ? {} : { 'X-Source-System': sourceSystem };
      const exams = storedExams({ worklists, patience, signal, headers });
      return {
        async ingest({ body, number }) {
          const call = { signal, headers, idempotencyKey: `${key}.${number}` };
          try {
            return (await patience(() => worklists.ingest({ json: body }, call))).data;
          } catch (error) {
            throw journal ? changedSince(error) : error;
          }
        },
        follow: (done) => followOrders(exams, done),
      };
    },
  };
}

/** A journal's keys always have the same content, unless the file was replaced. */
function changedSince(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'IDEMPOTENCY_KEY_REUSED') return error;
  return new AppError('CONFIGURATION', {
    message: 'The file was changed since the earlier replay.',
    hint: 'Start again without --resume: accepted entries are recognised.',
  });
}

interface StoredExamsDeps {
  readonly worklists: Pick<Client['worklists'], 'get' | 'list' | 'setStatus'>;
  readonly patience: Retry;
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
}

function storedExams({ worklists, patience, signal, headers }: StoredExamsDeps): StoredExams {
  const find = async (item: Item, id: string | undefined) => {
    if (id !== undefined) return (await worklists.get({ params: { id } }, { signal })).data;
    // The text search narrows the list down.
    const q = item.accession ?? item.order?.patientId;
    if (typeof q !== 'string') return undefined;
    const candidates = itemsOf((paging) => worklists.list({ query: { q, limit: 200, ...paging } }, { signal }));
    for await (const stored of candidates) if (isNamedBy(stored, item)) return stored;
    return undefined;
  };
  return {
    find: (item, id) => patience(() => find(item, id)),
    async setStatus({ id }, status) {
      const body = { status, reason: orderReasons[status] };
      const { data } = await patience(() => worklists.setStatus({ params: { id }, body }, { signal, headers }));
      return data.previous_status === status ? 'unchanged' : 'applied';
    },
    isRefusal: ({ code }) => code === 'INVALID_TRANSITION',
  };
}

/** Applies the rules for test clients if the current login belongs to one. */
export async function openRehearsal({ clock, paths, settings }: Context): Promise<Destination> {
  const [server, { createProfiles }] = await Promise.all([
    import('../../server/index.ts'),
    import('../../src/node/login/profiles.ts'),
  ]);
  const { createRehearsal } = await server.rehearsal();
  const profile = await createProfiles(paths.config, clock).get(settings.profile);
  const rehearse = createRehearsal(clock, profile?.test_mode ?? false);
  return { ingest: ({ body }) => rehearse(JSON.parse(Buffer.from(body).toString()) as unknown[]) };
}
