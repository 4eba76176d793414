/**
 * Identifies this page among the windows of one person. Unpredictability does not matter; a page without HTTPS has no
 * `randomUUID`.
 */
export const pageName = Math.random().toString(36).slice(2);
