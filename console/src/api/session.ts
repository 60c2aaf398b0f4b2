import { get, send, setCsrf } from './http';

/** Who is signed in, and what they may do (`GET /v1/session`). */
export interface Session {
  workspace: { id: string; name: string; memory_mode: string };
  principal: {
    kind: string;
    id: string;
    name: string | null;
    role: string | null;
    installation: boolean;
  };
  /** Routes as the API names them, e.g. `POST /v1/cards/:id/restore`. */
  allowed: string[];
  csrf: string | null;
  expires_at: string | null;
  temporal: { ui: string | null; namespace: string } | null;
  version: string;
  /** Of the workspace's days, e.g. `Europe/Berlin`. */
  timezone: string;
}

export async function readSession(): Promise<Session> {
  return kept(await get<Session>('/v1/session'));
}

/** @throws Problem 401 for a wrong key, 403 for one that is no person's, 429 after too many. */
export async function signIn(key: string): Promise<Session> {
  const body = { key: key.trim() };
  return kept((await send<Session>('/v1/session', { method: 'POST', body })).data);
}

export async function signOut(): Promise<void> {
  await send('/v1/session', { method: 'DELETE' });
  setCsrf(null);
}

function kept(session: Session): Session {
  setCsrf(session.csrf);
  return session;
}
