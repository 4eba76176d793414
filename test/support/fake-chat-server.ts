/** A server of chat completions whose model, and whose dialect, a test chooses. */
import { startHttpServer } from './http-server.ts';
import type { Asked, Reply, TestServer } from './http-server.ts';

export interface AskedSentence {
  readonly id: number;
  readonly section: string | null;
  readonly text: string;
}

export interface FakeChatServer extends TestServer {
  /** What the model makes of a sentence; default: it repeats it, and puts what has no section with the findings. */
  model: (sentence: AskedSentence) => { section?: string; text?: string };
  /** What the model makes of findings; default: no sentence. */
  impression: (sentences: readonly Omit<AskedSentence, 'section'>[]) => unknown[];
  /** How the server puts what the model writes; default: as the format has it. */
  dialect: (content: string, asked: Asked, count: number) => Reply | Promise<Reply>;
  /** Answer to `GET /models`. */
  models: Reply;
  /** The chat completions that were asked for. */
  chats(): Asked[];
}

export const completion = (content: unknown, rest: object = {}): Reply => ({
  body: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop', ...rest }],
  },
});

/** What the writer told the model. Only a question about a whole report has sections. */
export const questionIn = ({ body }: Asked): { sentences: AskedSentence[]; sections?: object[] } =>
  JSON.parse((JSON.parse(body) as { messages: { content: string }[] }).messages[1]!.content) as never;

export async function startChatServer(): Promise<FakeChatServer> {
  let count = 0;
  const server = await startHttpServer((asked) => {
    if (asked.path === '/v1/models') return fake.models;
    if (asked.path !== '/v1/chat/completions') return { status: 404, body: '404 page not found' };
    const question = questionIn(asked);
    const sentences = question.sections
      ? question.sentences.map((sentence) => ({
          id: sentence.id,
          section: sentence.section ?? 'findings',
          text: sentence.text,
          ...fake.model(sentence),
        }))
      : fake.impression(question.sentences);
    count += 1;
    return fake.dialect(JSON.stringify({ sentences }), asked, count);
  });
  const fake: FakeChatServer = {
    ...server,
    model: () => ({}),
    impression: () => [],
    dialect: (content) => completion(content),
    models: { body: { object: 'list', data: [{ id: 'medical-small', object: 'model' }] } },
    chats: () => server.asked.filter(({ path }) => path === '/v1/chat/completions'),
  };
  return fake;
}
