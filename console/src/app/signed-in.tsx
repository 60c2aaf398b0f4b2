import { Center, Loader } from '@mantine/core';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { onSignedOut, Problem } from '../api/http';
import { readSession, type Session, signOut } from '../api/session';
import { Failed } from '../components/failed';
import { SessionProvider } from './session-context';
import { SignIn } from './sign-in';

const Leave = createContext<() => void>(() => {});

/** Ends the session and shows the door. */
export function useSignOut(): () => void {
  return useContext(Leave);
}

const KEY = ['session'] as const;

/** The server wrote into the page whether the browser brought a session: without one it need not be asked. */
let known = document.querySelector<HTMLMetaElement>('meta[name=cairn-session]')?.content;

async function askSession(): Promise<Session> {
  const nobody = known === 'none';
  known = undefined;
  if (nobody) throw new Problem(401, 'unauthenticated', 'Nobody is signed in.');
  return await readSession();
}

/** The console behind its door: whoever has no session is asked for a key, and goes on where they were. */
function whoIs({ workspace, principal, allowed }: Session): string {
  return JSON.stringify([workspace.id, principal.kind, principal.id, principal.role, allowed]);
}

/** What one person read is not shown to the next. */
function forget(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
}

export function SignedIn({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const session = useQuery({
    queryKey: KEY,
    queryFn: askSession,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    onSignedOut(() => {
      forget(client);
      void client.resetQueries({ queryKey: KEY });
    });
  }, [client]);
  // Another tab may have signed somebody else in, or their role may have changed.
  const who = session.data === undefined ? null : whoIs(session.data);
  const before = useRef(who);
  const isOver = session.error instanceof Problem && session.error.status === 401;
  if (isOver || (who !== null && before.current !== null && who !== before.current)) forget(client);
  if (who !== null) before.current = who;
  const leave = () => {
    void signOut()
      .catch(() => undefined)
      .then(() => {
        // Of the next one nothing is known; the session itself is watched, and has to be asked for anew.
        forget(client);
        return client.resetQueries({ queryKey: KEY });
      });
  };

  if (session.isPending) {
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  const { error } = session;
  const needsKey = error instanceof Problem && error.status === 401;
  if (session.data === undefined || needsKey) {
    if (!needsKey) {
      return (
        <Center h="100vh" p="md">
          <Failed error={error} again={() => void session.refetch()} />
        </Center>
      );
    }
    return <SignIn done={(signedIn) => client.setQueryData(KEY, signedIn)} />;
  }
  return (
    <Leave.Provider value={leave}>
      <SessionProvider value={session.data} key={who}>
        {children}
      </SessionProvider>
    </Leave.Provider>
  );
}
