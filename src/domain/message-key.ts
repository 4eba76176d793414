/** MSH-10, or another name that a sender gave its message, in the key of an inbound message. */
export const controlIdInKey = (key: string): string => key.slice(key.lastIndexOf('|') + 1);
