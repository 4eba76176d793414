import { appendFile, copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from '../../support/properties.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../src/contract/errors.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { createChangeOutbox } from '../../../desktop/app/changes/change-outbox.ts';
import type { Change, ChangeOutbox, ChangeOutboxDeps } from '../../../desktop/app/changes/change-outbox.ts';
import { eventually } from '../../support/eventually.ts';
import { movingClock } from '../../support/moving-clock.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const start = Date.parse('2026-03-02T11:30:00Z');

const change = (id: string, fields: Partial<Change> = {}): Change => ({
  id,
  kind: 'record.update',
  subject: 'rec_1',
  payload: { title: `Title ${id}` },
  created_at: '2026-03-02T11:30:00.000Z',
  ...fields,
});

async function opened(send: ChangeOutboxDeps['send'], fields: Partial<ChangeOutboxDeps> = {}) {
  const directory = fields.directory ?? (await temporaryDirectory());
  const clock = manualClock(start);
  const outbox = await createChangeOutbox({ clock, random: () => 0.5, send, ...fields, directory });
  onTestFinished(() => outbox.close());
  return { outbox, clock, directory };
}

/** Until everything that can go on without the clock and the disk has done so. */
const settled = async (): Promise<void> => {
  for (let round = 0; round < 5; round++) await new Promise(setImmediate);
};

const idsOf = (outbox: ChangeOutbox): string[] => outbox.waiting().map(({ id }) => id);

describe('the outbox', () => {
  it('sends in the order of enqueuing, one at a time, and is empty afterwards', async () => {
    const log: string[] = [];
    const { outbox, directory } = await opened(async ({ id }) => {
      log.push(`begin ${id}`);
      await new Promise(setImmediate);
      log.push(`end ${id}`);
    });
    await Promise.all(['a', 'b', 'c'].map((id) => outbox.enqueue(change(id))));
    await outbox.flush();
    expect(log).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c']);
    expect(outbox.waiting()).toEqual([]);
    expect((await stat(join(directory, 'changes.log'))).size).toBe(0);
  });

  it('takes a change once, however often it is given', async () => {
    const sent: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { outbox } = await opened(async ({ id }) => {
      await gate.promise;
      sent.push(id);
    });
    await Promise.all([outbox.enqueue(change('a')), outbox.enqueue(change('a'))]);
    await outbox.enqueue(change('a'));
    gate.resolve();
    await outbox.flush();
    expect(sent).toEqual(['a']);
  });

  it('forgets a waiting change, but not one being sent: later ones must not overtake it', async () => {
    const sent: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { outbox } = await opened(async ({ id }) => {
      await gate.promise;
      sent.push(id);
    });
    for (const id of ['a', 'b', 'c']) await outbox.enqueue(change(id));
    await outbox.cancel('a');
    await outbox.cancel('b');
    expect(idsOf(outbox)).toEqual(['a', 'c']);
    gate.resolve();
    await outbox.flush();
    expect(sent).toEqual(['a', 'c']);
  });

  it('keeps unsent changes, and retries with growing delays, or as late as the service asks', async () => {
    let tries = 0;
    let error = new AppError('NETWORK');
    const { outbox, clock } = await opened(async () => {
      tries++;
      throw error;
    });
    await outbox.enqueue(change('a'));
    await settled();
    expect(tries).toBe(1);
    // Half of 1 s fixed, half of the other half by chance.
    clock.advance(749);
    await settled();
    expect(tries).toBe(1);
    error = new AppError('RATE_LIMIT_EXCEEDED', { retryAfter: 30 });
    clock.advance(1);
    await settled();
    expect(tries).toBe(2);
    clock.advance(29_999);
    await settled();
    expect(tries).toBe(2);
    clock.advance(1);
    await settled();
    expect(tries).toBe(3);
    expect(idsOf(outbox)).toEqual(['a']);
  });

  it.each(['NETWORK', 'LOGIN_REQUIRED', 'SERVER_BUSY', 'INTERNAL_ERROR', 'BAD_ANSWER', 'REQUEST_IN_PROGRESS'] as const)(
    'goes on waiting after %s',
    async (code) => {
      const { outbox } = await opened(() => Promise.reject(new AppError(code)));
      await outbox.enqueue(change('a'));
      await outbox.flush();
      expect(idsOf(outbox)).toEqual(['a']);
      expect(outbox.refused()).toEqual([]);
    },
  );

  it.each(['VERSION_CONFLICT', 'INVALID_TRANSITION', 'NOT_FOUND', 'VALIDATION_FAILED', 'FORBIDDEN'] as const)(
    'sets aside what was refused with %s, reports it, and sends the next one',
    async (code) => {
      const told: string[] = [];
      const sent: string[] = [];
      const send: ChangeOutboxDeps['send'] = async ({ id }) => {
        if (id === 'a') throw new AppError(code, { details: { version: 3 } });
        sent.push(id);
      };
      const onRefused: ChangeOutboxDeps['onRefused'] = ({ id }, error) => void told.push(`${id} ${error.code}`);
      const { outbox, directory, clock } = await opened(send, { onRefused });
      await outbox.enqueue(change('a'));
      await outbox.enqueue(change('b'));
      await outbox.flush();
      expect(told).toEqual([`a ${code}`]);
      expect(sent).toEqual(['b']);
      await outbox.close();
      const again = await createChangeOutbox({ directory, clock, random: () => 0.5, send });
      onTestFinished(() => again.close());
      expect(again.refused()).toMatchObject([{ change: change('a'), error: { code, details: { version: 3 } } }]);
      await again.dismiss('a');
      await again.close();
      const last = await createChangeOutbox({ directory, clock, random: () => 0.5, send });
      onTestFinished(() => last.close());
      expect(last.refused()).toEqual([]);
    },
  );

  it.each([
    'INTERNAL_ERROR',
    'BAD_ANSWER',
    'SERVER_BUSY',
    'STORAGE_UNAVAILABLE',
    'UPSTREAM_UNAVAILABLE',
    'REQUEST_IN_PROGRESS',
    'CONFIGURATION',
  ] as const)('sets aside a change that keeps failing with %s, without delaying other objects', async (code) => {
    const sent: string[] = [];
    let tries = 0;
    const { outbox, clock } = await opened(async ({ id }) => {
      if (id === 'a') {
        tries += 1;
        throw new AppError(code);
      }
      sent.push(id);
    });
    for (const [id, subject] of [['a'], ['b'], ['c', 'rec_2'], ['d', 'wli_1']] as const)
      await outbox.enqueue(change(id, subject && { subject }));
    await eventually(async () => expect(sent).toEqual(['c', 'd']));
    expect(tries).toBe(1);
    for (let minutes = 0; outbox.refused().length === 0; minutes++) {
      expect(minutes, 'the number of tries is bounded').toBeLessThan(60);
      clock.advance(60_000);
      await settled();
      const id = `later ${minutes}`;
      await outbox.enqueue(change(id, { subject: 'rec_2' }));
      await settled();
      expect(sent.at(-1)).toBe(id);
    }
    expect(outbox.refused()).toMatchObject([{ change: { id: 'a' }, error: { code } }]);
    await eventually(async () => expect(outbox.waiting()).toEqual([]));
    expect(sent).toContain('b');
  });

  it.each(['NETWORK', 'LOGIN_REQUIRED', 'RATE_LIMIT_EXCEEDED'] as const)(
    'never sets aside a change that waits for the connection, the login or the quota (%s)',
    async (code) => {
      const { outbox, clock } = await opened(() => Promise.reject(new AppError(code)));
      for (const subject of subjects) await outbox.enqueue(change(subject, { subject }));
      for (let minutes = 0; minutes < 200; minutes++) {
        clock.advance(60_000);
        await settled();
      }
      expect(idsOf(outbox)).toEqual([...subjects]);
      expect(outbox.refused()).toEqual([]);
    },
  );

  it('lets nothing wait for an answer that never comes', async () => {
    const sent: string[] = [];
    const never = Promise.withResolvers<void>();
    const { outbox } = await opened(async ({ id, subject }) => {
      if (subject === 'rec_1') await never.promise;
      sent.push(id);
    });
    await outbox.enqueue(change('a'));
    for (const subject of ['rec_2', 'rec_3']) await outbox.enqueue(change(subject, { subject }));
    await outbox.flush(['rec_2']);
    await outbox.flush(['rec_3']);
    expect(sent).toEqual(['rec_2', 'rec_3']);
    never.resolve();
  });

  it('gets others through where one change stops the service each time', async () => {
    const sent: string[] = [];
    const { outbox, clock } = await opened(async ({ id, subject }) => {
      if (subject === 'rec_1') throw new AppError('NETWORK');
      sent.push(id);
    });
    await outbox.enqueue(change('a'));
    for (const subject of ['rec_2', 'rec_3', 'wli_1']) await outbox.enqueue(change(subject, { subject }));
    await eventually(async () => {
      clock.advance(60_000);
      expect(sent).toEqual(['rec_2', 'rec_3', 'wli_1']);
    });
    await eventually(async () => expect(idsOf(outbox)).toEqual(['a']));
  });

  it('sends a change of two objects after waiting changes of either, and before later ones', async () => {
    const sent: string[] = [];
    const gates = new Map(['take', 'save', 'sign'].map((id) => [id, Promise.withResolvers<void>()]));
    const { outbox } = await opened(async ({ id }) => {
      await gates.get(id)?.promise;
      sent.push(id);
    });
    await outbox.enqueue(change('take', { subject: 'wli_1' }));
    await outbox.enqueue(change('save', { subject: 'rec_1' }));
    await outbox.enqueue(change('sign', { subject: 'rec_1', touches: ['wli_1'] }));
    await outbox.enqueue(change('release', { subject: 'wli_1' }));
    for (const id of ['save', 'take', 'sign']) {
      gates.get(id)!.resolve();
      await eventually(async () => expect(idsOf(outbox)).not.toContain(id));
    }
    await outbox.flush();
    expect(sent).toEqual(['save', 'take', 'sign', 'release']);
  });

  it('sends a refused change again when asked, and keeps it over a restart', async () => {
    let error: AppError | undefined = new AppError('NOT_FOUND');
    const sent: string[] = [];
    const send: ChangeOutboxDeps['send'] = async ({ id }) => {
      if (error) throw error;
      sent.push(id);
    };
    const { outbox, directory, clock } = await opened(send);
    await outbox.enqueue(change('a'));
    await outbox.flush();
    expect(outbox.refused()).toHaveLength(1);
    error = new AppError('NETWORK');
    await outbox.retry('a');
    expect([outbox.refused(), idsOf(outbox)]).toEqual([[], ['a']]);
    await outbox.close();
    error = undefined;
    const again = await createChangeOutbox({ directory, clock, random: () => 0.5, send });
    onTestFinished(() => again.close());
    await again.flush();
    expect(sent).toEqual(['a']);
    expect([again.refused(), again.waiting()]).toEqual([[], []]);
  });

  it('belongs to one process at a time', async () => {
    const { directory } = await opened(async () => {});
    const second = createChangeOutbox({ directory, clock: movingClock(), random: () => 0.5, send: async () => {} });
    await expect(second).rejects.toMatchObject({ code: 'CONFIGURATION' });
  });

  it('is readable by its owner only', async () => {
    const { outbox, directory } = await opened(() => Promise.reject(new AppError('NETWORK')));
    await outbox.enqueue(change('a'));
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(directory)) {
      expect((await stat(join(directory, name))).mode & 0o777, name).toBe(0o600);
    }
  });

  it('drops a line that was cut off at any byte, and nothing before it', async () => {
    const { outbox, directory } = await opened(() => Promise.reject(new AppError('NETWORK')));
    await outbox.enqueue(change('a', { payload: { text: 'Não há derrame' } }));
    const { size: first } = await stat(join(directory, 'changes.log'));
    await outbox.enqueue(change('b'));
    const whole = await readFile(join(directory, 'changes.log'));
    for (let length = 0; length <= whole.length; length++) {
      const copy = await reopenable(directory, whole.subarray(0, length));
      const again = await createChangeOutbox({ ...offline(), directory: copy });
      const expected = length === whole.length ? ['a', 'b'] : length >= first ? ['a'] : [];
      expect(idsOf(again), `${length} bytes`).toEqual(expected);
      await again.close();
    }
  });

  it('reports that its file was damaged, keeps it aside and continues with the readable part', async () => {
    const { outbox, directory } = await opened(() => Promise.reject(new AppError('NETWORK')));
    for (const id of ['a', 'b', 'c']) await outbox.enqueue(change(id));
    const content = await readFile(join(directory, 'changes.log'));
    content[content.indexOf('"b"') + 1] = 0x78;
    const copy = await reopenable(directory, content);
    const log: string[] = [];
    const again = await createChangeOutbox({ ...offline(), directory: copy, log: ({ event }) => void log.push(event) });
    onTestFinished(() => again.close());
    expect(idsOf(again)).toEqual(['a', 'c']);
    expect(log).toEqual(['outbox_damaged']);
    const aside = (await readdir(copy)).find((name) => name.endsWith('.damaged'));
    expect(await readFile(join(copy, aside!))).toEqual(content);
  });

  it('does not accept a change that the disk did not take', async () => {
    const { outbox, directory } = await opened(() => Promise.reject(new AppError('NETWORK')));
    await outbox.enqueue(change('a'));
    await expect(outbox.enqueue(change('b', { payload: 1n }))).rejects.toThrow(TypeError);
    expect(idsOf(outbox)).toEqual(['a']);
    const again = await createChangeOutbox({ ...offline(), directory: await reopenable(directory) });
    onTestFinished(() => again.close());
    expect(idsOf(again)).toEqual(['a']);
  });
});

