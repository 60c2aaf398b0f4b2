/**
 * Counts the changes of what this folder finds. Raise it with every detector, format or rule that finds more than
 * before: each workspace is then scanned once more, and what was let through is repaired (`rescan`).
 */
export const DETECTORS_VERSION = 1;
