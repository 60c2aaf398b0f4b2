/** To an agent whose memory is off, or any agent of a workspace whose memory is. */
export const MEMORY_OFF = 'Memory is switched off for this agent; a person may switch it on.';
