/** What is said in a test dictation: key of a section → its text. */
export type Script = Readonly<Record<string, string>>;

/** What was examined → dictations to choose from; `other` where that is not known. */
type Scripts = Readonly<Record<string, readonly [Script, ...Script[]]>> & {
  readonly other: readonly [Script, ...Script[]];
};

/** Test dictations of one language. */
export interface TestDictations {
  /** Says that nothing was recognised; `seconds` is how long the audio is, where that is known. */
  readonly notice: (seconds: number | null) => string;
  /** Who it is where no exam tells. */
  readonly patient: string;
  /** What an instruction "says". */
  readonly instruction: string;
  /** By the id of the template. */
  readonly scripts: Readonly<Record<string, Scripts>> & { readonly test_template_general: Scripts };
}
