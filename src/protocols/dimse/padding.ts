/** Values of odd length are padded with a space, UIDs with a NUL (PS3.5 6.2, 9.1); some systems pad with more than one. */
export const withoutPadding = (text: string): string => text.replace(/(?<![\0 ])[\0 ]+$/, '');
