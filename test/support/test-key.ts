/** A data key that every process of a test has. */
export const testKey = Buffer.alloc(32, 7);
