/**
 * Models of a few kilobytes that hear pure tones (sound.ts): ONNX files written by hand, which the real addon loads, decodes
 * with and fails on as with large ones. The network looks at every eighth or fourth frame and gives each tone's eighth of the mel scale
 * to one token.
 */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The tokens of the tones 0 to 7, then the blank. */
export const toneTokens = ['▁cor', 'ação', '▁pul', 'mão', '▁fí', 'gado', '▁rim', '▁', '<blk>'] as const;
const tokenCount = toneTokens.length;
const blank = tokenCount - 1;
const melBins = 80;
const binsPerToken = melBins / (tokenCount - 1);

/** Fields of a protobuf message (protobuf.dev/programming-guides/encoding). */
function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}
const number = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field: number, content: Uint8Array | string): Buffer => {
  const data = Buffer.from(content as string);
  return Buffer.concat([varint((field << 3) | 2), varint(data.length), data]);
};
const message = (field: number, ...parts: Buffer[]): Buffer => bytes(field, Buffer.concat(parts));

/** The messages of onnx.proto that are needed. */
const type = { float: 1, int64: 7 } as const;
type TypeName = keyof typeof type;

const tensor = (name: string, kind: TypeName, dims: readonly number[], values: readonly number[]): Buffer => {
  const raw = Buffer.from(
    kind === 'float' ? Float32Array.from(values).buffer : BigInt64Array.from(values.map(BigInt)).buffer,
  );
  return Buffer.concat([...dims.map((dim) => number(1, dim)), number(2, type[kind]), bytes(8, name), bytes(9, raw)]);
};
const value = (name: string, kind: TypeName, dims: readonly (number | string)[]): Buffer => {
  const shape = dims.map((dim) => message(1, typeof dim === 'number' ? number(1, dim) : bytes(2, dim)));
  return Buffer.concat([bytes(1, name), message(2, message(1, number(1, type[kind]), message(2, ...shape)))]);
};
const integer = (name: string, given: number): Buffer =>
  message(5, bytes(1, name), number(3, given), number(20, 2 /* INT */));
const integers = (name: string, given: readonly number[]): Buffer =>
  message(5, bytes(1, name), ...given.map((each) => number(8, each)), number(20, 7 /* INTS */));
const node = (operator: string, inputs: readonly string[], output: string, ...attributes: Buffer[]): Buffer =>
  message(1, ...inputs.map((input) => bytes(1, input)), bytes(2, output), bytes(4, operator), ...attributes);

export interface ToneModelOptions {
  /** Whether the model hears while sound still comes. */
  readonly live?: boolean;
  /** Metadata in place of the right ones; `null` leaves a key out. */
  readonly metadata?: Readonly<Record<string, string | null>>;
  /** The mel bins that the network is made for: other than the addon's it cannot run. */
  readonly bins?: number;
}

/** The ONNX file of a model. */
export function toneModel({ live = false, metadata = {}, bins = melBins }: ToneModelOptions = {}): Buffer {
  const weights = Array.from({ length: bins * tokenCount }, (_, at) => {
    const [bin, token] = [Math.floor(at / tokenCount), at % tokenCount];
    return token === blank ? 0 : Math.floor(bin / binsPerToken) === token ? 1 : -1 / 7;
  });
  const biases = Array.from({ length: tokenCount }, (_, token) => (token === blank ? 4 : 0));
  // Live, the addon counts four frames to an output, whatever the model says.
  const step = live ? 4 : 8;
  const caches = [
    ['cache_last_channel', 'float', ['N', 1, 1, 1]],
    ['cache_last_time', 'float', ['N', 1, 1, 1]],
    ['cache_last_channel_len', 'int64', ['N']],
  ] as const;
  const nodes = [
    node('Transpose', ['audio_signal'], 'frames', integers('perm', [0, 2, 1])),
    node('Slice', ['frames', 'starts', 'ends', 'axes', 'steps'], 'eighths'),
    node('MatMul', ['eighths', 'W'], 'products'),
    node('Add', ['products', 'B'], 'logits'),
    node('LogSoftmax', ['logits'], 'logprobs', integer('axis', 2)),
    ...(live
      ? [
          node('Identity', ['length'], 'encoded_lengths'),
          ...caches.map(([name]) => node('Identity', [name], `${name}_next`)),
        ]
      : []),
  ];
  const graph = message(
    7,
    ...nodes,
    bytes(2, 'tones'),
    ...[
      tensor('W', 'float', [bins, tokenCount], weights),
      tensor('B', 'float', [tokenCount], biases),
      tensor('starts', 'int64', [1], [0]),
      tensor('ends', 'int64', [1], [2 ** 40]),
      tensor('axes', 'int64', [1], [1]),
      tensor('steps', 'int64', [1], [step]),
    ].map((each) => bytes(5, each)),
    bytes(11, value('audio_signal', 'float', ['N', bins, 'T'])),
    bytes(11, value('length', 'int64', ['N'])),
    ...(live ? caches.map(([name, kind, dims]) => bytes(11, value(name, kind, dims))) : []),
    bytes(12, value('logprobs', 'float', ['N', 'U', tokenCount])),
    ...(live
      ? [
          bytes(12, value('encoded_lengths', 'int64', ['N'])),
          ...caches.map(([name, kind, dims]) => bytes(12, value(`${name}_next`, kind, dims))),
        ]
      : []),
  );
  const cacheDims = Object.fromEntries(
    ['cache_last_channel', 'cache_last_time'].flatMap((name) => [1, 2, 3].map((dim) => [`${name}_dim${dim}`, '1'])),
  );
  const all: Readonly<Record<string, string | null>> = {
    vocab_size: String(tokenCount - 1),
    subsampling_factor: String(step),
    normalize_type: '',
    model_type: 'EncDecCTCModelBPE',
    version: '1',
    model_author: 'Laudio',
    comment: 'It hears tones.',
    ...(live && { window_size: '32', chunk_shift: '32', ...cacheDims }),
    ...metadata,
  };
  const pairs = Object.entries(all).flatMap(([key, given]) =>
    given === null ? [] : [message(14, bytes(1, key), bytes(2, given))],
  );
  return Buffer.concat([number(1, 8), graph, message(8, number(2, 13)), ...pairs]);
}

export interface InstalledTones extends ToneModelOptions {
  readonly id?: string;
  readonly tokens?: readonly string[];
}

/** Installs a tone model in the folder of models, as `laudio engine pull` does. */
export async function installToneModel(
  models: string,
  { id = 'tone', tokens = toneTokens, ...options }: InstalledTones = {},
): Promise<string> {
  const folder = join(models, id);
  await mkdir(folder, { recursive: true });
  const files = {
    model: { name: 'model.onnx', content: toneModel(options) },
    tokens: { name: 'tokens.txt', content: Buffer.from(tokens.map((token, at) => `${token} ${at}\n`).join('')) },
  };
  for (const { name, content } of Object.values(files)) await writeFile(join(folder, name), content);
  const manifest = {
    id,
    kind: 'nemo-ctc',
    live: options.live ?? false,
    chunk_ms: 320,
    sample_rate: 16_000,
    languages: ['pt-BR', 'en-US', 'es-ES'],
    licence: 'MIT',
    files: Object.fromEntries(
      Object.entries(files).map(([role, { name, content }]) => [
        role,
        { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') },
      ]),
    ),
  };
  await writeFile(join(folder, 'model.json'), JSON.stringify(manifest, null, 2));
  return folder;
}