const offline = () => ({
  clock: manualClock(start),
  random: () => 0.5,
  send: () => Promise.reject(new AppError('NETWORK')),
});

/** The disk as it was, without the process that had it. */
async function reopenable(directory: string, content?: Uint8Array): Promise<string> {
  const copy = join(directory, `crash-${Math.random()}`);
  await mkdir(copy, { mode: 0o700 });
  if (content) await writeFile(join(copy, 'changes.log'), content, { mode: 0o600 });
  else await copyFile(join(directory, 'changes.log'), join(copy, 'changes.log'));
  return copy;
}

const subjects = ['rec_1', 'rec_2', 'wli_1'] as const;

/** What the service makes of a change, each time it is asked. */
type Fate = 'taken' | 'refused' | 'failing';
/** How one request goes, in order of requests; afterwards all go well. */
const outcome = fc.constantFrom('well', 'unreachable', 'lost', 'twice', 'busy', 'cut off');
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      subject: fc.constantFrom(...subjects),
      touches: fc.option(fc.constantFrom(...subjects), { freq: 5, nil: undefined }),
      fate: fc.oneof(
        { weight: 4, arbitrary: fc.constant<Fate>('taken') },
        { weight: 1, arbitrary: fc.constantFrom<Fate>('refused', 'failing') },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 90_000 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('offline' as const, 'online' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), torn: fc.nat(60) }) },
);

