/**
 * Name of this page among the windows of the same person. Random enough for that; a page without https has no
 * `randomUUID`.
 */
export const pageName = Math.random().toString(36).slice(2);
