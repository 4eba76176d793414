#!/usr/bin/env node
/** The entry point: contains the only process.exit, and an error message for an outdated Node. */
import { refuseNode } from '../src/node/required-node.ts';

const refusal = refuseNode(process.versions.node);
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`);
  process.exit(2);
}

// Without a listener, Node would open its debugger to everyone on this computer at this signal.
process.on('SIGUSR1', () => {});

async function main(words: readonly string[]): Promise<void> {
  const { asksForVersion } = await import('./shell/version.ts');
  if (asksForVersion(words)) {
    const { programVersion } = await import('../src/node/program-version.ts');
    process.stdout.write(`${programVersion()}\n`);
    return;
  }
  // Half of a short command's time is spent on compiling the same modules again.
  const { keepCompiledModules } = await import('./shell/compile-cache.ts');
  keepCompiledModules();
  const { run } = await import('./run.ts');
  process.exitCode = await run(words, {
    // Opening the standard input is slow, and few commands read it.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
  });
  // A keep-alive connection must not delay a finished command; the output is flushed first.
  process.stdout.write('', () => process.exit());
}

void main(process.argv.slice(2));
