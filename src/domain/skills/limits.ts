/** What a skill's name may be. */
export const SKILL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** Of a card's text in characters (contract, Card). */
export const MAX_SKILL_SUMMARY = 2_000;
/** Of a description in characters: what other tools allow. */
export const MAX_DESCRIPTION = 1_024;
/** Of one line of a document in characters. */
export const MAX_LINE = 1_000;
/** Of a body in characters: about 8,000 tokens, far more than a prompt should be given at once. */
export const MAX_BODY = 32_000;
/** Of each list of a document. */
export const MAX_ITEMS = 50;
/** Of the tests that one skill is held to; the oldest failures make room for new ones. */
export const MAX_TESTS = 100;
