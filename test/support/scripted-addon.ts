/** The process of a local model with another addon in place of the native one: what it hears is the test's choice. */
import { createHash } from 'node:crypto';
import { fork } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LaunchProcess, ProcessEnd } from '../../server/runtime/processes/own-process.ts';

/** `addon`: source of a module whose default export is the addon. */
export function launchWithAddon(launch: LaunchProcess, addon: string): LaunchProcess {
  const hooks = `import { registerHooks } from 'node:module';
    registerHooks({ resolve: (specifier, context, next) => specifier === 'sherpa-onnx-node'
      ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(addon)}`)}, format: 'module', shortCircuit: true }
      : next(specifier, context) });`;
  return (module, options) => {
    if (!module.href.includes('recogniser-process')) return launch(module, options);
    const child = fork(fileURLToPath(module), {
      execArgv: ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const { promise: ended, resolve } = Promise.withResolvers<ProcessEnd>();
    child.once('exit', (code, signal) => resolve({ code, signal }));
    return {
      pid: child.pid,
      post: (message) => void (child.connected && child.send(message as object, () => {})),
      listen: (listener) => void child.on('message', listener),
      ended,
      kill: () => void child.kill('SIGKILL'),
    };
  };
}

/** What a scripted Whisper answers to one decoding; the tokens are those of the addon, each with its beginning. */
export interface WhisperAnswer {
  readonly tokens: readonly (readonly [token: string, from: number])[];
  readonly text?: string;
  /** The language that it names, instead of the one that it is held to. */
  readonly language?: string;
}

/**
 * An addon in which Whisper gives one answer after the other, and then the language and the seconds of the sound that it
 * was given. It reads the language when it has decoded, as the native one does.
 */
export const whisperAddon = (answers: readonly WhisperAnswer[] = []): string => `
  const answers = ${JSON.stringify(answers)};
  const createAsync = async (config) => {
    let current = config;
    return {
      setConfig: (next) => void (current = next),
      createStream: () => ({ acceptWaveform({ samples }) { this.samples = samples; } }),
      async decodeAsync({ samples }) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        const { language, enableTokenTimestamps } = current.modelConfig.whisper;
        if (enableTokenTimestamps !== 1 || !['pt', 'en', 'es', ''].includes(language) || samples.length === 0) process.exit(255);
        const { tokens, text, language: named = language } = answers.shift() ?? { tokens: [[' ' + language, 0], [' ' + samples.length / 16000, 0.2]] };
        return {
          text: text ?? tokens.map(([token]) => token).join('').trim(),
          tokens: tokens.map(([token]) => token),
          timestamps: tokens.map(([, from]) => from),
          durations: tokens.map(([, from], at) => (tokens[at + 1]?.[1] ?? from + 0.3) - from),
          lang: named,
        };
      },
    };
  };
  export default { OfflineRecognizer: { createAsync } };`;

/** Installs files that only a scripted addon loads. */
export async function installScriptedWhisper(models: string, id = 'scripted'): Promise<void> {
  const folder = join(models, id);
  await mkdir(folder, { recursive: true });
  const files: Record<string, object> = {};
  for (const [role, name] of Object.entries({ encoder: 'e.onnx', decoder: 'd.onnx', tokens: 'tokens.txt' })) {
    await writeFile(join(folder, name), role);
    files[role] = { name, bytes: role.length, sha256: createHash('sha256').update(role).digest('hex') };
  }
  const manifest = {
    id,
    kind: 'whisper',
    live: false,
    chunk_ms: 28_000,
    sample_rate: 16_000,
    languages: ['pt-BR', 'en-US', 'es-ES'],
    licence: 'MIT',
    files,
  };
  await writeFile(join(folder, 'model.json'), JSON.stringify(manifest));
}
