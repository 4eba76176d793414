/**
 * A directory whose files are kept in the store as well, so that another member of the server can continue the work in it. The member that
 * holds its lease works with files on its own disk; what it writes there is stored soon after, or at once by `flush`.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Clock } from '../../src/domain/clock.ts';
import { describeError } from '../../src/domain/describe-error.ts';
import { createOrder } from '../../src/domain/in-order.ts';
import { followFiles } from '../../src/node/files/file-changes.ts';
import type { FileChange } from '../../src/node/files/file-changes.ts';
import { isMissing } from '../../src/node/files/private-file.ts';
import type { Log } from '../runtime/log.ts';
import type { Documents } from './documents.ts';
import type { Store } from './store.ts';

export interface SharedDirectory {
  /** Resolves when all that has been written until now is in the store. Rejects with AppError STORAGE_UNAVAILABLE. */
  flush(): Promise<void>;
  /** Stores nothing from now on. */
  close(): Promise<void>;
}

export interface SharedDirectoryDeps {
  /** Its transactions depend on the lease of the directory. */
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the files are on this disk; empty. */
  readonly path: string;
  /** Whether the file, by its path within the directory with `/`, is kept in the store. */
  readonly isKept: (path: string) => boolean;
}

type StoredFile = Documents['shared_files'];
type StoredPiece = Documents['shared_pieces'];

/** Bytes of a piece, and of the pieces of one transaction. */
const pieceBytes = 192 * 1024;
const stepBytes = 4 * 1024 * 1024;
/** Documents read at once. */
const page = 50;
/** In ms: until what nobody waits for is stored, and until a failure is tried again. */
const delay = 100;
const pause = 1000;

/** A file as it should be, or is, in the store: `content` names its pieces. */
interface File {
  readonly content: string;
  /** `undefined`: as long as the file is when it is read. */
  readonly bytes: number | undefined;
}

/** A file after a failure: the store has it or not, or an earlier one. */
const unknown: File = { content: '', bytes: undefined };

/** Brings the files of the directory `name` to this disk, and stores what changes from then on. */
export async function openSharedDirectory(name: string, deps: SharedDirectoryDeps): Promise<SharedDirectory> {
  const { store, clock, log, path, isKept } = deps;
  /** Files by their paths: in the store, and as they should be there. */
  const stored = new Map<string, File>();
  const wanted = new Map<string, File>();
  /** The bytes of each content in the store, and the ids of its pieces. */
  const contents = new Map<string, { bytes: number; readonly pieces: Set<string> }>();
  const inOrder = createOrder();
  let isChanged = false;
  let isClosed = false;
  let callOff = (): void => {};

  const later = (ms: number): void => {
    callOff();
    callOff = clock.schedule(clock.now() + ms, () =>
      flush().catch((error: unknown) => {
        log({ level: 'warn', event: 'desk_not_stored', ...describeError(error) });
        if (!isClosed) later(pause);
      }),
    );
  };
  const note = (change: FileChange): void => {
    const at = within(path, change.path);
    if (change.kind === 'removed') removeBelow(wanted, at);
    else if (change.kind === 'moved') moveBelow(wanted, at, within(path, change.to));
    else if (isKept(at)) {
      const isResized = change.kind === 'resized';
      const content = (isResized ? wanted.get(at)?.content : undefined) ?? randomUUID();
      wanted.set(at, { content, bytes: isResized ? change.size : undefined });
    } else return;
    isChanged = true;
    later(delay);
  };

  const lengthOf = (content: string): number => contents.get(content)?.bytes ?? 0;

  /** The file for the store, and the pieces that the store lacks; `undefined`: it is gone, or has another name by now. */
  async function readFile({ content: known, bytes }: File, at: string) {
    // Pieces are never changed: a file that has lost its end is another one.
    const content = bytes !== undefined && bytes < lengthOf(known) ? randomUUID() : known;
    const from = lengthOf(content);
    const read = await readBytes(join(path, at), from, bytes);
    if (!read) return undefined;
    const pieces: StoredPiece[] = [];
    for (let start = 0; start < read.length; start += pieceBytes) {
      const place = from + start;
      const id = `${content}.${String(place).padStart(12, '0')}`;
      const part = read.subarray(start, start + pieceBytes);
      pieces.push({ id, directory: name, content, at: place, bytes: part.toString('base64') });
    }
    const file: StoredFile = { id: `${name}/${at}`, directory: name, content, bytes: from + read.length };
    return { file, pieces };
  }

  async function storeChanges(): Promise<void> {
    const aim = new Map(wanted);
    isChanged = false;
    const files = new Map<string, StoredFile>();
    const pieces: StoredPiece[] = [];
    for (const [at, wish] of aim) {
      const before = stored.get(at);
      if (before?.content === wish.content && before.bytes === wish.bytes) continue;
      const read = await readFile(wish, at);
      // If the app moved it, its new name is in `wanted`; otherwise somebody else has removed it.
      if (!read) {
        if (wanted.get(at) === wish) wanted.delete(at);
        isChanged = true;
      } else {
        files.set(at, read.file);
        pieces.push(...read.pieces);
      }
    }
    const gone = [...stored.keys()].filter((at) => !aim.has(at));
    if (files.size === 0 && gone.length === 0) return;
    const after = new Map([...stored].filter(([at]) => !gone.includes(at)));
    for (const [at, { content, bytes }] of files) after.set(at, { content, bytes });
    const used = new Set([...after.values()].map(({ content }) => content));
    const unused = [...contents].filter(([content]) => !used.has(content));
    for (const { content, id } of pieces) {
      const known = contents.get(content) ?? { bytes: 0, pieces: new Set() };
      known.pieces.add(id);
      contents.set(content, known);
    }
    // Until the store has answered, it may have them or not.
    for (const at of [...files.keys(), ...gone]) stored.set(at, unknown);
    const isLarge = pieces.length * pieceBytes > stepBytes;
    if (isLarge) await putPieces(store, pieces);
    await store.transact(async (tx) => {
      for (const piece of isLarge ? [] : pieces) tx.put('shared_pieces', piece);
      for (const file of files.values()) tx.put('shared_files', file);
      for (const at of gone) tx.remove('shared_files', `${name}/${at}`);
      for (const [, { pieces: ids }] of unused) for (const id of ids) tx.remove('shared_pieces', id);
    });
    for (const [content] of unused) contents.delete(content);
    for (const at of gone) stored.delete(at);
    for (const [at, { content, bytes }] of files) {
      const known = contents.get(content);
      if (known) known.bytes = bytes;
      const file = { content, bytes };
      stored.set(at, file);
      if (wanted.get(at) === aim.get(at)) wanted.set(at, file);
    }
  }

  const flush = (): Promise<void> =>
    inOrder(async () => {
      while (isChanged && !isClosed) {
        callOff();
        try {
          await storeChanges();
        } catch (error) {
          isChanged = true;
          throw error;
        }
      }
    });

  for (const [at, { content, bytes, pieces }] of await bring(name, deps)) {
    for (const files of [stored, wanted]) files.set(at, { content, bytes });
    contents.set(content, { bytes, pieces });
  }
  const unfollow = followFiles(path, note);
  return {
    flush,
    async close() {
      isClosed = true;
      callOff();
      unfollow();
      await inOrder.idle();
    },
  };
}

