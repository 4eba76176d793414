/** The writer `openai` before a server that a test chooses, with a clock that moves only by hand, and its log. */
import { afterAll, beforeEach } from 'vitest';
import { writers } from '../../server/speech/registry.ts';
import type { Writer } from '../../server/speech/writer.ts';
import type { Choice } from '../../src/domain/choice.ts';
import { manualClock } from '../../src/domain/clock.ts';
import type { ManualClock } from '../../src/domain/clock.ts';
import { engineDeps, openEngine } from './engine-deps.ts';
import { startChatServer } from './fake-chat-server.ts';
import type { FakeChatServer } from './fake-chat-server.ts';
import type { Reply } from './http-server.ts';

export interface LanguageModel {
  /** As a new one at the beginning of each test. */
  readonly server: FakeChatServer;
  readonly clock: ManualClock;
  readonly logged: Record<string, unknown>[];
  /** A writer with its options, besides model, url and key. */
  open(options?: Record<string, string | number | boolean>): Promise<Writer>;
  /** The writer of a choice. */
  choose(choice: Choice): Promise<Writer>;
}

export async function languageModel(): Promise<LanguageModel> {
  const server = await startChatServer();
  const { model, impression, dialect, models } = server;
  const usual = { model, impression, dialect, models };
  const clock = manualClock(0);
  const logged: Record<string, unknown>[] = [];
  const deps = { ...engineDeps(), clock, log: (entry: object) => void logged.push({ ...entry }) };
  const opened: Writer[] = [];
  afterAll(async () => {
    await Promise.all(opened.map((writer) => writer.close()));
    await server.close();
  });
  beforeEach(() => {
    Object.assign(server, usual);
    server.asked.length = 0;
    logged.length = 0;
  });
  const choose = async (choice: Choice): Promise<Writer> => {
    const writer = await openEngine('writer', writers, choice, deps);
    opened.push(writer);
    return writer;
  };
  return {
    server,
    clock,
    logged,
    choose,
    open: (options = {}) =>
      choose({ use: 'openai:medical-small', options: { url: `${server.url}/v1/`, ...options }, key: 'k3y-s3cret' }),
  };
}

/** As servers of chat completions refuse a request. */
export const refusal = (status: number, message: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { error: { message, type: 'invalid_request_error' } },
});