/** Applies each key once; what it has refused it refuses again, and at some changes it fails each time. */
function faultyService(outcomes: readonly string[]) {
  const answers = new Map<string, AppError | undefined>();
  const state: Record<string, unknown[]> = {};
  const plan = [...outcomes];
  let reachable = true;
  const apply = ({ id, subject, payload }: Change): AppError | undefined => {
    const { fate } = payload as { fate: Fate };
    if (fate === 'failing') return new AppError('INTERNAL_ERROR');
    if (!answers.has(id)) {
      if (fate === 'taken') (state[subject] ??= []).push(payload);
      answers.set(id, fate === 'refused' ? new AppError('VERSION_CONFLICT') : undefined);
    }
    return answers.get(id);
  };
  return {
    state,
    connect: (to: boolean) => void (reachable = to),
    isWell: () => reachable && plan.length === 0,
    repair: () => void plan.splice(0),
    async send(asked: Change) {
      const how = reachable ? (plan.shift() ?? 'well') : 'unreachable';
      if (how === 'unreachable') throw new AppError('NETWORK');
      if (how === 'busy') throw new AppError('SERVER_BUSY');
      const error = apply(asked);
      if (how === 'twice') apply(asked);
      if (how === 'lost') throw new AppError('NETWORK');
      // The process is gone before the answer comes: see the crash, which opens the outbox anew.
      if (how === 'cut off') throw new AppError('INTERRUPTED');
      if (error) throw error;
    },
  };
}

