/** The system calls of a process that change files, as strace (strace.io) saw them, in the order in which they ended. */
import { readFile } from 'node:fs/promises';

export interface SystemCall {
  readonly name: string;
  /** Thread. */
  readonly tid: string;
  /** The how many-th of that name in that thread, from 1: what strace's `when` goes by. */
  readonly turn: number;
  /** Of the file that the first argument stands for. */
  readonly fd: string | undefined;
  /** The strings among the arguments, in order. */
  readonly strings: readonly Buffer[];
  /** All arguments, as strace writes them. */
  readonly text: string;
  readonly result: number;
  /** How many calls had ended when it began. */
  readonly begun: number;
}

/** `?`: not every machine has it. */
const traced =
  '?open,openat,write,writev,pwrite64,pwritev,?pwritev2,fsync,fdatasync,?rename,renameat,renameat2,?link,linkat,?unlink,unlinkat,ftruncate,truncate,?mkdir,mkdirat,fallocate,copy_file_range';

/** One thread for files, so that calls of one name have an order. */
export const straceEnvironment = { UV_USE_IO_URING: '0', UV_THREADPOOL_SIZE: '1' };

/** strace with everything that `readCalls` reads; `log` is written when the program has ended. */
export const straceTo = (log: string): string[] =>
  `strace -f -qq -y -xx -s 1000000 --seccomp-bpf -e signal=none -e trace=${traced} -o`.split(' ').concat(log);

/** strace that does this to calls of that name: `signal=SIGKILL:when=3`, `error=EIO:when=2+`. */
export const straceInject = (log: string, call: string, what: string): string[] =>
  `strace -f -qq -e signal=none -e trace=${call} -e inject=${call}:${what} -o`.split(' ').concat(log);

const line = /^(\d+) +(\w+)\((.*)\) += (-?\d+|\?)/s;

export async function readCalls(log: string): Promise<SystemCall[]> {
  const calls: SystemCall[] = [];
  const unfinished = new Map<string, { text: string; begun: number }>();
  const turns = new Map<string, number>();
  for (const written of (await readFile(log, 'latin1')).split('\n')) {
    const tid = /^\d+/.exec(written)?.[0] ?? '';
    if (written.endsWith(' <unfinished ...>')) {
      unfinished.set(tid, { text: written.slice(0, -' <unfinished ...>'.length), begun: calls.length });
      continue;
    }
    const resumed = /^\d+ +<\.\.\. \w+ resumed>/.exec(written)?.[0];
    const before = resumed === undefined ? undefined : unfinished.get(tid);
    const [, , name, text, result] = line.exec(before ? before.text + written.slice(resumed!.length) : written) ?? [];
    if (name === undefined || text === undefined) continue;
    const turn = (turns.get(`${tid} ${name}`) ?? 0) + 1;
    turns.set(`${tid} ${name}`, turn);
    const path = /^\d+<((?:\\x..)*)>/.exec(text)?.[1];
    calls.push({
      name,
      tid,
      turn,
      text,
      fd: path === undefined ? undefined : bytesOf(path).toString(),
      strings: Array.from(text.matchAll(/"((?:\\x..)*)"/g), ([, hex]) => bytesOf(hex!)),
      result: Number(result),
      begun: before?.begun ?? calls.length,
    });
  }
  return calls;
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex');
