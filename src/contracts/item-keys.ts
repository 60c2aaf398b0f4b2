/**
 * What the key of a note begins with that is an item of a LangGraph store. Programs keep such notes, by the
 * hundred; where a model or a person looks through notes by name they are left out.
 */
export const ITEM_KEYS = 'langgraph/';
