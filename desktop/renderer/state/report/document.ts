/**
 * The report of an exam while it is read and edited: saved by itself, never over somebody else's words. Knows no DOM; the
 * clock is an argument.
 */
import { batch, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { MedicalRecord, Section } from '../../../../src/contract/document.ts';
import type { RecordVersion, SectionChange } from '../../../../src/contract/record.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import { createOrder } from '../../../../src/domain/in-order.ts';
import type { Exam } from '../../../../src/domain/report/checks/exam.ts';
import type { Finding } from '../../../../src/domain/report/checks/finding.ts';
import type { Bridge, BridgeError } from '../../../bridge/bridge.ts';
import type { CallOutput } from '../../../bridge/calls.ts';
import type { EventData } from '../../../bridge/events.ts';
import type { Signature } from '../../../bridge/record.ts';
import { asBridgeError } from '../bridge.ts';
import { followChecks } from './checks.ts';
import { followSignature } from './signature.ts';
import { createKeeper, leftOver, nextStroke } from './typed.ts';
import type { Keeper, LeftOver } from './typed.ts';

/** How long after the last key a change is saved, in ms. */
export const autosaveMs = 800;

/** What the person reads about saving. */
export type Saving = 'saved' | 'changed' | 'saving' | 'queued' | 'conflict' | 'failed';

/** What a correction did, until it is accepted or taken back. */
export interface Corrected {
  readonly instruction: string;
  readonly changes: readonly SectionChange[];
  /** Why nothing was changed, or what is asked first, in the language of the report. */
  readonly message: string | null;
  readonly before: MedicalRecord;
}

export interface OpenDocument {
  readonly phase: ReadonlySignal<'loading' | 'none' | 'ready' | 'failed'>;
  /** As the service has it, or will have once it is reached. */
  readonly record: ReadonlySignal<MedicalRecord | null>;
  /** A text that waits to be sent, and then is the report. */
  readonly written: ReadonlySignal<string | null>;
  /** All reports of the exam, newest first. */
  readonly all: ReadonlySignal<readonly MedicalRecord[]>;
  readonly title: ReadonlySignal<string>;
  readonly sections: ReadonlySignal<readonly Section[]>;
  readonly saving: ReadonlySignal<Saving>;
  readonly error: ReadonlySignal<BridgeError | null>;
  /** What somebody else saved meanwhile. */
  readonly theirs: ReadonlySignal<MedicalRecord | null>;
  readonly corrected: ReadonlySignal<Corrected | null>;
  /** What to look at before a draft is signed: warnings and questions. */
  readonly findings: ReadonlySignal<readonly Finding[]>;
  /** Who signed the report that is shown, as soon as that is known. */
  readonly signature: ReadonlySignal<Signature | null>;
  load(): Promise<void>;
  /** Shows another report of the exam. */
  show(id: string): Promise<void>;
  setTitle(title: string): void;
  setText(key: string, text: string): void;
  /** Saves now what has changed. */
  save(): Promise<void>;
  /** Of two versions: keep ours over theirs, or take theirs. */
  resolve(choice: 'ours' | 'theirs'): Promise<void>;
  /** This one and those below reject with what the app says. */
  sign(): Promise<void>;
  addAddendum(text: string, title: string): Promise<void>;
  correct(instruction: string | ArrayBuffer): Promise<void>;
  acceptCorrection(): void;
  undoCorrection(): Promise<void>;
  versions(): Promise<readonly RecordVersion[]>;
  version(n: number): Promise<MedicalRecord>;
  /** Makes the sections of a former version the present ones, as a new version. */
  restore(version: MedicalRecord): Promise<void>;
  remove(): Promise<void>;
  /** Saves what is left and stops following the app. */
  close(): Promise<void>;
}

type Saved = CallOutput<'record.save'>;

const sameText = (a: readonly Section[], b: readonly Section[]): boolean =>
  a.length === b.length &&
  a.every(
    (section, at) => section.key === b[at]?.key && section.text === b[at]?.text && section.title === b[at]?.title,
  );

export interface DocumentDeps {
  readonly bridge: Bridge;
  readonly clock: Clock;
  /** The exam, as far as it is known. */
  readonly exam?: () => Exam | null;
  /** The words on the screen are others now, and nobody here wrote them. */
  readonly onChangedElsewhere?: (record: MedicalRecord) => void;
}

export function openDocument(itemId: string, deps: DocumentDeps): OpenDocument {
  const { bridge, clock } = deps;
  const phase = signal<'loading' | 'none' | 'ready' | 'failed'>('loading');
  const all = signal<readonly MedicalRecord[]>([]);
  const written = signal<string | null>(null);
  const record = signal<MedicalRecord | null>(null);
  const title = signal('');
  const sections = signal<readonly Section[]>([]);
  const saving = signal<Saving>('saved');
  const error = signal<BridgeError | null>(null);
  const theirs = signal<MedicalRecord | null>(null);
  const corrected = signal<Corrected | null>(null);
  const signature = followSignature(bridge, record);
  const checks = followChecks({ record, sections, exam: deps.exam ?? (() => null) });
  let keeper: { readonly of: string; readonly keeper: Keeper } | undefined;
  let callOff = (): void => {};
  /** Saves go one after the other: the second starts from the version that the first made. */
  const inOrder = createOrder();
  /** Changes of this page that have no answer yet: what is told of meanwhile may be one of them. */
  let underWay = 0;
  /** Reports of which changes wait to be sent. */
  let waiting: ReadonlySet<string> = new Set();
  /** The newest version that was told of each report. */
  const told = new Map<string, number>();
  /** Reports that were told to be deleted. */
  const gone = new Set<string>();
  /** Changes that were answered or told: what was asked for before one may say what was before it, and is asked again. */
  let changesKnown = 0;

  const upToDate = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (;;) {
      const known = changesKnown;
      const answer = await ask();
      if (known === changesKnown) return answer;
    }
  };
  const list = async (): Promise<readonly MedicalRecord[]> =>
    (await upToDate(() => bridge.call('record.for_item', { id: itemId }))).items;

  const isChanged = (): boolean => {
    const present = record.peek();
    return present !== null && (title.peek() !== present.title || !sameText(sections.peek(), present.sections));
  };
  const keeperOf = (id: string): Keeper => {
    if (keeper?.of !== id) {
      keeper?.keeper.close();
      keeper = { of: id, keeper: createKeeper(bridge, { kind: 'report', subject: id }) };
    }
    return keeper.keeper;
  };
  /** Before they are saved, and for as long as they can't be. */
  const keepWords = (): void => {
    const { id, version } = record.peek() ?? {};
    if (id === undefined || version === undefined) return;
    const words = { version, title: title.peek(), sections: [...sections.peek()] };
    keeperOf(id).keep(isChanged() ? words : null);
  };
  const take = (fresh: MedicalRecord, keepDraft = false): void => {
    changesKnown += 1;
    batch(() => {
      record.value = fresh;
      all.value = [fresh, ...all.peek().filter(({ id }) => id !== fresh.id)].toSorted((a, b) =>
        b.created_at.localeCompare(a.created_at),
      );
      phase.value = 'ready';
      if (!keepDraft) {
        title.value = fresh.title;
        sections.value = fresh.sections;
      }
    });
  };
  /** With the words that a page left over it: they are saved now, or stand beside what somebody else made meanwhile. */
  const takeUp = (fresh: MedicalRecord, left: LeftOver | undefined): void => {
    take(fresh);
    saving.value = waiting.has(fresh.id) ? 'queued' : 'saved';
    if (!left) return;
    const { words, base } = left;
    if (words.title === fresh.title && sameText(words.sections, fresh.sections)) return keepWords();
    record.value = base;
    title.value = words.title;
    sections.value = words.sections;
    theirs.value = base === fresh ? null : fresh;
    saving.value = base === fresh ? 'changed' : 'conflict';
    // From now on they are this page's.
    keepWords();
    if (base === fresh) later();
  };
  const settle = (answer: Saved, draftAtStart: readonly Section[], titleAtStart: string): void => {
    batch(() => {
      error.value = null;
      if (answer.outcome === 'conflict') {
        theirs.value = answer.theirs ?? answer.record;
        saving.value = 'conflict';
        return;
      }
      // What was typed while it was being saved is a change of its own.
      const typedOn = !sameText(sections.peek(), draftAtStart) || title.peek() !== titleAtStart;
      take(answer.record, typedOn);
      saving.value = typedOn ? 'changed' : answer.outcome === 'queued' ? 'queued' : 'saved';
      if (!typedOn) return;
      keepWords();
      later();
    });
  };
  /** After what was asked for before; rejects with what the app says. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    underWay += 1;
    return inOrder(work).finally(() => {
      underWay -= 1;
      // Somebody else may have been at it right after.
      const id = record.peek()?.id;
      if (id === undefined) return;
      if (gone.has(id)) void leave();
      else void look(id, told.get(id) ?? 0).catch(() => undefined);
    });
  };
  /** A save that is refused says so where the words are. */
  const attempt = (work: () => Promise<void>): Promise<void> =>
    inTurn(work).catch((thrown: unknown) => {
      error.value = asBridgeError(thrown);
      saving.value = 'failed';
    });
  const later = (): void => {
    callOff();
    callOff = clock.schedule(clock.now() + autosaveMs, () => void save());
  };
  /** Saves the words on the screen over that version of the report. */
  const saveOver = async ({ id, version }: MedicalRecord): Promise<void> => {
    saving.value = 'saving';
    const [draft, name] = [sections.peek(), title.peek()];
    const stroke = nextStroke();
    settle(await bridge.call('record.save', { id, version, title: name, sections: [...draft], stroke }), draft, name);
  };
  const save = (): Promise<void> => {
    callOff();
    return attempt(async () => {
      const present = record.peek();
      if (present && isChanged() && saving.peek() !== 'conflict') await saveOver(present);
    });
  };
  const change = (work: () => void): void => {
    work();
    keepWords();
    if (saving.peek() === 'conflict') return;
    saving.value = isChanged() ? 'changed' : 'saved';
    later();
  };
  const clear = (then: 'loading' | 'none'): void => {
    changesKnown += 1;
    batch(() => {
      record.value = null;
      sections.value = [];
      phase.value = then;
    });
  };
  const load = async (): Promise<void> => {
    try {
      const { items, left, ...found } = await upToDate(async () => {
        const typed = await bridge.call('typed.list', {});
        const listed = await bridge.call('record.for_item', { id: itemId });
        return { ...listed, left: await leftOver(bridge, typed.items, listed.items[0]) };
      });
      const [newest] = items;
      waiting = new Set(found.waiting);
      batch(() => {
        all.value = items;
        written.value = found.written;
        error.value = null;
        // Words that were not saved yet stay.
        if (isChanged()) return;
        if (newest) takeUp(newest, left);
        else clear('none');
      });
    } catch (thrown) {
      batch(() => {
        error.value = asBridgeError(thrown);
        if (record.peek() === null) phase.value = 'failed';
      });
    }
  };
  /** Somebody, perhaps this page, made a new version. */
  const look = async (id: string, version: number): Promise<void> => {
    const present = record.peek();
    if (present?.id !== id || present.version >= version || underWay > 0) return;
    const fresh = await bridge.call('record.get', { id });
    if (record.peek()?.id !== id || fresh.version <= (record.peek()?.version ?? 0)) return;
    const isOurs = fresh.title === title.peek() && sameText(fresh.sections, sections.peek());
    if (isChanged() && !isOurs) {
      callOff();
      batch(() => {
        theirs.value = fresh;
        saving.value = 'conflict';
      });
      return;
    }
    take(fresh);
    // What waited here has been sent.
    saving.value = 'saved';
    if (!isOurs) deps.onChangedElsewhere?.(fresh);
  };
  /** The report that is shown was deleted. Words that were not saved yet stay; saving them says that it is gone. */
  const leave = async (): Promise<void> => {
    if (isChanged() || underWay > 0) return;
    clear('loading');
    await load();
  };
  const follow = async ({ id, item_id, version, deleted }: EventData<'record'>): Promise<void> => {
    const isListed = all.peek().some((each) => each.id === id);
    if (!isListed && item_id !== itemId) return;
    changesKnown += 1;
    told.set(id, Math.max(version, told.get(id) ?? 0));
    if (deleted) {
      gone.add(id);
      if (id === record.peek()?.id) await leave();
      else await load();
    } else if (isListed) await look(id, version);
    // A report of one's own stays in front of somebody else's newer one.
    else if (record.peek() === null) await load();
    else all.value = await list();
  };
  const endings = [
    bridge.on('record', (event) => void follow(event).catch(() => undefined)),
    bridge.on('dictation', (dictation) => {
      if (dictation.item_id === itemId && dictation.state === 'done') void save().then(load);
    }),
    bridge.on('refused', ({ subject }) => {
      if (subject === itemId) void load();
    }),
    bridge.onGap(() => void load().then(() => (saving.peek() === 'failed' ? save() : undefined))),
  ];
  const present = (): MedicalRecord => {
    const found = record.peek();
    if (!found) throw new Error('There is no report.');
    return found;
  };
  const replaceAll = (fresh: readonly Section[], name: string): Promise<void> => {
    sections.value = fresh;
    title.value = name;
    keepWords();
    return save();
  };

  return {
    phase,
    record,
    written,
    all,
    title,
    sections,
    saving,
    error,
    theirs,
    corrected,
    signature: signature.value,
    findings: checks.findings,
    load,
    async show(id) {
      await save();
      const { fresh, left } = await upToDate(async () => {
        const typed = await bridge.call('typed.list', {});
        const record = await bridge.call('record.get', { id });
        return { fresh: record, left: await leftOver(bridge, typed.items, record) };
      });
      takeUp(fresh, left);
    },
    // A tab, or whatever else is pasted with a title, would have it refused.
    setTitle: (text) => change(() => (title.value = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '))),
    setText: (key, text) =>
      change(
        () =>
          (sections.value = sections.peek().map((section) => (section.key === key ? { ...section, text } : section))),
      ),
    save,
    resolve: (choice) =>
      attempt(async () => {
        const other = theirs.peek();
        if (!other) return;
        theirs.value = null;
        if (choice === 'ours') return saveOver(other);
        take(other);
        keepWords();
        saving.value = 'saved';
      }),
    async sign() {
      await save();
      if (saving.peek() === 'conflict' || saving.peek() === 'failed') return;
      await inTurn(async () => {
        const { id, version } = present();
        settle(await bridge.call('record.sign', { id, version }), sections.peek(), title.peek());
      });
    },
    addAddendum: (text, name) =>
      inTurn(async () => {
        const answer = await bridge.call('record.addendum', {
          id: present().id,
          text,
          title: name,
          stroke: nextStroke(),
        });
        take(answer.record);
        saving.value = answer.outcome === 'queued' ? 'queued' : 'saved';
      }),
    async correct(instruction) {
      await save();
      await inTurn(async () => {
        const before = present();
        const about = { id: before.id, version: before.version };
        const answer =
          typeof instruction === 'string'
            ? await bridge.call('record.correct', { ...about, instruction, stroke: nextStroke() })
            : await bridge.call('record.correct_spoken', about, instruction);
        batch(() => {
          take(answer.record);
          const { instruction, changes, message = null } = answer;
          corrected.value = { instruction, changes, message, before };
          saving.value = 'saved';
        });
      });
    },
    acceptCorrection() {
      corrected.value = null;
    },
    async undoCorrection() {
      const made = corrected.peek();
      if (!made) return;
      corrected.value = null;
      await replaceAll(made.before.sections, made.before.title);
    },
    versions: async () => (await bridge.call('record.versions', { id: present().id })).items,
    version: (n) => bridge.call('record.version', { id: present().id, n }),
    restore: (version) => replaceAll(version.sections, version.title),
    async remove() {
      callOff();
      await inTurn(async () => {
        await bridge.call('record.delete', { id: present().id });
        clear('none');
      });
      if (record.peek() === null) await load();
    },
    async close() {
      for (const end of endings) end();
      signature.close();
      checks.close();
      await save();
      keeper?.keeper.close();
    },
  };
}
