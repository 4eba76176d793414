/** The used parts of the addon, which has no types. */
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
    /** Start of each token in seconds. */
    readonly timestamps: readonly number[];
    /** Length of each token in seconds; empty if the model doesn't report it. */
    readonly durations?: readonly number[];
    /** All tokens as text; tokens may be parts of a character. */
    readonly text?: string;
    /** The language of the model's answer (ISO 639-1). */
    readonly lang?: string;
    /** Offset of the times, in seconds of the stream. */
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
    /** Changes options of the model; files stay. Not while it decodes. */
    setConfig(config: Config): void;
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
