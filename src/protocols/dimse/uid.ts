/** The UID of a UUID (its 32 hexadecimal digits): the number below 2.25 (PS3.5 B.2). */
export const uidOfUuid = (digits: string): string => `2.25.${BigInt(`0x${digits}`)}`;

/** Values of odd length are padded with a space, UIDs with a NUL (PS3.5 6.2, 9.1); some systems pad with more than one. */
export const withoutPadding = (text: string): string => text.replace(/(?<![\0 ])[\0 ]+$/, '');
