import { createContext, useContext } from 'react';
import type { Session } from '../api/session';

const Context = createContext<Session | null>(null);

export const SessionProvider = Context.Provider;

/** Whoever is signed in. @throws Error outside of the shell. */
export function useSession(): Session {
  const session = useContext(Context);
  if (session === null) throw new Error('nobody is signed in here');
  return session;
}

/** Whether the signed-in person may use these routes, as the API names them: `POST /v1/cards/:id/restore`. */
export function useMay(...routes: string[]): boolean {
  const { allowed } = useSession();
  return routes.every((route) => allowed.includes(route));
}