/** The changes that nothing holds up but a failing change of one of their own objects. */
function heldByOthers(waiting: readonly Change[]): Change[] {
  const failing = new Set<string>();
  return waiting.filter(({ subject, touches = [], payload }) => {
    const objects = [subject, ...touches];
    const isHeld = objects.some((object) => failing.has(object));
    if (isHeld || (payload as { fate: Fate }).fate === 'failing') for (const object of objects) failing.add(object);
    return !isHeld && (payload as { fate: Fate }).fate !== 'failing';
  });
}

describe('any pattern of offline, online, lost answers, failures and crashes', () => {
  it('ends in the same state as being online throughout, and holds nothing up behind another object', async () => {
    const parent = await temporaryDirectory();
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.array(outcome, { maxLength: 25 }),
        async (steps, outcomes) => {
          const faulty = faultyService(outcomes);
          const steady = faultyService([]);
          const expected: string[] = [];
          const clock = manualClock(start);
          let directory = join(parent, Math.random().toString(36).slice(2));
          const open = () =>
            createChangeOutbox({ directory, clock, random: () => 0.5, send: (asked) => faulty.send(asked) });
          let outbox = await open();
          let number = 0;
          for (const now of steps) {
            if (now.do === 'change') {
              const id = `c${number++}`;
              const { subject, touches, fate } = now;
              const others = touches && touches !== subject ? { touches: [touches] } : {};
              const made = change(id, { subject, ...others, payload: { id, fate } });
              await outbox.enqueue(made);
              await steady.send(made).catch(() => void expected.push(id));
            } else if (now.do === 'crash') {
              const copy = `${directory}x`;
              await mkdir(copy, { mode: 0o700 });
              await copyFile(join(directory, 'changes.log'), join(copy, 'changes.log'));
              const torn = `99 00000000 ${JSON.stringify({ change: change('never') })}`.slice(0, now.torn);
              await appendFile(join(copy, 'changes.log'), torn);
              await outbox.close();
              directory = copy;
              outbox = await open();
            } else if (now.do === 'flush') {
              // What was under way may find no service.
              await outbox.flush();
              const isWell = faulty.isWell();
              await outbox.flush();
              if (isWell) expect(heldByOthers(outbox.waiting()), 'held up by another object').toEqual([]);
            } else if (now.do === 'pass') clock.advance(now.ms);
            else faulty.connect(now.do === 'online');
          }
          faulty.connect(true);
          faulty.repair();
          for (let tries = 0; outbox.waiting().length > 0; tries++) {
            expect(tries, 'no change waits for ever').toBeLessThan(200);
            await outbox.flush();
            if (tries > 0) expect(heldByOthers(outbox.waiting()), 'held up by another object').toEqual([]);
          }
          expect(faulty.state).toEqual(steady.state);
          expect(outbox.refused().map((refusal) => refusal.change.id)).toEqual(expected);
          await outbox.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});
