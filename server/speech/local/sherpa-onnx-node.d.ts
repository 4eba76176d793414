/** What is used of the addon, which brings no types. */
declare module 'sherpa-onnx-node' {
  export interface Waveform {
    readonly samples: Float32Array;
    readonly sampleRate: number;
  }
  export interface Stream {
    acceptWaveform(sound: Waveform): void;
    setOption(key: string, value: string): void;
  }
  export interface LiveStream extends Stream {
    inputFinished(): void;
  }
  export interface Result {
    readonly tokens: readonly string[];
    /** When each token begins, in seconds. */
    readonly timestamps: readonly number[];
    /** How long each token is, in seconds; empty where the model does not say. */
    readonly durations?: readonly number[];
    /** Where the times begin to count, in seconds of the stream. */
    readonly start_time?: number;
  }
  export interface Config {
    readonly featConfig: { readonly sampleRate: number; readonly featureDim: number };
    readonly modelConfig: Readonly<Record<string, unknown>>;
    readonly [option: string]: unknown;
  }
  export class OfflineRecognizer {
    static createAsync(config: Config): Promise<OfflineRecognizer>;
    createStream(): Stream;
    decodeAsync(stream: Stream): Promise<Result>;
  }
  export class OnlineRecognizer {
    constructor(config: Config);
    createStream(): LiveStream;
    isReady(stream: LiveStream): boolean;
    decode(stream: LiveStream): void;
    isEndpoint(stream: LiveStream): boolean;
    reset(stream: LiveStream): void;
    getResult(stream: LiveStream): Result;
  }
  const addon: {
    readonly OfflineRecognizer: typeof OfflineRecognizer;
    readonly OnlineRecognizer: typeof OnlineRecognizer;
  };
  export default addon;
}
