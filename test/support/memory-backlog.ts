/** What a browser keeps for its pages, in memory: tests close pages, fill it, and look into it. */
import type { Backlog, SpokenTake, WaitingReport } from '../../desktop/renderer/backlog/backlog.ts';

interface Kept {
  readonly spoken: SpokenTake;
  from: number;
  ended: boolean;
  bytes: number[];
  /** Samples that are missing before a byte. */
  readonly missing: Map<number, number>;
}

export interface MemoryBrowser {
  /** For one page of it. */
  backlog(): Backlog & { close(): void };
  /** Nothing can be kept: the browser is private, or full. */
  keepsNothing: boolean;
  /** Bytes that wait. */
  waiting(): number;
}

export function memoryBrowser(): MemoryBrowser {
  const takes = new Map<string, Kept>();
  const reports = new Map<string, WaitingReport>();
  const listeners = new Set<() => void>();
  const holders = new Map<string, Promise<void>>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const browser: MemoryBrowser = {
    keepsNothing: false,
    waiting: () => [...takes.values()].reduce((sum, { bytes }) => sum + bytes.length, 0),
    backlog() {
      const page = new AbortController();
      const alive = <T>(work: () => T): Promise<T> =>
        page.signal.aborted ? new Promise<T>(() => undefined) : Promise.resolve().then(work);
      const mustKeep = (): void => {
        if (browser.keepsNothing) throw new Error('This browser keeps nothing.');
      };
      return {
        list: () =>
          alive(() =>
            [...takes.values()].map(({ spoken, from, ended, bytes }) => ({
              ...spoken,
              from,
              to: from + bytes.length,
              ended,
            })),
          ),
        keep: (spoken, { from, samples, missing }) =>
          alive(() => {
            mustKeep();
            const kept: Kept = takes.get(spoken.take) ?? { spoken, from, ended: false, bytes: [], missing: new Map() };
            if (kept.from + kept.bytes.length !== from) throw new Error('There is a gap.');
            if (missing !== undefined) kept.missing.set(from, missing);
            kept.bytes.push(...new Uint8Array(samples));
            const isNew = !takes.has(spoken.take);
            takes.set(spoken.take, kept);
            if (isNew) changed();
          }),
        end: (take) =>
          alive(() => {
            const kept = takes.get(take);
            if (kept) kept.ended = true;
          }),
        read: (take, from, most) =>
          alive(() => {
            const kept = takes.get(take);
            const start = Math.max(from, kept?.from ?? 0);
            const gap = Math.min(...[...(kept?.missing.keys() ?? [])].filter((at) => at > start), Infinity);
            const end = Math.min(start + most, gap) - (kept?.from ?? 0);
            const bytes = kept?.bytes.slice(start - kept.from, end) ?? [];
            const missing = kept?.missing.get(start);
            const samples = Uint8Array.from(bytes).buffer;
            return bytes.length === 0 ? null : { from: start, samples, ...(missing !== undefined && { missing }) };
          }),
        forget: (take, before) =>
          alive(() => {
            mustKeep();
            const kept = takes.get(take);
            if (!kept) return;
            if (before === undefined) {
              takes.delete(take);
              return changed();
            }
            const gone = Math.max(0, before - kept.from);
            kept.bytes = kept.bytes.slice(gone);
            kept.from += gone;
          }),
        reports: () => alive(() => [...reports.values()]),
        keepReport: (report) =>
          alive(() => {
            mustKeep();
            reports.set(report.id, report);
            changed();
          }),
        forgetReport: (dictation) =>
          alive(() => {
            if (reports.delete(dictation)) changed();
          }),
        async hold(take, signal, work) {
          const before = holders.get(take) ?? Promise.resolve();
          const given = Promise.withResolvers<void>();
          holders.set(
            take,
            before.then(() => given.promise),
          );
          const gone = new Promise<never>((_, reject) => {
            for (const each of [signal, page.signal]) {
              if (each.aborted) reject(new Error('aborted'));
              each.addEventListener('abort', () => reject(new Error('aborted')));
            }
          });
          try {
            await Promise.race([before, gone]);
            // A page that dies lets go of what it holds; one that only lost interest ends its work itself.
            await Promise.race([
              work(),
              new Promise<void>((resolve) => page.signal.addEventListener('abort', () => resolve())),
            ]);
          } finally {
            given.resolve();
          }
        },
        onChange(listener) {
          listeners.add(listener);
          page.signal.addEventListener('abort', () => listeners.delete(listener));
          return () => void listeners.delete(listener);
        },
        close: () => page.abort(),
      };
    },
  };
  return browser;
}