const isBelow = (path: string, at: string): boolean => path === at || path.startsWith(`${at}/`);

/** Removes the file, or all files of the directory. */
function removeBelow(files: Map<string, File>, at: string): void {
  for (const each of files.keys()) if (isBelow(each, at)) files.delete(each);
}

function moveBelow(files: Map<string, File>, at: string, to: string): void {
  for (const [each, file] of [...files].filter(([path]) => isBelow(path, at))) {
    files.delete(each);
    files.set(`${to}${each.slice(at.length)}`, file);
  }
}

/** Stores pieces of which no file knows yet, as many at once as a transaction takes. */
async function putPieces(store: Store, pieces: readonly StoredPiece[]): Promise<void> {
  const perStep = Math.floor(stepBytes / pieceBytes);
  for (let start = 0; start < pieces.length; start += perStep) {
    const step = pieces.slice(start, start + perStep);
    await store.transact(async (tx) => {
      for (const piece of step) tx.put('shared_pieces', piece);
    });
  }
}

/** Writes the stored files to this disk, and removes pieces of none: those of a transaction that had no successor. */
async function bring(name: string, { store, path }: SharedDirectoryDeps) {
  const of = { is: { directory: name } };
  const files = await store.find('shared_files', of);
  const byContent = new Map(files.map((file) => [file.content, { ...file, pieces: new Set<string>() }]));
  const pathOf = ({ id }: StoredFile): string => id.slice(name.length + 1);
  for (const file of files) {
    const target = join(path, pathOf(file));
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await (await open(target, 'w', 0o600)).close();
  }
  const lost: string[] = [];
  for (let before: string | undefined, isLast = false; !isLast;) {
    const pieces = await store.find('shared_pieces', { ...of, limit: page, ...(before !== undefined && { before }) });
    for (const { id, content, at, bytes } of pieces) {
      const file = byContent.get(content);
      if (!file || at >= file.bytes) lost.push(id);
      else {
        file.pieces.add(id);
        const whole = Buffer.from(bytes, 'base64');
        await writeBytes(join(path, pathOf(file)), at, whole.subarray(0, file.bytes - at));
      }
    }
    isLast = pieces.length < page;
    before = pieces.at(-1)?.id;
  }
  if (lost.length > 0)
    await store.transact(async (tx) => {
      for (const id of lost) tx.remove('shared_pieces', id);
    });
  return new Map(Array.from(byContent.values(), (file) => [pathOf(file), file]));
}

const within = (directory: string, path: string): string => relative(directory, path).replaceAll(sep, '/');

/** The bytes from `from` to `to`, or to the end of the file; `undefined`: there is no such file any more, or it is shorter. */
async function readBytes(path: string, from: number, to: number | undefined): Promise<Buffer | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const end = to ?? size;
      if (size < end) return undefined;
      const bytes = Buffer.alloc(Math.max(0, end - from));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      return bytesRead === bytes.length ? bytes : undefined;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function writeBytes(path: string, at: number, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.write(bytes, 0, bytes.length, at);
  } finally {
    await file.close();
  }
}
