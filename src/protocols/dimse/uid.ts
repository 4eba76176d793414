/** A UID of a UUID, which is given as its 32 hexadecimal digits: the number below 2.25 (PS3.5 B.2). */
export const uidOfUuid = (digits: string): string => `2.25.${BigInt(`0x${digits}`)}`;
