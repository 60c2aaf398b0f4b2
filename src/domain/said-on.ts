/** What stands behind a fact that was said, and is no part of it: ` (said on 2026-03-02).` */
export const SAID_ON = /\s*\(said on \d{4}-\d{2}-\d{2}\)\.?$/;
