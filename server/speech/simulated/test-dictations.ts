/** A test dictation: key of a section → its text. */
export type Script = Readonly<Record<string, string>>;

/** Body region → dictations to choose from; `other` if the region is unknown. */
type Scripts = Readonly<Record<string, readonly [Script, ...Script[]]>> & {
  readonly other: readonly [Script, ...Script[]];
};

/** Test dictations of one language. */
export interface TestDictations {
  /** States that nothing was recognised; `seconds`: length of the audio, if known. */
  readonly notice: (seconds: number | null) => string;
  /** The patient's name if there is no exam. */
  readonly patient: string;
  /** The text of every instruction. */
  readonly instruction: string;
  /** Keyed by template id. */
  readonly scripts: Readonly<Record<string, Scripts>> & { readonly test_template_general: Scripts };
}
