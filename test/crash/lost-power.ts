/**
 * What a disk may hold after the power failed at some point between system calls: only what was synced is certain (POSIX
 * fsync, fdatasync: a file's content; the same of its directory: its name). All else may be there, be gone, or be there
 * in part.
 */
import { basename, dirname } from 'node:path';
import type { SystemCall } from './system-calls.ts';

interface File {
  content: Buffer;
  synced: Buffer;
  /** Where `write` goes on. */
  position: number;
}

type Names = Map<string, File>;

/** The content of each file of a directory, by name. */
export type Disk = ReadonlyMap<string, Buffer>;

/** What becomes of that which was not synced. */
export const fates = {
  'is gone': (now: Names, synced: Names) => contents(synced, ({ synced: kept }) => kept),
  'is gone, but what was removed is gone as well': (now: Names, synced: Names) =>
    contents(new Map([...synced].filter(([name]) => now.has(name))), ({ synced: kept }) => kept),
  'is gone, but for the number of the last commit': (now: Names, synced: Names) =>
    new Map([
      ...contents(synced, ({ synced: kept }) => kept),
      ...contents(new Map([...now].filter(([name]) => name === 'acknowledged')), ({ content }) => content),
    ]),
  'is there': (now: Names) => contents(now, ({ content }) => content),
  'is there by name alone': (now: Names) => contents(now, ({ synced: kept }) => kept),
  'is there in part': (now: Names) =>
    contents(now, ({ content, synced: kept }) => content.subarray(0, Math.ceil((kept.length + content.length) / 2))),
  'is there as zeros': (now: Names) =>
    contents(now, ({ content, synced: kept }) =>
      Buffer.concat([kept, Buffer.alloc(Math.max(0, content.length - kept.length))]),
    ),
} as const satisfies Record<string, (now: Names, synced: Names) => Disk>;

const contents = (names: Names, of: (file: File) => Buffer): Disk =>
  new Map(Array.from(names, ([name, file]) => [name, of(file)]));

/**
 * A directory that follows the calls made on it. All that it holds `before` is synced, but for as many bytes at the end
 * of that `tail`, which a process that was killed wrote a moment ago.
 */
export function createDisk(directory: string, before: Disk, tail: { readonly name: string; readonly bytes: number }) {
  const now: Names = new Map(
    Array.from(before, ([name, content]) => {
      const synced = name === tail.name ? content.subarray(0, -tail.bytes) : content;
      return [name, { content, synced, position: 0 }];
    }),
  );
  let synced: Names = new Map(now);
  const at = (path: string | undefined): string | undefined =>
    path !== undefined && dirname(path) === directory ? basename(path) : undefined;
  const put = (file: File, bytes: Buffer, position: number): void => {
    const length = Math.max(file.content.length, position + bytes.length);
    const content = Buffer.alloc(length);
    file.content.copy(content);
    bytes.copy(content, position);
    file.content = content;
  };

  /** Whether it changed anything. Throws for a call that it does not know how to follow. */
  function follow({ name, fd, strings, text, result }: SystemCall): boolean {
    if (result < 0) return false;
    const [first, second] = strings.filter((_, index) => index < 2).map((path) => at(path.toString()));
    const file = now.get(at(fd) ?? '');
    switch (name) {
      case 'open':
      case 'openat': {
        if (first === undefined || !/O_WRONLY|O_RDWR/.test(text)) return false;
        const known = now.get(first);
        if (known) known.position = 0;
        else now.set(first, { content: Buffer.alloc(0), synced: Buffer.alloc(0), position: 0 });
        if (known && text.includes('O_TRUNC')) known.content = Buffer.alloc(0);
        return !known;
      }
      case 'write':
      case 'writev':
      case 'pwrite64':
      case 'pwritev': {
        if (!file) return false;
        const bytes = Buffer.concat(strings).subarray(0, result);
        const given = name.startsWith('p') ? Number(/, (\d+)$/.exec(text)![1]) : undefined;
        put(file, bytes, given ?? file.position);
        if (given === undefined) file.position += result;
        return true;
      }
      case 'fsync':
      case 'fdatasync':
        if (fd === directory) synced = new Map(now);
        else if (file) file.synced = file.content;
        return fd === directory || file !== undefined;
      case 'ftruncate': {
        if (!file) return false;
        const length = Number(/, (\d+)$/.exec(text)![1]);
        file.content = Buffer.concat([file.content, Buffer.alloc(Math.max(0, length - file.content.length))], length);
        return true;
      }
      case 'rename':
      case 'renameat':
      case 'renameat2':
      case 'link':
      case 'linkat':
        if (first === undefined || second === undefined) return false;
        now.set(second, now.get(first)!);
        if (name.startsWith('rename')) now.delete(first);
        return true;
      case 'unlink':
      case 'unlinkat':
        return first !== undefined && now.delete(first);
      case 'mkdir':
      case 'mkdirat':
        return false;
      default:
        if ([at(fd), first, second].some((known) => known !== undefined)) throw new Error(`${name} is not followed`);
        return false;
    }
  }

  return { follow, after: (fate: keyof typeof fates): Disk => fates[fate](now, synced) };
}
